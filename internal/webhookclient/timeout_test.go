package webhookclient

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/guard/outbound"
)

func TestAReceiverHasSoLong(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	t.Cleanup(server.Close)
	c := NewClient(outbound.Targets{Allowed: []outbound.Allowed{{Network: netip.MustParsePrefix("127.0.0.0/8")}}})
	t.Cleanup(c.Close)
	require.Equal(t, 15*time.Second, c.http.Timeout)
	c.http.Timeout = 20 * time.Millisecond
	r, err := c.Send(t.Context(), Message{URL: server.URL})
	require.NoError(t, err)
	require.Zero(t, r.Status)
	require.Equal(t, "no response within 15s", r.Error)
}

package api

import (
	"bytes"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/api/limit"
)

// requestsOfADecision is the number of requests that a decision about proxies requires.
const requestsOfADecision = 100

// asked sends requests of a device from an address.
func asked(w *testAPI, peer string, requests int, header map[string]string) {
	for range requests {
		r := httptest.NewRequest(get, "/v1/ota/flag-definitions/demo", nil)
		r.RemoteAddr = peer + ":4711"
		for name, value := range header {
			r.Header.Set(name, value)
		}
		w.handler.ServeHTTP(httptest.NewRecorder(), r)
	}
}

func TestOperatorsAreToldOfAProxyThatIsNotTrusted(t *testing.T) {
	t.Parallel()
	at := now
	var log bytes.Buffer
	w := newTestAPI(t, func(d *parts) {
		d.TrustedProxies, d.Now = []string{"10.0.0.0/28", "192.0.2.1"}, func() time.Time { return at }
		d.Log = slog.New(slog.NewTextHandler(&log, nil))
		d.Rates = limit.Rates{PerAddress: 1} // requests above the limit count
	})
	warnings := func() []any { return decoded(t, w.admin("/readyz"), 200)["warnings"].([]any) }
	forwards := map[string]string{"X-Forwarded-For": "198.51.100.1"}

	asked(w, "127.0.0.1", 3*requestsOfADecision, nil)
	asked(w, "10.0.0.3", 3*requestsOfADecision, forwards)
	require.Empty(t, warnings(), "one is this machine, the other is trusted")
	require.NotContains(t, log.String(), "WAFT_TRUSTED_PROXIES")

	at = at.Add(time.Minute)
	asked(w, "10.0.0.99", 6*requestsOfADecision, forwards)
	require.Len(t, warnings(), 1)
	require.Contains(t, warnings()[0], "WAFT_TRUSTED_PROXIES")
	require.Contains(t, warnings()[0], "10.0.0.99")
	require.Equal(t, 1, strings.Count(log.String(), "WAFT_TRUSTED_PROXIES seems"), "once a minute: %s", &log)
	require.Equal(t, map[string]any{"status": "ready"}, decoded(t, w.do(request{method: get, path: "/readyz", anonymous: true}), 200))

	// The warning outlasts a quiet time, and disappears when requests come from elsewhere.
	at = at.Add(2 * time.Minute)
	asked(w, "10.0.0.99", requestsOfADecision, forwards)
	require.Len(t, warnings(), 1)
	for n := range 2 * requestsOfADecision {
		asked(w, fmt.Sprintf("203.0.113.%d", n), 1, nil)
	}
	require.Empty(t, warnings())
}

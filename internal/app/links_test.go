package app

import (
	"net"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/config"
)

// Messages link to where people reach the server, if it knows.
func TestWhereMessagesLinkTo(t *testing.T) {
	t.Parallel()
	listening := func(address string) net.Listener {
		l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", address)
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, l.Close()) })
		return l
	}
	loopback, everywhere := listening("127.0.0.1:0"), listening("0.0.0.0:0")
	_, port, err := net.SplitHostPort(loopback.Addr().String())
	require.NoError(t, err)
	for name, c := range map[string]struct {
		base   string
		listen net.Listener
		role   Role
		want   string
	}{
		"as configured":             {"https://ota.example.com", everywhere, Role{Worker: true}, "https://ota.example.com"},
		"by its address":            {"", loopback, Role{API: true, Worker: true}, "http://localhost:" + port},
		"a worker has no pages":     {"", loopback, Role{Worker: true}, ""},
		"any address is no address": {"", everywhere, Role{API: true, Worker: true}, ""},
	} {
		a := &App{cfg: config.Config{BaseURL: c.base}, listener: c.listen, role: c.role}
		require.Equal(t, c.want, a.linkURL(), name)
	}
}

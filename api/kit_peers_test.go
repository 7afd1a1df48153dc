package api

import (
	"bytes"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"
)

func TestWhatLooksLikeAProxy(t *testing.T) {
	t.Parallel()
	const n = peerRequests
	type from struct {
		address   string
		forwarded bool
		requests  int
	}
	for name, c := range map[string]struct {
		from []from
		want string
	}{
		"everything from a private address":             {[]from{{"10.0.0.7", false, n}}, "10.0.0.7"},
		"everything from a private address of IPv6":     {[]from{{"fd00::7", false, n}}, "fd00::7"},
		"everything from an address that forwards":      {[]from{{"198.51.100.7", true, n}}, "198.51.100.7"},
		"a proxy on this machine":                       {[]from{{"127.0.0.1", true, n}}, "127.0.0.1"},
		"more than half":                                {[]from{{"198.51.100.7", true, 60}, {"203.0.113.1", false, 40}}, "198.51.100.7"},
		"more than half, the others first":              {[]from{{"203.0.113.1", false, 40}, {"198.51.100.7", true, 160}}, "198.51.100.7"},
		"a single client that forwards nothing":         {[]from{{"198.51.100.7", false, n}}, ""},
		"half":                                          {[]from{{"198.51.100.7", true, 50}, {"203.0.113.1", false, 50}}, ""},
		"too few to tell":                               {[]from{{"10.0.0.7", true, n - 1}}, ""},
		"a phone at the address of somebody's proxy":    {[]from{{"198.51.100.7", true, 40}, {"198.51.100.7", false, 60}}, ""},
		"trusted ones, and a few others":                {[]from{{"", false, 80}, {"10.0.0.7", true, 20}}, ""},
		"many private addresses, as inside one company": {[]from{{"10.0.0.7", false, 40}, {"10.0.0.8", false, 40}, {"10.0.0.9", false, 40}}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var counts peerCounts
			for _, f := range c.from {
				at, _ := netip.ParseAddr(f.address)
				for range f.requests {
					counts.add(at, f.forwarded)
				}
			}
			at, ok := counts.proxy()
			require.Equal(t, c.want != "", ok)
			if ok {
				require.Equal(t, c.want, at.String())
			}
		})
	}
}

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
		d.Rates = Rates{PerAddress: 1} // requests above the limit count
	})
	warnings := func() []any { return decoded(t, w.admin("/readyz"), 200)["warnings"].([]any) }
	forwards := map[string]string{"X-Forwarded-For": "198.51.100.1"}

	asked(w, "127.0.0.1", 3*peerRequests, nil)
	asked(w, "10.0.0.3", 3*peerRequests, forwards)
	require.Empty(t, warnings(), "one is this machine, the other is trusted")
	require.NotContains(t, log.String(), "WAFT_TRUSTED_PROXIES")

	at = at.Add(peerWindow)
	asked(w, "10.0.0.99", 6*peerRequests, forwards)
	require.Len(t, warnings(), 1)
	require.Contains(t, warnings()[0], "WAFT_TRUSTED_PROXIES")
	require.Contains(t, warnings()[0], "10.0.0.99")
	require.Equal(t, 1, strings.Count(log.String(), "WAFT_TRUSTED_PROXIES seems"), "once a minute: %s", &log)
	require.Equal(t, map[string]any{"status": "ready"}, decoded(t, w.do(request{method: get, path: "/readyz", anonymous: true}), 200))

	// The warning outlasts a quiet time, and goes when requests come from elsewhere.
	at = at.Add(2 * peerWindow)
	asked(w, "10.0.0.99", peerRequests, forwards)
	require.Len(t, warnings(), 1)
	for n := range 2 * peerRequests {
		asked(w, fmt.Sprintf("203.0.113.%d", n), 1, nil)
	}
	require.Empty(t, warnings())
}

func TestNotingAPeerAllocatesNothing(t *testing.T) {
	p := newPeers([]string{"192.0.2.1"}, slog.New(slog.DiscardHandler), time.Now)
	c := &gin.Context{Request: httptest.NewRequest(http.MethodGet, "/", nil)}
	for _, address := range []string{"198.51.100.7:4711", "192.0.2.1:4711", "127.0.0.1:4711"} {
		c.Request.RemoteAddr = address
		require.Zero(t, testing.AllocsPerRun(10*peerRequests, func() { p.note(c) }), address)
	}
}

package limit

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
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

func TestNotingAPeerAllocatesNothing(t *testing.T) {
	p := newPeers([]string{"192.0.2.1"}, slog.New(slog.DiscardHandler), time.Now)
	c := &gin.Context{Request: httptest.NewRequest(http.MethodGet, "/", nil)}
	for _, address := range []string{"198.51.100.7:4711", "192.0.2.1:4711", "127.0.0.1:4711"} {
		c.Request.RemoteAddr = address
		require.Zero(t, testing.AllocsPerRun(10*peerRequests, func() { p.note(c) }), address)
	}
}

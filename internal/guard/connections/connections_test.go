package connections

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// claiming is a listener whose peers have the addresses that they write first, each on a line.
type claiming struct{ net.Listener }

func (l claiming) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	var line strings.Builder
	for one := make([]byte, 1); ; line.Write(one) {
		if _, err := io.ReadFull(c, one); err != nil {
			return nil, err
		}
		if one[0] == '\n' {
			break
		}
	}
	return &claimed{Conn: c, peer: net.TCPAddrFromAddrPort(netip.MustParseAddrPort(line.String()))}, nil
}

// claimed is a connection from an address of the test's choice.
type claimed struct {
	net.Conn
	peer net.Addr

	mu       sync.Mutex
	deadline time.Time
}

func (c *claimed) RemoteAddr() net.Addr { return c.peer }

func (c *claimed) SetReadDeadline(t time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.deadline = t
	return c.Conn.SetReadDeadline(t)
}

// serverIdle is the idle time of the servers in tests.
const serverIdle = 11 * time.Minute

// served is an HTTP server behind a Listener.
type served struct {
	t       *testing.T
	address string
	limits  *Listener
	log     *bytes.Buffer
}

func serve(t *testing.T, perNetwork int, proxies ...netip.Prefix) *served {
	t.Helper()
	inner, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	s := &served{t: t, address: inner.Addr().String(), log: &bytes.Buffer{}}
	s.limits = Limit(claiming{inner}, Options{
		PerNetwork: perNetwork, Proxies: proxies, Log: slog.New(slog.NewTextHandler(s.log, nil)), Metrics: prometheus.NewRegistry(),
	})
	server := &http.Server{
		Handler:     http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.RemoteAddr) }),
		IdleTimeout: serverIdle, ReadHeaderTimeout: time.Minute, ConnState: StateChanged,
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(s.limits) }()
	t.Cleanup(func() {
		require.NoError(t, server.Close())
		require.ErrorIs(t, <-ended, http.ErrServerClosed)
	})
	return s
}

// open connects from the address and reports whether the server answers. The connection stays open.
func (s *served) open(from string) (c net.Conn, answered bool) {
	s.t.Helper()
	c, err := new(net.Dialer).DialContext(s.t.Context(), "tcp", s.address)
	require.NoError(s.t, err)
	s.t.Cleanup(func() { c.Close() })
	fmt.Fprintf(c, "%s\nGET / HTTP/1.1\r\nHost: waft\r\n\r\n", netip.AddrPortFrom(netip.MustParseAddr(from), 4711))
	res, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		return c, false
	}
	defer res.Body.Close()
	require.Equal(s.t, http.StatusOK, res.StatusCode)
	return c, true
}

func TestANetworkHasSoManyConnections(t *testing.T) {
	t.Parallel()
	for name, from := range map[string][3]string{
		"IPv4": {"198.51.100.1", "198.51.100.77", "198.51.101.1"},
		"IPv6": {"2001:db8:7:1::1", "2001:db8:7:ffff::1", "2001:db8:8::1"},
		"6to4": {"198.51.100.1", "2002:c633:644d::1", "2002:c633:6501::1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, 2)
			first, ok := s.open(from[0])
			require.True(t, ok)
			_, ok = s.open(from[1])
			require.True(t, ok)
			for range 3 {
				_, ok = s.open(from[1])
				require.False(t, ok, "the network has two")
			}
			_, ok = s.open(from[2])
			require.True(t, ok, "another network is not concerned")
			require.Equal(t, 3.0, testutil.ToFloat64(s.limits.refused))
			require.Equal(t, 1, strings.Count(s.log.String(), "WAFT_MAX_CONNECTIONS"), "once a minute: %s", s.log)
			require.Contains(t, s.log.String(), models.Network(netip.MustParseAddr(from[0])).String())

			require.NoError(t, first.Close())
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
			defer cancel()
			for ok = false; !ok && ctx.Err() == nil; {
				_, ok = s.open(from[1])
			}
			require.True(t, ok, "a closed connection gives its place back")
			require.Equal(t, int64(3), s.limits.all.Load())
		})
	}
}

func TestLoopbackAndTrustedProxiesHaveNoLimit(t *testing.T) {
	t.Parallel()
	s := serve(t, 1, netip.MustParsePrefix("203.0.113.0/28"), netip.MustParsePrefix("10.0.0.0/8"))
	for range 5 {
		for _, from := range []string{"127.0.0.1", "::1", "203.0.113.3", "10.1.2.3", "::ffff:10.1.2.3"} {
			_, ok := s.open(from)
			require.True(t, ok, from)
		}
	}
	_, ok := s.open("203.0.113.17")
	require.True(t, ok)
	_, ok = s.open("203.0.113.18")
	require.False(t, ok, "it is in the network of the proxies, and none of them")

	free := serve(t, 0)
	for range 5 {
		_, ok := free.open("198.51.100.1")
		require.True(t, ok, "0 is no limit")
	}
}

// A stranger may not hold a connection that it does not use; a balancer must be the first to close its own.
func TestStrangersMayBeIdleForAShorterTime(t *testing.T) {
	t.Parallel()
	for from, most := range map[string]time.Duration{
		"198.51.100.1": strangerIdle, "2001:db8::1": strangerIdle,
		"127.0.0.1": serverIdle, "10.0.0.7": serverIdle, "fd00::7": serverIdle, "203.0.113.3": serverIdle,
	} {
		t.Run(from, func(t *testing.T) {
			t.Parallel()
			inner, other := net.Pipe()
			t.Cleanup(func() { inner.Close(); other.Close() })
			l := Limit(nil, Options{
				PerNetwork: 9, Proxies: []netip.Prefix{netip.MustParsePrefix("203.0.113.3/32")}, Metrics: prometheus.NewRegistry(),
			})
			peer := &claimed{Conn: inner, peer: net.TCPAddrFromAddrPort(netip.AddrPortFrom(netip.MustParseAddr(from), 1))}
			c := l.admit(peer)
			until := func() time.Duration { return time.Until(peer.deadline) }
			StateChanged(c, http.StateActive)
			require.NoError(t, c.SetReadDeadline(time.Now().Add(time.Hour)))
			require.InDelta(t, time.Hour, until(), float64(time.Minute), "a request may take longer")
			StateChanged(c, http.StateIdle)
			require.NoError(t, c.SetReadDeadline(time.Now().Add(serverIdle)))
			require.InDelta(t, most, until(), float64(30*time.Second))
			require.NoError(t, c.SetReadDeadline(time.Time{}))
			require.True(t, peer.deadline.IsZero())
		})
	}
}

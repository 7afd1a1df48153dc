// Package connections bounds how many connections each network may have open to a listener, and how long they
// may be idle.
package connections

import (
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/time/rate"

	"github.com/waft-ota/waft/models"
)

const (
	// strangerIdle is how long a connection from the internet may wait for its next request. Load balancers keep
	// theirs for ten minutes and must be the first to close; they have a private address or are trusted.
	strangerIdle = 2 * time.Minute
	logInterval  = time.Minute
)

// Options configure a Listener.
type Options struct {
	// PerNetwork is how many connections an IPv4 /24 or IPv6 /48 may have open; 0 for no limit. Loopback and the
	// Proxies are exempt.
	PerNetwork int
	Proxies    []netip.Prefix
	Log        *slog.Logger
	Metrics    prometheus.Registerer
}

// Listener accepts connections within the limits. It closes other connections immediately.
type Listener struct {
	net.Listener
	options Options
	refused prometheus.Counter
	logged  rate.Sometimes

	mu   sync.Mutex
	open map[netip.Prefix]int
	all  atomic.Int64
}

// Limit puts limits on a listener.
func Limit(inner net.Listener, o Options) *Listener {
	l := &Listener{
		Listener: inner, options: o, open: map[netip.Prefix]int{}, logged: rate.Sometimes{Interval: logInterval},
		refused: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "waft_connections_refused_total", Help: "Connections closed immediately, because their network had WAFT_MAX_CONNECTIONS open.",
		}),
	}
	o.Metrics.MustRegister(l.refused, prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "waft_connections", Help: "Open connections for everybody.",
	}, func() float64 { return float64(l.all.Load()) }))
	return l
}

// Accept returns the next connection within the limits.
func (l *Listener) Accept() (net.Conn, error) {
	for {
		inner, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if c := l.admit(inner); c != nil {
			return c, nil
		}
		if tcp, ok := inner.(*net.TCPConn); ok {
			_ = tcp.SetLinger(0) // nothing of a refused connection stays in the kernel
		}
		_ = inner.Close() // the client sees that it is closed, and there is nobody else to tell
	}
}

// admit counts a connection, or returns nil when its network has too many.
func (l *Listener) admit(inner net.Conn) *conn {
	peer := peerOf(inner)
	exempt := peer.IsLoopback() || slices.ContainsFunc(l.options.Proxies, func(p netip.Prefix) bool { return p.Contains(peer) })
	c := &conn{Conn: inner, listener: l, stranger: !exempt && !peer.IsPrivate() && !peer.IsLinkLocalUnicast()}
	if !exempt && l.options.PerNetwork > 0 {
		c.network = models.Network(peer)
		c.counted = true
		if !l.take(c.network) {
			l.refused.Inc()
			l.logged.Do(func() {
				l.options.Log.Warn("connections are refused: their network has WAFT_MAX_CONNECTIONS open; logged once a minute",
					"network", c.network.String(), "limit", l.options.PerNetwork)
			})
			return nil
		}
	}
	l.all.Add(1)
	return c
}

func (l *Listener) take(network netip.Prefix) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open[network] >= l.options.PerNetwork {
		return false
	}
	l.open[network]++
	return true
}

func (l *Listener) release(network netip.Prefix) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open[network]--; l.open[network] == 0 {
		delete(l.open, network)
	}
}

// peerOf returns the address of the remote end, or the zero address if it does not have one.
func peerOf(c net.Conn) netip.Addr {
	peer, _ := netip.ParseAddrPort(c.RemoteAddr().String())
	return peer.Addr().Unmap().WithZone("")
}

// StateChanged handles a change of a connection's state. Use it as the ConnState of the http.Server that serves the listener.
func StateChanged(c net.Conn, state http.ConnState) {
	if c, ok := c.(*conn); ok {
		c.idle.Store(state == http.StateIdle)
	}
}

// conn is a connection that was admitted.
type conn struct {
	net.Conn
	listener *Listener
	network  netip.Prefix
	counted  bool // in the network
	stranger bool // its idle time is strangerIdle
	idle     atomic.Bool
	closed   atomic.Bool
}

// SetReadDeadline shortens the wait for the next request. http.Server sets the deadline of an idle connection
// after it has told that it is idle.
func (c *conn) SetReadDeadline(t time.Time) error {
	if c.stranger && c.idle.Load() && !t.IsZero() {
		if soon := time.Now().Add(strangerIdle); t.After(soon) {
			t = soon
		}
	}
	return c.Conn.SetReadDeadline(t)
}

// Close gives the place of the connection back, once.
func (c *conn) Close() error {
	if !c.closed.Swap(true) {
		c.listener.all.Add(-1)
		if c.counted {
			c.listener.release(c.network)
		}
	}
	return c.Conn.Close()
}

// CloseWrite closes the sending side of the connection. http.Server calls it before Close, so that the client can read the response to
// a request that the server did not read to its end.
func (c *conn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

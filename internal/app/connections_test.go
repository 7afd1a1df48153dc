package app

import (
	"io"
	"log/slog"
	"net"
	"net/netip"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/config"
)

// arriving is a listener of the connections that a test puts in.
type arriving chan net.Conn

func (a arriving) Accept() (net.Conn, error) {
	if c, ok := <-a; ok {
		return c, nil
	}
	return nil, net.ErrClosed
}

func (arriving) Close() error   { return nil }
func (arriving) Addr() net.Addr { return &net.TCPAddr{} }

type fromAddress struct {
	net.Conn
	peer net.Addr
}

func (f fromAddress) RemoteAddr() net.Addr { return f.peer }

func TestTheSettingsBoundConnections(t *testing.T) {
	t.Parallel()
	peers := []string{"198.51.100.1", "198.51.100.2", "203.0.113.9", "203.0.113.9", "10.1.2.3", "10.1.2.3", "192.0.2.1"}
	arrivals := make(arriving, len(peers))
	clients := map[int]net.Conn{}
	for i, peer := range peers {
		server, client := net.Pipe()
		t.Cleanup(func() { server.Close(); client.Close() })
		clients[i] = client
		arrivals <- fromAddress{server, net.TCPAddrFromAddrPort(netip.AddrPortFrom(netip.MustParseAddr(peer), 4711))}
	}
	close(arrivals)
	a := &App{
		cfg:      config.Config{MaxConnections: 1, TrustedProxies: []string{"203.0.113.9", "10.0.0.0/8"}},
		listener: arrivals, registry: prometheus.NewRegistry(), log: slog.New(slog.DiscardHandler),
	}
	listener, err := a.limited(a.listener, a.registry)
	require.NoError(t, err)
	var accepted []string
	for {
		c, err := listener.Accept()
		if err != nil {
			require.ErrorIs(t, err, net.ErrClosed)
			break
		}
		peer, err := netip.ParseAddrPort(c.RemoteAddr().String())
		require.NoError(t, err)
		accepted = append(accepted, peer.Addr().String())
	}
	require.Equal(t, []string{"198.51.100.1", "203.0.113.9", "203.0.113.9", "10.1.2.3", "10.1.2.3", "192.0.2.1"}, accepted)
	_, err = clients[1].Read(make([]byte, 1))
	require.ErrorIs(t, err, io.EOF, "it was closed at once")
}

package client_test

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/client"
)

// pipes is the network of a server: connections in memory, until it is closed.
type pipes struct {
	made   chan net.Conn
	closed chan struct{}
	close  func()
}

func (p pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.made:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p pipes) Close() error {
	p.close()
	return nil
}

func (pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 443} }

// deadEnd is a connection that loses all bytes once it is dead, as after a computer slept.
type deadEnd struct {
	net.Conn
	dead *atomic.Bool
}

func (d deadEnd) Write(p []byte) (int, error) {
	if d.dead.Load() {
		return len(p), nil
	}
	return d.Conn.Write(p)
}

func TestAWatchOverHTTP2LeavesADeadConnection(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		closed := make(chan struct{})
		network := pipes{make(chan net.Conn), closed, sync.OnceFunc(func() { close(closed) })}
		var connections atomic.Int32
		server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			if connections.Load() > 1 {
				event(w, "completed")
				return
			}
			event(w, "running")
			<-r.Context().Done()
		}))
		_ = server.Listener.Close()
		server.Listener, server.EnableHTTP2 = network, true
		server.StartTLS()
		defer server.Close()
		var first atomic.Bool
		c, err := client.New("https://example.com", client.Credentials{}, func(made http.RoundTripper) http.RoundTripper {
			transport, ok := made.(*http.Transport)
			require.True(t, ok)
			trusted := server.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
			transport.TLSClientConfig = &tls.Config{RootCAs: trusted, MinVersion: tls.VersionTLS12}
			transport.DialContext = func(context.Context, string, string) (net.Conn, error) {
				here, there := net.Pipe()
				dead := new(atomic.Bool)
				if connections.Add(1) == 1 {
					dead = &first
				}
				network.made <- deadEnd{there, dead}
				return deadEnd{here, dead}, nil
			}
			t.Cleanup(transport.CloseIdleConnections)
			return transport
		})
		require.NoError(t, err)
		ctx, stop := context.WithTimeout(t.Context(), time.Minute) // of the bubble's clock
		defer stop()
		require.NoError(t, c.WatchRollout(ctx, 21, func(e client.RolloutExecution) bool {
			first.Store(true)
			return e.Model().Status.Open()
		}))
		require.Equal(t, int32(2), connections.Load())
	})
}

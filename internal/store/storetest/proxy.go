package storetest

import (
	"context"
	"io"
	"net"
	"net/url"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// Proxy is a proxy between a store and Postgres that can be cut.
type Proxy struct {
	listener net.Listener
	target   string
	mu       sync.Mutex
	conns    []net.Conn
	isCut    bool
}

// StartProxy returns a running proxy and the database's URL through it.
func StartProxy(t *testing.T, databaseURL string) (p *Proxy, proxiedURL string) {
	t.Helper()
	u, err := url.Parse(databaseURL)
	require.NoError(t, err)
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	p = &Proxy{listener: listener, target: u.Host}
	go p.serve()
	t.Cleanup(p.Cut)
	u.Host = listener.Addr().String()
	return p, u.String()
}

func (p *Proxy) serve() {
	for {
		in, err := p.listener.Accept()
		if err != nil {
			return
		}
		out, err := new(net.Dialer).DialContext(context.Background(), "tcp", p.target)
		if err != nil {
			in.Close()
			continue
		}
		p.mu.Lock()
		p.conns = append(p.conns, in, out)
		if p.isCut { // Cut was called while this connection was being made
			in.Close()
			out.Close()
		}
		p.mu.Unlock()
		go pipe(in, out)
		go pipe(out, in)
	}
}

func pipe(to, from net.Conn) {
	_, _ = io.Copy(to, from) // until one of them is closed
	to.Close()
}

// Cut closes all connections and does not accept new ones.
func (p *Proxy) Cut() {
	p.listener.Close()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.isCut = true
	for _, c := range p.conns {
		c.Close()
	}
}

package store_test

import (
	"io"
	"net"
	"net/url"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// proxy stands between a store and Postgres and can be cut.
type proxy struct {
	listener net.Listener
	target   string
	mu       sync.Mutex
	conns    []net.Conn
	isCut    bool
}

// startProxy returns the proxy and the database's URL through it.
func startProxy(t *testing.T, databaseURL string) (p *proxy, proxiedURL string) {
	t.Helper()
	u, err := url.Parse(databaseURL)
	require.NoError(t, err)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	p = &proxy{listener: listener, target: u.Host}
	go p.serve()
	t.Cleanup(p.cut)
	u.Host = listener.Addr().String()
	return p, u.String()
}

func (p *proxy) serve() {
	for {
		in, err := p.listener.Accept()
		if err != nil {
			return
		}
		out, err := net.Dial("tcp", p.target)
		if err != nil {
			in.Close()
			continue
		}
		p.mu.Lock()
		p.conns = append(p.conns, in, out)
		if p.isCut { // meanwhile
			in.Close()
			out.Close()
		}
		p.mu.Unlock()
		go pipe(in, out)
		go pipe(out, in)
	}
}

func pipe(to, from net.Conn) {
	io.Copy(to, from)
	to.Close()
}

// cut ends all connections and takes no new ones.
func (p *proxy) cut() {
	p.listener.Close()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.isCut = true
	for _, c := range p.conns {
		c.Close()
	}
}

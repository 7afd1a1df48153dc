package outbound

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/dns/dnsmessage"
)

// nameServer resolves every name to its current address.
type nameServer struct {
	conn    net.PacketConn
	address atomic.Pointer[[4]byte]
}

func newNameServer(t *testing.T) *nameServer {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	require.NoError(t, err)
	s := &nameServer{conn: conn}
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.serve()
	}()
	t.Cleanup(func() {
		conn.Close()
		<-done
	})
	return s
}

func (s *nameServer) serve() {
	packet := make([]byte, 512)
	for {
		n, from, err := s.conn.ReadFrom(packet)
		if err != nil {
			return
		}
		var question dnsmessage.Message
		if question.Unpack(packet[:n]) != nil || len(question.Questions) != 1 {
			continue
		}
		asked := question.Questions[0]
		answer := dnsmessage.Message{Header: dnsmessage.Header{ID: question.ID, Response: true}, Questions: question.Questions}
		if asked.Type == dnsmessage.TypeA {
			answer.Answers = []dnsmessage.Resource{{
				Header: dnsmessage.ResourceHeader{Name: asked.Name, Type: asked.Type, Class: asked.Class},
				Body:   &dnsmessage.AResource{A: *s.address.Load()},
			}}
		}
		if text, err := answer.Pack(); err == nil {
			_, _ = s.conn.WriteTo(text, from) // the resolver asks again
		}
	}
}

func (s *nameServer) resolver() *net.Resolver {
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "udp", s.conn.LocalAddr().String())
	}}
}

// A name that led to an allowed address leads to a private one next time. The address of the connection is checked, not
// an address that was resolved before, so the private address does not receive anything.
func TestANameThatLeadsElsewhereNextTime(t *testing.T) {
	t.Parallel()
	requests := map[string]*atomic.Int64{"127.0.0.2": {}, "127.0.0.1": {}}
	port := "0"
	for _, address := range []string{"127.0.0.2", "127.0.0.1"} {
		listener, err := net.Listen("tcp", net.JoinHostPort(address, port))
		require.NoError(t, err)
		_, port, err = net.SplitHostPort(listener.Addr().String())
		require.NoError(t, err)
		server := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { requests[address].Add(1) }))
		require.NoError(t, server.Listener.Close())
		server.Listener = listener
		server.Start()
		t.Cleanup(server.Close)
	}
	allowed, err := ParseAllowed([]string{"127.0.0.2"})
	require.NoError(t, err)
	names := newNameServer(t)
	transport := newTransport(newGuard(Targets{Setting: "WAFT_X", Allowed: allowed}), names.resolver(), 10*time.Second)
	transport.DisableKeepAlives = true
	client := http.Client{Transport: transport, CheckRedirect: NoRedirect}
	get := func() error {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://issuer.test:"+port, http.NoBody)
		require.NoError(t, err)
		res, err := client.Do(req)
		if err == nil {
			err = res.Body.Close()
		}
		return err
	}

	names.address.Store(&[4]byte{127, 0, 0, 2})
	require.NoError(t, get())
	for _, private := range [][4]byte{{127, 0, 0, 1}, {10, 0, 0, 1}, {169, 254, 169, 254}} {
		names.address.Store(&private)
		err := get()
		_, refused := Refused(err)
		require.True(t, refused, err)
	}
	require.EqualValues(t, 1, requests["127.0.0.2"].Load())
	require.Zero(t, requests["127.0.0.1"].Load())
}

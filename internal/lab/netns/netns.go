//go:build linux

// Package netns connects a test with processes that have a network of their own, such as the pods and machines that tests start. It needs
// root.
package netns

import (
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"
)

// Dialer opens a connection to the end of a forwarded port.
type Dialer func(context.Context) (net.Conn, error)

// Host returns a Dialer for an address in the network of the test.
func Host(address string) Dialer {
	return func(ctx context.Context) (net.Conn, error) { return new(net.Dialer).DialContext(ctx, "tcp", address) }
}

// Network is the network of a process, by the path of its namespace.
type Network string

// Of returns the network of a running process, whose process ID is pid.
func Of(pid string) Network { return Network("/proc/" + pid + "/ns/net") }

// At returns a Dialer for an address in the network.
func (n Network) At(address string) Dialer {
	return func(ctx context.Context) (net.Conn, error) {
		return within(n, func() (net.Conn, error) { return Host(address)(ctx) })
	}
}

// Forward makes an address in the network lead elsewhere, until the test ends.
func (n Network) Forward(t testing.TB, address string, to Dialer) {
	t.Helper()
	listener, err := within(n, func() (net.Listener, error) { return new(net.ListenConfig).Listen(t.Context(), "tcp", address) })
	if err != nil {
		t.Fatalf("listen at %s: %v", address, err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			from, err := listener.Accept()
			if err != nil {
				return
			}
			go join(t.Context(), from, to)
		}
	}()
}

// join copies both ways between a connection and a new one.
func join(ctx context.Context, from net.Conn, dial Dialer) {
	defer from.Close()
	to, err := dial(ctx)
	if err != nil {
		return
	}
	defer to.Close()
	ended := make(chan struct{}, 2)
	for _, pair := range [][2]net.Conn{{from, to}, {to, from}} {
		go func() {
			_, _ = io.Copy(pair[0], pair[1]) // either side may end at any time
			ended <- struct{}{}
		}()
	}
	<-ended
}

// RoundTrip sends a request to the port of its URL at the loopback address of the network, whatever host the URL names.
func (n Network) RoundTrip(request *http.Request) (*http.Response, error) {
	transport := &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, _, address string) (net.Conn, error) {
		_, port, err := net.SplitHostPort(address)
		if err != nil {
			return nil, err
		}
		return n.At(net.JoinHostPort("127.0.0.1", port))(ctx)
	}}
	return transport.RoundTrip(request)
}

// within runs connect in the network.
func within[T any](n Network, connect func() (T, error)) (result T, err error) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // never unlocked: the thread, which is in another network then, ends with the goroutine
		network, openErr := os.Open(string(n))
		if err = openErr; err != nil {
			return
		}
		defer network.Close()
		if err = unix.Setns(int(network.Fd()), unix.CLONE_NEWNET); err == nil {
			result, err = connect()
		}
	}()
	<-done
	return result, err
}

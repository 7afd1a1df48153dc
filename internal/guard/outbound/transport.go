package outbound

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"syscall"
	"time"
)

const (
	maxHeaders  = 64 << 10
	idleTimeout = 30 * time.Second
)

// NewTransport returns a transport that can reach the internet and the allowed targets only. It uses no proxy, and checks
// each address when it connects, after the name is resolved. timeout bounds a connection's beginning.
func NewTransport(targets Targets, timeout time.Duration) *http.Transport {
	return newTransport(newGuard(targets), net.DefaultResolver, timeout)
}

func newTransport(g guard, names *net.Resolver, timeout time.Duration) *http.Transport {
	check := func(ctx context.Context, _, address string, _ syscall.RawConn) error { return g.check(ctx, address) }
	guarded := &net.Dialer{Timeout: timeout, KeepAlive: timeout, Resolver: names, ControlContext: check}
	return &http.Transport{
		Proxy: nil, DialContext: guarded.DialContext, ForceAttemptHTTP2: true,
		TLSClientConfig:    &tls.Config{MinVersion: tls.VersionTLS12},
		DisableCompression: true, MaxResponseHeaderBytes: maxHeaders,
		IdleConnTimeout: idleTimeout, MaxIdleConns: 100, MaxIdleConnsPerHost: 4,
	}
}

// NoRedirect tells an http.Client not to follow redirects: the client returns the redirect as the response. Use it as CheckRedirect.
func NoRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// BodyLimit is a transport that cuts off the body of a response after Bytes.
type BodyLimit struct {
	Inner http.RoundTripper
	Bytes int64
}

// RoundTrip sends the request.
func (l BodyLimit) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := l.Inner.RoundTrip(r)
	if err == nil {
		answer.Body = struct {
			io.Reader
			io.Closer
		}{io.LimitReader(answer.Body, l.Bytes), answer.Body}
	}
	return answer, err
}

// CloseIdleConnections closes the idle connections of the wrapped transport. http.Client.CloseIdleConnections calls it.
func (l BodyLimit) CloseIdleConnections() {
	if inner, ok := l.Inner.(interface{ CloseIdleConnections() }); ok {
		inner.CloseIdleConnections()
	}
}

package fleet

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"syscall"
	"time"
)

// newHTTPClient makes the client that all devices share: every connection is kept
// for the next device, since thousands of short-lived ones would leave the machine
// without ports.
func newHTTPClient(o Options) *http.Client {
	dialer := &net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}
	if !o.AllowRemote {
		dialer.Control = refuseRemote
	}
	return &http.Client{
		Timeout: o.RequestTimeout,
		Transport: &http.Transport{
			// No proxy: a proxy would answer for addresses that are not loopback.
			DialContext:         dialer.DialContext,
			MaxIdleConns:        o.Connections,
			MaxIdleConnsPerHost: o.Connections,
			IdleConnTimeout:     90 * time.Second,
			TLSHandshakeTimeout: 10 * time.Second,
			ForceAttemptHTTP2:   true,
			ReadBufferSize:      16 << 10,
		},
	}
}

// refuseRemote runs after names are resolved and before each connect, so neither a
// host name, an asset URL nor a redirect leads a fleet to somebody else's server.
func refuseRemote(_, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("cannot tell whether %s is loopback: %w", address, err)
	}
	if !at.Addr().Unmap().IsLoopback() {
		return fmt.Errorf("%s is not on this machine; a fleet talks to other machines only when told to", at.Addr())
	}
	return nil
}

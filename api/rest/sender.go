package rest

import (
	"net/http"
	"net/netip"

	"github.com/gin-gonic/gin"

	"github.com/waft-ota/waft/models"
)

// Sender is where a request comes from: an address, or the /64 of an IPv6 address. A local one is a program on this
// machine that forwards for nobody; it has no limits of an address.
type Sender struct {
	netip.Addr
	Local bool
}

// SenderOf is where the request comes from, as far as trusted proxies say.
func SenderOf(c *gin.Context) Sender {
	at := ClientNetwork(c.ClientIP())
	return Sender{at, at.IsLoopback() && !Forwarded(c.Request)}
}

// ClientNetwork is an IPv4 address itself, or the /64 of an IPv6 address.
func ClientNetwork(ip string) netip.Addr {
	at, err := netip.ParseAddr(ip)
	if err != nil {
		return netip.Addr{}
	}
	if at = at.Unmap().WithZone(""); at.Is4() || at.IsLoopback() {
		return at
	}
	network, _ := at.Prefix(64) // valid for every IPv6 address
	return network.Addr()
}

// Widen is the first address of the network of an address: IPv4 /24, IPv6 /48.
func Widen(at netip.Addr) netip.Addr { return models.Network(at).Addr() }

// proxyHeaders are those by which proxies say that they forward a request.
var proxyHeaders = [...]string{
	"X-Forwarded-For", "Forwarded", "X-Real-Ip", "X-Forwarded-Proto", "X-Forwarded-Host", "Via",
}

// FromThisMachine reports whether the peer has a loopback address and is not a proxy, as far
// as it says.
func FromThisMachine(r *http.Request) bool {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil || !peer.Addr().Unmap().IsLoopback() {
		return false
	}
	return !Forwarded(r)
}

// Forwarded reports whether the peer says that it forwards the request.
func Forwarded(r *http.Request) bool {
	for _, name := range proxyHeaders {
		if len(r.Header[name]) > 0 {
			return true
		}
	}
	return false
}

package api

import (
	"net/http"
	"net/netip"

	"github.com/gin-gonic/gin"

	"github.com/waft-ota/waft/models"
)

// sender is where a request comes from: an address, or the /64 of an IPv6 address. A local one is a program on this
// machine that forwards for nobody; it has no limits of an address.
type sender struct {
	netip.Addr
	local bool
}

func senderOf(c *gin.Context) sender {
	at := clientNetwork(c.ClientIP())
	return sender{at, at.IsLoopback() && !forwarded(c.Request)}
}

// clientNetwork is an IPv4 address itself, or the /64 of an IPv6 address.
func clientNetwork(ip string) netip.Addr {
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

// widen is the first address of the network of an address: IPv4 /24, IPv6 /48.
func widen(at netip.Addr) netip.Addr { return models.Network(at).Addr() }

// proxyHeaders are those by which proxies say that they forward a request.
var proxyHeaders = [...]string{
	"X-Forwarded-For", "Forwarded", "X-Real-Ip", "X-Forwarded-Proto", "X-Forwarded-Host", "Via",
}

// fromThisMachine reports whether the peer has a loopback address and is not a proxy, as far
// as it says.
func fromThisMachine(r *http.Request) bool {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil || !peer.Addr().Unmap().IsLoopback() {
		return false
	}
	return !forwarded(r)
}

// forwarded reports whether the peer says that it forwards the request.
func forwarded(r *http.Request) bool {
	for _, name := range proxyHeaders {
		if len(r.Header[name]) > 0 {
			return true
		}
	}
	return false
}

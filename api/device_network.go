package api

import (
	"net/http"
	"net/netip"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/waft-ota/waft/internal/decide/delivery"
	"github.com/waft-ota/waft/internal/guard/cardinality"
	"github.com/waft-ota/waft/models"
)

// networkOf is the network of a device that the request serves. A device whose requests come
// straight from this machine, such as a simulated one, is a network of its own.
func networkOf(c *gin.Context, s *delivery.Snapshot, identity string) models.NetworkHash {
	if fromThisMachine(c.Request) {
		return s.OwnNetwork(identity)
	}
	from, _ := netip.ParseAddr(c.ClientIP()) // all that have no address are one network
	return s.Network(from, identity)
}

// sourceOf says who brings the names in a request of the device.
func (h *handlers) sourceOf(c *gin.Context, s *delivery.Snapshot, device string) cardinality.Source {
	return cardinality.Source{
		Network: widen(clientNetwork(c.ClientIP())), Trusted: trusted(c, s),
		Served: device != "" && h.KnownDevices.Served(s.Project().ID, strings.ToLower(device)),
	}
}

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

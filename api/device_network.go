package api

import (
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

// trusted reports whether the client has no budget: it is a program on this machine or in a network that the
// project trusts.
func trusted(c *gin.Context, s *delivery.Snapshot) bool {
	if fromThisMachine(c.Request) {
		return true
	}
	from, err := netip.ParseAddr(c.ClientIP())
	return err == nil && s.Trusts(from)
}

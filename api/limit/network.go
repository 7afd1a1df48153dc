package limit

import (
	"net/netip"

	"github.com/gin-gonic/gin"

	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/internal/decide/delivery"
	"github.com/waft-ota/waft/models"
)

// NetworkOf is the network of a device that the request serves. A device whose requests come
// straight from this machine, such as a simulated one, is a network of its own.
func NetworkOf(c *gin.Context, s *delivery.Snapshot, identity string) models.NetworkHash {
	if rest.FromThisMachine(c.Request) {
		return s.OwnNetwork(identity)
	}
	from, _ := netip.ParseAddr(c.ClientIP()) // all that have no address are one network
	return s.Network(from, identity)
}

// Trusted reports whether the client has no budget: it is a program on this machine or in a network that the
// project trusts.
func Trusted(c *gin.Context, s *delivery.Snapshot) bool {
	if rest.FromThisMachine(c.Request) {
		return true
	}
	from, err := netip.ParseAddr(c.ClientIP())
	return err == nil && s.Trusts(from)
}

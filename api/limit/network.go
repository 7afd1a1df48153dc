package limit

import (
	"github.com/gin-gonic/gin"

	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/internal/decide/delivery"
	"github.com/waft-ota/waft/models"
)

// NetworkOf is the network of a device that the request serves. A device whose requests come
// straight from this machine, such as a simulated one, is a network of its own.
func NetworkOf(c *gin.Context, s *delivery.Snapshot, identity string) models.NetworkHash {
	from := rest.SenderOf(c)
	if from.Local {
		return s.OwnNetwork(identity)
	}
	return s.Network(from.IP, identity) // all that have no address are one network
}

// Trusted reports whether the client has no budget: it is a program on this machine or in a network that the
// project trusts.
func Trusted(c *gin.Context, s *delivery.Snapshot) bool {
	from := rest.SenderOf(c)
	return from.Local || from.IP.IsValid() && s.Trusts(from.IP)
}

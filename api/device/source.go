package device

import (
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/waft-ota/waft/api/limit"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/internal/decide/delivery"
	"github.com/waft-ota/waft/internal/guard/cardinality"
)

// sourceOf says who brings the names in a request of the device.
func (h *Handlers) sourceOf(c *gin.Context, s *delivery.Snapshot, device string) cardinality.Source {
	return cardinality.Source{
		Network: rest.SenderOf(c).Network, Trusted: limit.Trusted(c, s),
		Served: device != "" && h.KnownDevices.Served(s.Project().ID, strings.ToLower(device)),
	}
}

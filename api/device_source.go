package api

import (
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/waft-ota/waft/internal/decide/delivery"
	"github.com/waft-ota/waft/internal/guard/cardinality"
)

// sourceOf says who brings the names in a request of the device.
func (h *DeviceHandlers) sourceOf(c *gin.Context, s *delivery.Snapshot, device string) cardinality.Source {
	return cardinality.Source{
		Network: widen(clientNetwork(c.ClientIP())), Trusted: trusted(c, s),
		Served: device != "" && h.KnownDevices.Served(s.Project().ID, strings.ToLower(device)),
	}
}

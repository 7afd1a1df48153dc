package device

import (
	"github.com/gin-gonic/gin"

	"github.com/waft-ota/waft/internal/decide/delivery"
	"github.com/waft-ota/waft/models"
)

// limitLaunch applies the rate limits to a download that is recorded as an exposure, and
// records requests above them.
func (h *Handlers) limitLaunch(c *gin.Context, s *delivery.Snapshot, md5 string) error {
	if _, ok := launchedBy(s, c.Request, md5); !ok {
		return nil
	}
	err := h.Limits.Requests.Check(c)
	if err != nil {
		h.noteRefused(c, s, refusedRequest(c.Request, models.RefusedRateLimited))
	}
	return err
}

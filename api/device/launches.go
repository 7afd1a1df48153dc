package device

import (
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/waft-ota/waft/api/limit"
	"github.com/waft-ota/waft/internal/decide/delivery"
	"github.com/waft-ota/waft/internal/decide/reports"
	"github.com/waft-ota/waft/models"
)

// headerRequestedUpdate names the update for which a file is downloaded.
const headerRequestedUpdate = "Expo-Requested-Update-Id"

// launch is the download of a release's launch asset by a device that names itself. Such downloads are rate limited
// and recorded. The zero value stands for the download of any other file.
type launch struct {
	device limit.Device
	// updateUUID is the release's update ID in lower case.
	updateUUID string
}

// launchOf returns the launch for a request for the file with the MD5.
func (h *Handlers) launchOf(c *gin.Context, s *delivery.Snapshot, md5 string) launch {
	r := c.Request
	device := h.Limits.Device(c, s, r.Header.Get("Eas-Client-Id"))
	updateUUID := strings.ToLower(r.Header.Get(headerRequestedUpdate))
	if device.ID == "" || len(device.ID) > reports.MaxDeviceID || r.Method != http.MethodGet || !s.Launches(updateUUID, md5) {
		return launch{}
	}
	return launch{device, updateUUID}
}

// limitLaunch applies the rate limits to a launch, and records requests above them.
func (h *Handlers) limitLaunch(c *gin.Context, l *launch) error {
	if l.updateUUID == "" {
		return nil
	}
	err := h.Limits.Requests.Check(c)
	if err != nil {
		h.noteUnread(c, l.device.Project, models.RefusedRateLimited)
	}
	return err
}

// noteLaunch records that a device downloaded the launch asset of a release, as a file or as a patch.
func (h *Handlers) noteLaunch(c *gin.Context, l *launch, kind models.ExposureKind) {
	if l.updateUUID == "" {
		return
	}
	header := c.Request.Header
	h.noteExposure(&l.device, models.Exposure{
		Platform: models.Platform(readable(header.Get("Expo-Platform"))), RuntimeVersion: readable(header.Get("Expo-Runtime-Version")),
		UpdateUUID: l.updateUUID, Kind: kind,
	})
}

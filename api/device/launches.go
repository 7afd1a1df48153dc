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

// noteFile records that a device downloaded the launch asset of a release, as a file or as
// a patch.
func (h *Handlers) noteFile(c *gin.Context, s *delivery.Snapshot, md5 string, kind models.ExposureKind) {
	r := c.Request
	device, ok := launchedBy(s, r, md5)
	if !ok || !h.Limits.NewDevices.AdmitExposure(c, s, device) {
		return
	}
	updateUUID, _ := s.CanonicalUpdate(strings.ToLower(r.Header.Get(headerRequestedUpdate)))
	identity := s.DeviceIdentity(device)
	e := models.Exposure{
		ProjectID: s.Project().ID, DeviceID: identity, Platform: models.Platform(readable(r.Header.Get("Expo-Platform"))),
		RuntimeVersion: readable(r.Header.Get("Expo-Runtime-Version")), UpdateUUID: updateUUID, Kind: kind,
		ShareBucket: s.ShareBucket(device, updateUUID),
	}
	if h.recent.add(&e) {
		e.Network = limit.NetworkOf(c, s, identity)
		h.Exposures.Served(e)
		h.KnownDevices.AddServed(e.ProjectID, device)
	}
}

// headerRequestedUpdate names the update that a file is downloaded for.
const headerRequestedUpdate = "Expo-Requested-Update-Id"

// launchedBy returns the device, in lower case, that downloads the launch asset of a release. ok is
// false for other files, and for clients that do not name themselves or the update.
func launchedBy(s *delivery.Snapshot, r *http.Request, md5 string) (device string, ok bool) {
	device = strings.ToLower(r.Header.Get("Eas-Client-Id"))
	requested := strings.ToLower(r.Header.Get(headerRequestedUpdate))
	return device, device != "" && len(device) <= reports.MaxDeviceID && r.Method == http.MethodGet &&
		s.Launches(requested, md5)
}

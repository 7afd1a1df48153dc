package device

import (
	"cmp"
	"errors"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gin-gonic/gin"

	"github.com/waft-ota/waft/api/limit"
	"github.com/waft-ota/waft/internal/decide/delivery"
	"github.com/waft-ota/waft/internal/guard/cardinality"
	"github.com/waft-ota/waft/models"
)

// RefusedCounter counts refused requests, to reveal mistakes in an app's settings. Its methods neither wait nor fail.
type RefusedCounter interface {
	// Refused counts a manifest request that did not get an update.
	Refused(r models.RefusedRequest, from cardinality.Source)
	// Limited counts a health report above the rate limit.
	Limited(r models.LimitedReport)
}

// noteRefused records that a request of the device did not get a release.
func (h *Handlers) noteRefused(device *limit.Device, r models.RefusedRequest) {
	r.ProjectID, r.DeviceID = device.ProjectID(), device.Identity()
	h.RefusedCounter.Refused(r, device.Source())
}

// noteUnread records that a request was refused before it was read.
func (h *Handlers) noteUnread(c *gin.Context, s *delivery.Snapshot, reason models.RefusalReason) {
	r := refusedRequest(c.Request, reason)
	device := h.Limits.Device(c, s, r.DeviceID)
	h.noteRefused(&device, r)
}

// refusedRequest returns the record of a refused request, from its headers.
func refusedRequest(r *http.Request, reason models.RefusalReason) models.RefusedRequest {
	header := func(names ...string) string {
		for _, name := range names {
			if value := r.Header.Get(name); value != "" {
				return value
			}
		}
		return ""
	}
	channel := cmp.Or(header("Client-Channel-Name", "Expo-Channel-Name"), r.URL.Query().Get("channel"))
	return models.RefusedRequest{
		Reason: reason, Channel: readable(channel), Platform: readable(header("Client-Platform", "Expo-Platform")),
		RuntimeVersion: readable(header("Client-Runtime-Version", "Expo-Runtime-Version")),
		DeviceID:       readable(header("Client-Device-Id", "Expo-Device-Id", "Eas-Client-Id")),
	}
}

// missingHeaders are the reasons for missing headers; the first one counts.
var missingHeaders = []struct {
	field  string
	reason models.RefusalReason
}{
	{"client-channel-name", models.RefusedMissingChannel},
	{"client-platform", models.RefusedMissingPlatform},
	{"client-runtime-version", models.RefusedMissingRuntimeVersion},
}

// malformedReason returns the reason why a malformed manifest request is refused.
func malformedReason(err error) models.RefusalReason {
	var e *models.Error
	if errors.As(err, &e) {
		for _, m := range missingHeaders {
			if slices.ContainsFunc(e.Fields, func(f models.FieldError) bool {
				return f.Field == m.field && strings.HasPrefix(f.Message, "is missing")
			}) {
				return m.reason
			}
		}
	}
	return models.RefusedBadRequest
}

// maxRefusedText is the maximum length in bytes of strings from refused requests.
const maxRefusedText = 128

// readable returns text if it is short and printable, otherwise "".
func readable(text string) string {
	control := func(r rune) bool { return r < 0x20 || r == 0x7f }
	if len(text) > maxRefusedText || !utf8.ValidString(text) || strings.ContainsFunc(text, control) {
		return ""
	}
	return text
}

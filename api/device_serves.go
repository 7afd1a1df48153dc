package api

import (
	"net/http"
	"strings"

	"github.com/waft-ota/waft/internal/delivery"
	"github.com/waft-ota/waft/internal/reports"
	"github.com/waft-ota/waft/models"
)

// Serves notes what devices were served. A decision on a rollout counts only
// devices that were.
type Serves interface {
	// Served neither waits nor fails.
	Served(s models.Exposure)
}

// serveBook writes down what the answers to devices mean for telemetry.
type serveBook struct {
	serves Serves
	noted  *notedExposures
}

// manifest notes the answer to a device that asked for its update, and what the
// device says that it failed on. answered is false when the answer was an error
// instead of what was decided.
func (b serveBook) manifest(s *delivery.Snapshot, r *delivery.Request, d *delivery.Decision, answered bool) {
	if r.DeviceID == "" {
		return // nobody can tell later that it was this one
	}
	if kind := d.ExposureKind(); kind != "" && answered {
		b.note(s, r, d.UpdateUUID, kind)
	}
	for _, failed := range r.RecentFailed {
		b.note(s, r, failed, models.ExposureFailure)
	}
}

// note leaves out what is no release of the project: a device may say anything.
func (b serveBook) note(s *delivery.Snapshot, r *delivery.Request, updateUUID string, kind models.ExposureKind) {
	updateUUID, ok := s.CanonicalUpdate(updateUUID)
	if !ok {
		return
	}
	device, bucket := s.DeviceIdentity(r.DeviceID, updateUUID)
	serve := models.Exposure{
		ProjectID: s.Project().ID, DeviceID: device, Platform: r.Platform, Channel: r.Channel,
		RuntimeVersion: r.RuntimeVersion, UpdateUUID: updateUUID, Kind: kind, ShareBucket: bucket,
	}
	if kind == models.ExposureFailure || b.noted.add(&serve) {
		b.serves.Served(serve)
	}
}

// file notes that a device downloaded the launch asset of a release, as a whole or
// as a patch. Other files tell nothing more, and a client that does not name itself
// or the update tells nobody anything.
func (b serveBook) file(s *delivery.Snapshot, r *http.Request, md5 string, kind models.ExposureKind) {
	device := strings.ToLower(r.Header.Get("Eas-Client-Id"))
	requested := strings.ToLower(r.Header.Get("Expo-Requested-Update-Id"))
	if device == "" || len(device) > reports.MaxDeviceID || r.Method != http.MethodGet || !s.Launches(requested, md5) {
		return
	}
	updateUUID, _ := s.CanonicalUpdate(requested)
	device, bucket := s.DeviceIdentity(device, updateUUID)
	b.serves.Served(models.Exposure{
		ProjectID: s.Project().ID, DeviceID: device, Platform: models.Platform(r.Header.Get("Expo-Platform")),
		RuntimeVersion: r.Header.Get("Expo-Runtime-Version"), UpdateUUID: updateUUID, Kind: kind, ShareBucket: bucket,
	})
}

package device

import (
	"hash/maphash"
	"strings"
	"sync"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/waft-ota/waft/api/limit"
	"github.com/waft-ota/waft/internal/base/cache"
	"github.com/waft-ota/waft/internal/decide/delivery"
	"github.com/waft-ota/waft/models"
)

// Exposures records what devices were served. Rollouts count only devices with an
// exposure.
type Exposures interface {
	// Served neither waits nor fails.
	Served(e models.Exposure)
}

// noteManifest records the answer to a manifest request, and the updates that the device
// says it failed on. answered is false when the answer was an error.
func (h *Handlers) noteManifest(
	c *gin.Context, s *delivery.Snapshot, r *delivery.Request, d *delivery.Decision, answered bool,
) {
	if r.DeviceID == "" {
		return // without an id the device cannot be found again
	}
	if kind := d.ExposureKind(); kind != "" && answered {
		h.noteExposure(c, s, r, d.UpdateUUID, kind)
	}
	for _, failed := range r.RecentFailed {
		h.noteExposure(c, s, r, failed, models.ExposureFailure)
	}
}

// noteExposure ignores updates that are not releases of the project, because a device may
// send any id.
func (h *Handlers) noteExposure(
	c *gin.Context, s *delivery.Snapshot, r *delivery.Request, updateUUID string, kind models.ExposureKind,
) {
	updateUUID, ok := s.CanonicalUpdate(updateUUID)
	if !ok {
		return
	}
	device := s.DeviceIdentity(r.DeviceID)
	e := models.Exposure{
		ProjectID: s.Project().ID, DeviceID: device, Platform: r.Platform, Channel: r.Channel,
		RuntimeVersion: r.RuntimeVersion, UpdateUUID: updateUUID, Kind: kind, ShareBucket: s.ShareBucket(r.DeviceID, updateUUID),
	}
	switch {
	case kind == models.ExposureFailure:
		h.Exposures.Served(e)
	case h.recent.add(&e):
		e.Network = limit.NetworkOf(c, s, device)
		h.Exposures.Served(e)
		h.KnownDevices.AddServed(e.ProjectID, strings.ToLower(r.DeviceID))
	}
}

const (
	// exposuresRemembered bounds the memory of recentExposures.
	exposuresRemembered = 1 << 20
	exposureTime        = time.Hour
)

// recentExposures remembers exposures, so that a device that checks often is recorded
// once. It forgets an exposure within 2 × exposureTime, since one that was lost must be
// recorded again. It keeps a hash of 64 bits of each; about one device in 10^13 has the
// hash of another exposure and is not recorded.
type recentExposures struct {
	seed maphash.Seed
	now  func() time.Time

	mu   sync.Mutex
	sums *cache.Generations[uint64, struct{}]
}

func newRecentExposures(now func() time.Time) *recentExposures {
	return &recentExposures{
		seed: maphash.MakeSeed(), now: now, sums: cache.New[uint64, struct{}](exposuresRemembered/2, exposureTime),
	}
}

// add reports whether the exposure is new.
func (r *recentExposures) add(e *models.Exposure) bool {
	var hash maphash.Hash
	hash.SetSeed(r.seed)
	for _, part := range [...]string{e.DeviceID, e.UpdateUUID, string(e.Kind), e.Channel, e.RuntimeVersion, string(e.Platform)} {
		_, _ = hash.WriteString(part) // it never fails
		_ = hash.WriteByte(0)
	}
	sum, now := hash.Sum64(), r.now()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sums.Expire(now)
	_, known := r.sums.Peek(sum) // an exposure is not remembered for longer because the device asks again
	if !known {
		r.sums.Put(sum, struct{}{})
	}
	return !known
}

// forget makes every exposure new.
func (r *recentExposures) forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sums.Clear()
}

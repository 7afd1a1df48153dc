package device

import (
	"hash/maphash"
	"sync"
	"time"

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

// noteManifest records what a manifest request was served, and the updates that the device says it failed on.
func (h *Handlers) noteManifest(device *limit.Device, r *delivery.Request, response *delivery.Response) {
	if response.Exposure == "" && len(r.RecentFailed) == 0 {
		return
	}
	// Without an id the device cannot be found again.
	if device.ID == "" {
		return
	}
	e := models.Exposure{Platform: r.Platform, Channel: r.Channel, RuntimeVersion: r.RuntimeVersion}
	if response.Exposure != "" {
		e.UpdateUUID, e.Kind = response.UpdateUUID, response.Exposure
		h.noteExposure(device, e)
	}
	for _, failed := range r.RecentFailed {
		e.UpdateUUID, e.Kind = failed, models.ExposureFailure
		h.noteExposure(device, e)
	}
}

// noteExposure records the exposure of a device to an update. It ignores updates that are not releases of the project, because a
// device may send any id, what was recorded recently, except failures, and what exceeds the network's budget of new devices. It
// looks for what was recorded recently first, because that is most of what devices ask, and the budget costs more.
func (h *Handlers) noteExposure(device *limit.Device, e models.Exposure) {
	var ok bool
	if e.UpdateUUID, ok = device.Project.CanonicalUpdate(e.UpdateUUID); !ok {
		return
	}
	e.ProjectID, e.DeviceID = device.ProjectID(), device.Identity()
	served := e.Kind != models.ExposureFailure
	if served && h.recent.has(&e) || !device.AdmitExposure() || served && !h.recent.add(&e) {
		return
	}
	e.ShareBucket = device.Project.ShareBucket(device.ID, e.UpdateUUID)
	if served {
		e.Network, e.Allocation = device.Network(), device.Allocation()
		device.NoteServed()
	}
	h.Exposures.Served(e)
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

// has reports whether the exposure is remembered.
func (r *recentExposures) has(e *models.Exposure) bool {
	sum, now := r.sum(e), r.now()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sums.Expire(now)
	_, known := r.sums.Peek(sum) // an exposure is not remembered for longer because the device asks again
	return known
}

// add remembers the exposure, and reports whether it is new.
func (r *recentExposures) add(e *models.Exposure) bool {
	sum, now := r.sum(e), r.now()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sums.Expire(now)
	_, known := r.sums.Peek(sum)
	if !known {
		r.sums.Put(sum, struct{}{})
	}
	return !known
}

func (r *recentExposures) sum(e *models.Exposure) uint64 {
	var hash maphash.Hash
	hash.SetSeed(r.seed)
	for _, part := range [...]string{e.DeviceID, e.UpdateUUID, string(e.Kind), e.Channel, e.RuntimeVersion, string(e.Platform)} {
		_, _ = hash.WriteString(part) // it never fails
		_ = hash.WriteByte(0)
	}
	return hash.Sum64()
}

// forget makes every exposure new.
func (r *recentExposures) forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sums.Clear()
}

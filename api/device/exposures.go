package device

import (
	"encoding/binary"
	"hash/maphash"
	"sync"
	"time"

	"github.com/waft-ota/waft/api/limit"
	"github.com/waft-ota/waft/internal/base/cache"
	"github.com/waft-ota/waft/internal/decide/delivery"
	"github.com/waft-ota/waft/models"
)

// Exposures records the releases that devices were served. Rollouts count only devices with an exposure.
type Exposures interface {
	// Served neither waits nor fails.
	Served(e models.Exposure)
}

// noteManifest records the response to a manifest request, and the updates that failed according to the device.
func (h *Handlers) noteManifest(device *limit.Device, r *delivery.Request, response *delivery.Response) {
	if response.Exposure == "" && len(r.RecentFailed) == 0 {
		return
	}
	// Without an ID, the device cannot be found again.
	if device.ID == "" {
		return
	}
	e := models.Exposure{Platform: r.Platform, Channel: r.Channel, RuntimeVersion: r.RuntimeVersion}
	if response.Exposure != "" {
		e.UpdateUUID, e.Kind, e.OfferChange = response.UpdateUUID, response.Exposure, response.OfferChange
		h.noteExposure(device, e)
		e.OfferChange = 0
	}
	for _, failed := range r.RecentFailed {
		e.UpdateUUID, e.Kind = failed, models.ExposureFailure
		h.noteExposure(device, e)
	}
}

// noteExposure records the exposure of a device to an update. It ignores updates that are not releases of the
// project, because a device may send any ID. Except for failures, it also ignores exposures that were recorded
// recently and new devices above the network's budget. It checks the recent exposures first, because they include
// most requests and the budget costs more.
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
	// exposuresRemembered limits the memory of recentExposures.
	exposuresRemembered = 1 << 20
	exposureTime        = time.Hour
)

// recentExposures remembers exposures, so that a device that checks often is recorded once. It forgets an exposure
// within 2 × exposureTime, because a lost exposure must be recorded again. It keeps a 64-bit hash of each exposure.
// About one device in 10^13 has the hash of another exposure and is not recorded.
//
// The hash includes OfferChange, because a device can return to a release that it had before, for example when a newer
// one is disabled. Another process may have served the newer release, so the memory of one process cannot show that.
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
	_, known := r.sums.Peek(sum) // Peek, so that repeated requests do not extend the time for which an exposure is remembered
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
		_, _ = hash.WriteString(part) // never fails
		_ = hash.WriteByte(0)
	}
	var change [8]byte
	binary.LittleEndian.PutUint64(change[:], uint64(e.OfferChange))
	_, _ = hash.Write(change[:])
	return hash.Sum64()
}

// forget forgets all exposures, so that each is new again.
func (r *recentExposures) forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sums.Clear()
}

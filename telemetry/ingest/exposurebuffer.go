package ingest

import (
	"hash/maphash"
	"sync"
	"sync/atomic"
	"time"

	"github.com/waft-ota/waft/models"
)

// exposureShards is how many locks the exposures are spread over, so that API requests do
// not wait for each other.
const exposureShards = 16

// exposureKey is what one row stands for.
type exposureKey struct {
	projectID  int64
	deviceID   string
	updateUUID string
	kind       models.ExposureKind
}

// keptExposure is the rest of an exposure. Together with the time in nanoseconds it stays
// small enough for a map to hold without an allocation of its own.
type keptExposure struct {
	platform       models.Platform
	channel        string
	runtimeVersion string
	servedAt       int64
	shareBucket    *uint32
}

// exposureBuffer gathers exposures in memory until the log takes them. It waits for nobody,
// and drops what exceeds its bound.
type exposureBuffer struct {
	now  func() time.Time
	seed maphash.Seed
	// arrived holds a wake-up once there is something to take.
	arrived chan struct{}
	held    atomic.Bool
	closed  atomic.Bool
	dropped func(n int)
	shards  [exposureShards]exposureShard
}

// exposureShard holds its exposures in one of two maps in turn, whose memory is kept.
type exposureShard struct {
	mu      sync.Mutex
	bound   int
	waiting map[exposureKey]keptExposure
	// taken is empty but while take reads it, which alone touches it.
	taken map[exposureKey]keptExposure
	_     [32]byte // keeps the locks of neighbours off one cache line
}

func newExposureBuffer(bound int, now func() time.Time) *exposureBuffer {
	b := &exposureBuffer{now: now, seed: maphash.MakeSeed(), arrived: make(chan struct{}, 1), dropped: func(int) {}}
	for i := range b.shards {
		b.shards[i].bound = max(1, bound/exposureShards)
		b.shards[i].waiting, b.shards[i].taken = map[exposureKey]keptExposure{}, map[exposureKey]keptExposure{}
	}
	return b
}

// add notes an exposure; the first of equal ones stays, with its time.
func (b *exposureBuffer) add(s models.Exposure) {
	if s.ServedAt.IsZero() {
		s.ServedAt = b.now()
	}
	if b.closed.Load() || !b.keep(&s) {
		b.dropped(1)
		return
	}
	if !b.held.Load() && b.held.CompareAndSwap(false, true) {
		wake(b.arrived)
	}
}

// keep is false when there is no room.
func (b *exposureBuffer) keep(exposure *models.Exposure) bool {
	s := &b.shards[maphash.String(b.seed, exposure.DeviceID)%exposureShards]
	key := exposureKey{exposure.ProjectID, exposure.DeviceID, exposure.UpdateUUID, exposure.Kind}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.waiting[key]; ok {
		return true
	}
	if len(s.waiting) >= s.bound {
		return false
	}
	s.waiting[key] = keptExposure{exposure.Platform, exposure.Channel, exposure.RuntimeVersion, exposure.ServedAt.UnixNano(), exposure.ShareBucket}
	return true
}

// take returns everything gathered so far and begins anew. Only one goroutine may call
// it.
func (b *exposureBuffer) take() []models.Exposure {
	if !b.held.Swap(false) {
		return nil
	}
	var all []models.Exposure
	for i := range b.shards {
		all = b.shards[i].take(all)
	}
	return all
}

func (s *exposureShard) take(all []models.Exposure) []models.Exposure {
	s.mu.Lock()
	s.waiting, s.taken = s.taken, s.waiting
	s.mu.Unlock()
	for key, kept := range s.taken {
		all = append(all, models.Exposure{
			ProjectID: key.projectID, DeviceID: key.deviceID, Platform: kept.platform, Channel: kept.channel,
			RuntimeVersion: kept.runtimeVersion, UpdateUUID: key.updateUUID, Kind: key.kind,
			ServedAt: time.Unix(0, kept.servedAt).UTC(), ShareBucket: kept.shareBucket,
		})
	}
	clear(s.taken)
	return all
}

// giveBack puts exposures back that the log could not take, to be tried again.
func (b *exposureBuffer) giveBack(exposures []models.Exposure) {
	if len(exposures) == 0 {
		return
	}
	for i := range exposures {
		if !b.keep(&exposures[i]) {
			b.dropped(1)
		}
	}
	b.held.Store(true)
	wake(b.arrived)
}

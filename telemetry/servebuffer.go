package telemetry

import (
	"hash/maphash"
	"sync"
	"sync/atomic"
	"time"

	"github.com/waft-ota/waft/models"
)

// serveShards is how many locks the serves are spread over, so that API requests do
// not wait for each other.
const serveShards = 16

// serveKey is what one row stands for.
type serveKey struct {
	projectID  int64
	deviceID   string
	updateUUID string
	kind       models.ServeKind
}

// keptServe is the rest of a serve. Together with the time in nanoseconds it stays
// small enough for a map to hold without an allocation of its own.
type keptServe struct {
	platform       models.Platform
	channel        string
	runtimeVersion string
	servedAt       int64
	shareBucket    *uint32
}

// serveBuffer gathers serves in memory until the log takes them. It waits for nobody,
// and drops what exceeds its bound.
type serveBuffer struct {
	now  func() time.Time
	seed maphash.Seed
	// arrived holds a wake-up once there is something to take.
	arrived chan struct{}
	held    atomic.Bool
	closed  atomic.Bool
	dropped func(n int)
	shards  [serveShards]serveShard
}

// serveShard holds its serves in one of two maps in turn, whose memory is kept.
type serveShard struct {
	mu      sync.Mutex
	bound   int
	waiting map[serveKey]keptServe
	// taken is empty but while take reads it, which alone touches it.
	taken map[serveKey]keptServe
	_     [32]byte // keeps the locks of neighbours off one cache line
}

func newServeBuffer(bound int, now func() time.Time) *serveBuffer {
	b := &serveBuffer{now: now, seed: maphash.MakeSeed(), arrived: make(chan struct{}, 1), dropped: func(int) {}}
	for i := range b.shards {
		b.shards[i].bound = max(1, bound/serveShards)
		b.shards[i].waiting, b.shards[i].taken = map[serveKey]keptServe{}, map[serveKey]keptServe{}
	}
	return b
}

// add notes a serve; the first of equal ones stays, with its time.
func (b *serveBuffer) add(s models.Serve) {
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
func (b *serveBuffer) keep(serve *models.Serve) bool {
	s := &b.shards[maphash.String(b.seed, serve.DeviceID)%serveShards]
	key := serveKey{serve.ProjectID, serve.DeviceID, serve.UpdateUUID, serve.Kind}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.waiting[key]; ok {
		return true
	}
	if len(s.waiting) >= s.bound {
		return false
	}
	s.waiting[key] = keptServe{serve.Platform, serve.Channel, serve.RuntimeVersion, serve.ServedAt.UnixNano(), serve.ShareBucket}
	return true
}

// take returns everything gathered so far and begins anew. Only one goroutine may call
// it.
func (b *serveBuffer) take() []models.Serve {
	if !b.held.Swap(false) {
		return nil
	}
	var all []models.Serve
	for i := range b.shards {
		all = b.shards[i].take(all)
	}
	return all
}

func (s *serveShard) take(all []models.Serve) []models.Serve {
	s.mu.Lock()
	s.waiting, s.taken = s.taken, s.waiting
	s.mu.Unlock()
	for key, kept := range s.taken {
		all = append(all, models.Serve{
			ProjectID: key.projectID, DeviceID: key.deviceID, Platform: kept.platform, Channel: kept.channel,
			RuntimeVersion: kept.runtimeVersion, UpdateUUID: key.updateUUID, Kind: key.kind,
			ServedAt: time.Unix(0, kept.servedAt).UTC(), ShareBucket: kept.shareBucket,
		})
	}
	clear(s.taken)
	return all
}

// giveBack puts serves back that the log could not take, to be tried again.
func (b *serveBuffer) giveBack(serves []models.Serve) {
	if len(serves) == 0 {
		return
	}
	for i := range serves {
		if !b.keep(&serves[i]) {
			b.dropped(1)
		}
	}
	b.held.Store(true)
	wake(b.arrived)
}

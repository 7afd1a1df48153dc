package telemetry

import (
	"errors"
	"fmt"
	"hash/maphash"
	"os"
	"path/filepath"
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

// serveBuffer gathers serves until the log takes them. It waits for nobody, and forgets
// what goes over its bound.
type serveBuffer struct {
	now  func() time.Time
	seed maphash.Seed
	// arrived holds a wake-up once there is something to take.
	arrived chan struct{}
	held    atomic.Bool
	closed  atomic.Bool
	dropped func(n int)
	// unsaved is told of serves that would not survive a kill.
	unsaved func(n int)
	shards  [serveShards]serveShard
}

// serveShard holds its serves in one of two batches in turn, whose memory and files are
// kept.
type serveShard struct {
	mu      sync.Mutex
	bound   int
	waiting serveBatch
	// taken is what the log is being given. It is touched by the taker alone.
	taken serveBatch
	_     [32]byte // keeps the locks of neighbours off one cache line
}

// serveBatch is serves and where they survive a kill.
type serveBatch struct {
	serves map[serveKey]keptServe
	file   serveFile
}

func newServeBuffer(bound int, now func() time.Time) *serveBuffer {
	b := &serveBuffer{now: now, seed: maphash.MakeSeed(), arrived: make(chan struct{}, 1), dropped: func(int) {}, unsaved: func(int) {}}
	for i := range b.shards {
		b.shards[i].bound = max(1, bound/serveShards)
		b.shards[i].waiting.serves, b.shards[i].taken.serves = map[serveKey]keptServe{}, map[serveKey]keptServe{}
	}
	return b
}

// open makes what waits survive a kill, in files in dir, which is made anew.
func (b *serveBuffer) open(dir string) error {
	if err := os.RemoveAll(dir); err != nil {
		return fmt.Errorf("remove the files of serves: %w", err)
	}
	if err := makeDir(dir); err != nil {
		return err
	}
	for i := range b.shards {
		for k, batch := range []*serveBatch{&b.shards[i].waiting, &b.shards[i].taken} {
			file, err := openServeFile(filepath.Join(dir, fmt.Sprintf("%02d-%d", i, k)))
			if err != nil {
				return errors.Join(fmt.Errorf("open the files of serves: %w", err), b.close())
			}
			batch.file = file
		}
	}
	return nil
}

// close ends the keeping. What the log did not take stays for the next start.
func (b *serveBuffer) close() error {
	var errs []error
	for i := range b.shards {
		s := &b.shards[i]
		s.mu.Lock()
		errs = append(errs, s.waiting.file.close(), s.taken.file.close())
		s.mu.Unlock()
	}
	return errors.Join(errs...)
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
	if _, ok := s.waiting.serves[key]; ok {
		return true
	}
	if len(s.waiting.serves) >= s.bound {
		return false
	}
	kept := keptServe{serve.Platform, serve.Channel, serve.RuntimeVersion, serve.ServedAt.UnixNano(), serve.ShareBucket}
	s.waiting.serves[key] = kept
	if !s.waiting.file.add(&key, &kept) {
		b.unsaved(1)
	}
	return true
}

// take returns everything gathered so far, which stays on disk until settle or
// giveBack. Only one goroutine may call the three.
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
	for key, kept := range s.taken.serves {
		all = append(all, models.Serve{
			ProjectID: key.projectID, DeviceID: key.deviceID, Platform: kept.platform, Channel: kept.channel,
			RuntimeVersion: kept.runtimeVersion, UpdateUUID: key.updateUUID, Kind: key.kind,
			ServedAt: time.Unix(0, kept.servedAt).UTC(), ShareBucket: kept.shareBucket,
		})
	}
	clear(s.taken.serves)
	return all
}

// settle forgets what was taken, which the log has by now. The error is why some of it
// would not have survived a kill until then.
func (b *serveBuffer) settle() error {
	var errs []error
	for i := range b.shards {
		errs = append(errs, b.shards[i].taken.file.empty())
	}
	return errors.Join(errs...)
}

// giveBack puts serves back that the log could not take, to be tried again.
func (b *serveBuffer) giveBack(serves []models.Serve) error {
	for i := range serves {
		if !b.keep(&serves[i]) {
			b.dropped(1)
		}
	}
	b.held.Store(true)
	wake(b.arrived)
	return b.settle()
}

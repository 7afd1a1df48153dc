package ingest

import (
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/waft-ota/waft/models"
)

// exposuresPerEntry is the maximum number of exposures in an entry of the log, because entries are read whole.
const exposuresPerEntry = 1000

// Served records that a device was served a release. It does not block. The exposure is written to the log with the next
// reports, or alone after ExposureInterval. It is inserted exactly once, before every report that this process accepts
// later. Equal exposures that wait at the same time are merged.
//
// Until it is in the log, an exposure is only in memory, so the end of the process loses at most the exposures of one
// ExposureInterval. A device whose exposure was lost does not count in decisions until it is served again. Exposures are
// therefore logged and not sent directly to ClickHouse, because an outage of ClickHouse would lose minutes of them.
func (l *Log) Served(e models.Exposure) { l.exposures.add(e) }

// addExposures inserts the waiting exposures at the front of the group. It returns them so that the caller can give
// them back if the group fails.
func (l *Log) addExposures(g *commitGroup) []models.Exposure {
	if !l.intake.takesExposures() {
		wake(l.exposures.arrived) // the exposures wait and are tried again
		return nil
	}
	exposures := l.exposures.take()
	var entries [][]byte
	for some := range slices.Chunk(exposures, exposuresPerEntry) {
		entry, err := encodeEntry(logEntry{exposures: some})
		if err != nil {
			l.options.Log.Error("ingest log: exposures could not be encoded and are lost",
				slog.Int("exposures", len(some)), slog.Any("error", err))
			l.exposures.dropped(len(some))
			continue
		}
		entries = append(entries, entry)
	}
	l.intake.addExposures(g, entries, len(exposures))
	g.failed = g.failed || slices.ContainsFunc(exposures, func(e models.Exposure) bool { return e.Kind == models.ExposureFailure })
	return exposures
}

// exposureKey identifies equal exposures.
type exposureKey struct {
	projectID  int64
	deviceID   string
	updateUUID string
	kind       models.ExposureKind
	change     int64 // OfferChange
}

// keptExposure contains the other fields of an exposure. With the time in nanoseconds it is small enough to be stored
// in a map without an allocation.
type keptExposure struct {
	platform       models.Platform
	channel        string
	runtimeVersion string
	servedAt       int64
	shareBucket    *uint32
	network        models.NetworkHash
	allocation     models.AllocationHash
}

// exposureBuffer holds exposures in memory until they are written to the log. It drops exposures above its maximum
// size.
type exposureBuffer struct {
	bound int
	now   func() time.Time
	// arrived holds a wake-up if exposures are waiting.
	arrived chan struct{}
	dropped func(n int)

	mu      sync.Mutex
	closed  bool
	waiting map[exposureKey]keptExposure
	// taken is the other of two maps, which take swaps and reuses. Only take uses it.
	taken map[exposureKey]keptExposure
}

func newExposureBuffer(bound int, now func() time.Time) *exposureBuffer {
	return &exposureBuffer{
		bound: bound, now: now, arrived: make(chan struct{}, 1), dropped: func(int) {},
		waiting: map[exposureKey]keptExposure{}, taken: map[exposureKey]keptExposure{},
	}
}

// add stores an exposure. If an equal exposure is waiting, add keeps the first.
func (b *exposureBuffer) add(e models.Exposure) {
	if e.ServedAt.IsZero() {
		e.ServedAt = b.now()
	}
	b.mu.Lock()
	kept := !b.closed && b.keep(&e)
	b.mu.Unlock()
	if !kept {
		b.dropped(1)
	}
}

// keep stores an exposure and returns false if the buffer is full. The caller holds the lock.
func (b *exposureBuffer) keep(e *models.Exposure) bool {
	key := exposureKey{e.ProjectID, e.DeviceID, e.UpdateUUID, e.Kind, e.OfferChange}
	if _, ok := b.waiting[key]; ok {
		return true
	}
	if len(b.waiting) >= b.bound {
		return false
	}
	if len(b.waiting) == 0 {
		wake(b.arrived)
	}
	b.waiting[key] = keptExposure{
		e.Platform, e.Channel, e.RuntimeVersion, e.ServedAt.UnixNano(), e.ShareBucket, e.Network, e.Allocation,
	}
	return true
}

// take removes and returns all exposures. Only one goroutine may call it.
func (b *exposureBuffer) take() []models.Exposure {
	b.mu.Lock()
	b.waiting, b.taken = b.taken, b.waiting
	b.mu.Unlock()
	all := make([]models.Exposure, 0, len(b.taken))
	for key, kept := range b.taken {
		all = append(all, models.Exposure{
			ProjectID: key.projectID, DeviceID: key.deviceID, Platform: kept.platform, Channel: kept.channel,
			RuntimeVersion: kept.runtimeVersion, UpdateUUID: key.updateUUID, Kind: key.kind, OfferChange: key.change,
			ServedAt: time.Unix(0, kept.servedAt).UTC(), ShareBucket: kept.shareBucket, Network: kept.network, Allocation: kept.allocation,
		})
	}
	clear(b.taken)
	return all
}

// giveBack stores exposures again after they could not be written to the log.
func (b *exposureBuffer) giveBack(exposures []models.Exposure) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for i := range exposures {
		if !b.keep(&exposures[i]) {
			b.dropped(1)
		}
	}
}

// close makes add drop further exposures.
func (b *exposureBuffer) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
}

package ingest

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/waft-ota/waft/models"
)

const (
	// refusedInterval is how long refused are gathered.
	refusedInterval = 2 * time.Second
	// refusedKinds is how many kinds of refused of a project a process tells apart in
	// a day; those beyond it count as refusedOther, whatever somebody asks for.
	refusedKinds = 200
	refusedOther = "(other)"
	// insertTimeout bounds one attempt to insert.
	insertTimeout = 5 * time.Second
	// refusedDevices is how many devices are told apart while gathering; requests of
	// others are counted all the same.
	refusedDevices = 50_000
)

// RefusedSink is where a RefusedCounter moves refused to; ClickHouse is one. An
// insert repeated with the same token and refused must store nothing twice.
type RefusedSink interface {
	InsertRefused(ctx context.Context, token string, refused []models.RefusedRequests) error
	InsertLimited(ctx context.Context, token string, limited []models.LimitedReports) error
}

// refusedKind is what refused are told apart by.
type refusedKind struct {
	projectID                                 int64
	reason                                    models.RefusalReason
	channel, platform, runtimeVersion, device string
}

func (k refusedKind) of(device string) refusedKind { k.device = device; return k }

// RefusedCounter adds up requests that got nothing, in bounded memory, and moves the
// sums to a sink now and then, with the devices whose reports were refused. What a crash
// finds in it is lost: a device that gets nothing asks again.
type RefusedCounter struct {
	limitedNotes

	sink RefusedSink
	log  *slog.Logger
	now  func() time.Time
	node string

	mu sync.Mutex
	// known are today's kinds, without devices, by project.
	known map[int64]map[refusedKind]bool
	day   int64
	// counts are of kinds with devices.
	counts map[refusedKind]refusedCount
}

// refusedCount is how many requests there were, and when the last was.
type refusedCount struct {
	requests int64
	last     time.Time
}

// NewRefusedCounter makes a counter that Run moves on.
func NewRefusedCounter(sink RefusedSink, log *slog.Logger, now func() time.Time) *RefusedCounter {
	c := &RefusedCounter{sink: sink, log: log, now: now, node: uuid.NewString(), known: map[int64]map[refusedKind]bool{}}
	c.limitedNotes.now = now
	c.take()
	return c
}

// Refused counts a request. It does not wait.
func (c *RefusedCounter) Refused(r models.RefusedRequest) {
	now := c.now()
	day := now.Unix() / (24 * 60 * 60)
	c.mu.Lock()
	defer c.mu.Unlock()
	if day != c.day {
		c.day = day
		clear(c.known)
	}
	kind := c.kind(r)
	device := r.DeviceID
	if _, known := c.counts[kind.of(device)]; !known && len(c.counts) >= refusedDevices {
		device = ""
	}
	kind = kind.of(device)
	c.counts[kind] = refusedCount{c.counts[kind].requests + 1, now}
}

// kind is what the request counts as.
func (c *RefusedCounter) kind(r models.RefusedRequest) refusedKind {
	kind := refusedKind{
		projectID: r.ProjectID, reason: r.Reason, channel: r.Channel, platform: r.Platform, runtimeVersion: r.RuntimeVersion,
	}
	known := c.known[r.ProjectID]
	switch {
	case known[kind]:
	case len(known) >= refusedKinds:
		kind.channel, kind.platform, kind.runtimeVersion = refusedOther, "", ""
	case known == nil:
		c.known[r.ProjectID] = map[refusedKind]bool{kind: true}
	default:
		known[kind] = true
	}
	return kind
}

// take returns what was counted and begins anew.
func (c *RefusedCounter) take() map[refusedKind]refusedCount {
	c.mu.Lock()
	defer c.mu.Unlock()
	taken := c.counts
	c.counts = map[refusedKind]refusedCount{}
	return taken
}

// Run moves what was counted to the sink until ctx ends, and then a last time. What
// cannot be inserted is tried again, under the same token, before anything else.
func (c *RefusedCounter) Run(ctx context.Context) error {
	tick := time.NewTicker(refusedInterval)
	defer tick.Stop()
	var waiting refused
	for n := 0; ; {
		ended := false
		select {
		case <-ctx.Done():
			ended = true
		case <-tick.C:
		}
		if waiting.none() {
			n++
			waiting = refused{c.rows(), c.limitedNotes.take()}
		}
		inserting, cancel := context.WithTimeout(context.WithoutCancel(ctx), insertTimeout)
		if err := c.move(inserting, fmt.Sprintf("%s/%d", c.node, n), &waiting); err != nil {
			c.log.Warn("what was refused could not be stored yet", slog.Any("error", err),
				slog.Int("kinds", len(waiting.requests)), slog.Int("limited_devices", len(waiting.limited)))
		}
		cancel()
		if ended {
			return nil
		}
	}
}

// refused are what waits for the sink.
type refused struct {
	requests []models.RefusedRequests
	limited  []models.LimitedReports
}

func (r refused) none() bool { return len(r.requests) == 0 && len(r.limited) == 0 }

// move inserts what waits, and takes away what was inserted. Neither waits for the other:
// decisions ask for the devices, requests may have no table while an upgrade runs.
func (c *RefusedCounter) move(ctx context.Context, token string, waiting *refused) error {
	var failed []error
	if len(waiting.requests) > 0 {
		if err := c.sink.InsertRefused(ctx, token, waiting.requests); err != nil {
			failed = append(failed, err)
		} else {
			waiting.requests = nil
		}
	}
	if len(waiting.limited) > 0 {
		if err := c.sink.InsertLimited(ctx, token, waiting.limited); err != nil {
			failed = append(failed, err)
		} else {
			waiting.limited = nil
		}
	}
	return errors.Join(failed...)
}

func (c *RefusedCounter) rows() []models.RefusedRequests {
	taken := c.take()
	rows := make([]models.RefusedRequests, 0, len(taken))
	for kind, count := range taken {
		rows = append(rows, models.RefusedRequests{
			RefusedRequest: models.RefusedRequest{
				ProjectID: kind.projectID, Reason: kind.reason, Channel: kind.channel, Platform: kind.platform,
				RuntimeVersion: kind.runtimeVersion, DeviceID: kind.device,
			},
			Requests: count.requests, At: count.last,
		})
	}
	return rows
}

package telemetry

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
	// refusalInterval is how long refusals are gathered.
	refusalInterval = 2 * time.Second
	// refusalKinds is how many kinds of refusals of a project a process tells apart in
	// a day; those beyond it count as refusalOther, whatever somebody asks for.
	refusalKinds = 200
	refusalOther = "(other)"
	// refusalDevices is how many devices are told apart while gathering; requests of
	// others are counted all the same.
	refusalDevices = 50_000
)

// RefusalSink is where a RefusalCounter moves refusals to; ClickHouse is one. An
// insert repeated with the same token and refusals must store nothing twice.
type RefusalSink interface {
	InsertRefusals(ctx context.Context, token string, refusals []models.RefusedRequests) error
	InsertLimited(ctx context.Context, token string, limited []models.LimitedReports) error
}

// refusalKind is what refusals are told apart by.
type refusalKind struct {
	projectID                                 int64
	reason                                    models.RefusalReason
	channel, platform, runtimeVersion, device string
}

func (k refusalKind) of(device string) refusalKind { k.device = device; return k }

// RefusalCounter adds up requests that got nothing, in bounded memory, and moves the
// sums to a sink now and then, with the devices whose reports were refused. What a crash
// finds in it is lost: a device that gets nothing asks again.
type RefusalCounter struct {
	limitedNotes

	sink RefusalSink
	log  *slog.Logger
	now  func() time.Time
	node string

	mu sync.Mutex
	// known are today's kinds, without devices, by project.
	known map[int64]map[refusalKind]bool
	day   int64
	// counts are of kinds with devices.
	counts map[refusalKind]refusalCount
}

// refusalCount is how many requests there were, and when the last was.
type refusalCount struct {
	requests int64
	last     time.Time
}

// NewRefusalCounter makes a counter that Run moves on.
func NewRefusalCounter(sink RefusalSink, log *slog.Logger, now func() time.Time) *RefusalCounter {
	c := &RefusalCounter{sink: sink, log: log, now: now, node: uuid.NewString(), known: map[int64]map[refusalKind]bool{}}
	c.limitedNotes.now = now
	c.take()
	return c
}

// Refused counts a request. It does not wait.
func (c *RefusalCounter) Refused(r models.RefusedRequest) {
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
	if _, known := c.counts[kind.of(device)]; !known && len(c.counts) >= refusalDevices {
		device = ""
	}
	kind = kind.of(device)
	c.counts[kind] = refusalCount{c.counts[kind].requests + 1, now}
}

// kind is what the request counts as.
func (c *RefusalCounter) kind(r models.RefusedRequest) refusalKind {
	kind := refusalKind{
		projectID: r.ProjectID, reason: r.Reason, channel: r.Channel, platform: r.Platform, runtimeVersion: r.RuntimeVersion,
	}
	known := c.known[r.ProjectID]
	switch {
	case known[kind]:
	case len(known) >= refusalKinds:
		kind.channel, kind.platform, kind.runtimeVersion = refusalOther, "", ""
	case known == nil:
		c.known[r.ProjectID] = map[refusalKind]bool{kind: true}
	default:
		known[kind] = true
	}
	return kind
}

// take returns what was counted and begins anew.
func (c *RefusalCounter) take() map[refusalKind]refusalCount {
	c.mu.Lock()
	defer c.mu.Unlock()
	taken := c.counts
	c.counts = map[refusalKind]refusalCount{}
	return taken
}

// Run moves what was counted to the sink until ctx ends, and then a last time. What
// cannot be inserted is tried again, under the same token, before anything else.
func (c *RefusalCounter) Run(ctx context.Context) error {
	tick := time.NewTicker(refusalInterval)
	defer tick.Stop()
	var waiting refusals
	for n := 0; ; {
		ended := false
		select {
		case <-ctx.Done():
			ended = true
		case <-tick.C:
		}
		if waiting.none() {
			n++
			waiting = refusals{c.rows(), c.limitedNotes.take()}
		}
		inserting, cancel := context.WithTimeout(context.WithoutCancel(ctx), dialTimeout)
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

// refusals are what waits for the sink.
type refusals struct {
	requests []models.RefusedRequests
	limited  []models.LimitedReports
}

func (r refusals) none() bool { return len(r.requests) == 0 && len(r.limited) == 0 }

// move inserts what waits, and takes away what was inserted. Neither waits for the other:
// decisions ask for the devices, requests may have no table while an upgrade runs.
func (c *RefusalCounter) move(ctx context.Context, token string, waiting *refusals) error {
	var failed []error
	if len(waiting.requests) > 0 {
		if err := c.sink.InsertRefusals(ctx, token, waiting.requests); err != nil {
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

func (c *RefusalCounter) rows() []models.RefusedRequests {
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

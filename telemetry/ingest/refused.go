package ingest

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"log/slog"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/waft-ota/waft/internal/base/every"
	"github.com/waft-ota/waft/internal/guard/cardinality"
	"github.com/waft-ota/waft/models"
)

const (
	// refusedInterval is the interval at which counts are inserted.
	refusedInterval = 2 * time.Second
	// refusedKinds is how many kinds of refused requests a process counts separately per project and day. Kinds above
	// this maximum, or above a network's maximum, count as refusedOther.
	refusedKinds = 200
	refusedOther = "(other)"
	// insertTimeout is the time limit for one insert attempt.
	insertTimeout = 5 * time.Second
	// refusedDevices is the maximum number of distinct devices per interval. Requests of further devices are counted
	// without a device.
	refusedDevices = 50_000
	// limitedInterval is the period in which each pair of device and release is recorded once. limitedDevices is the
	// maximum number of pairs per period.
	limitedInterval = time.Minute
	limitedDevices  = 2000
)

// RefusedSink is the destination of a RefusedCounter's inserts, such as ClickHouse. An insert that is repeated with
// the same token and rows must be stored only once.
type RefusedSink interface {
	InsertRefused(ctx context.Context, token string, refused []models.RefusedRequests) error
	InsertLimited(ctx context.Context, token string, limited []models.LimitedReports) error
}

// RefusedCounter counts refused requests in limited memory. Every refusedInterval it inserts the sums, and the
// devices whose reports exceeded the rate limit. A crash loses the counts in memory. This is harmless, because such
// devices repeat their requests.
type RefusedCounter struct {
	sink RefusedSink
	log  *slog.Logger
	now  func() time.Time
	node string

	seed maphash.Seed

	mu sync.Mutex
	// kinds are today's requests without devices, by project.
	kinds map[int64]*cardinality.Names
	day   int64
	// counts are the numbers of requests, with devices.
	counts map[models.RefusedRequest]refusedCount
	// noted are the devices above the rate limit in the period that began at began. limited are the devices that are
	// not inserted yet.
	noted   map[models.LimitedReport]bool
	began   time.Time
	limited []models.LimitedReports
}

// refusedCount is the number of requests and the time of the last.
type refusedCount struct {
	requests int64
	last     time.Time
}

// NewRefusedCounter returns a counter. Its Run method inserts the counts.
func NewRefusedCounter(sink RefusedSink, log *slog.Logger, now func() time.Time) *RefusedCounter {
	return &RefusedCounter{
		sink: sink, log: log, now: now, node: uuid.NewString(), seed: maphash.MakeSeed(), kinds: map[int64]*cardinality.Names{},
		counts: map[models.RefusedRequest]refusedCount{},
	}
}

// Refused counts a request. It does not block.
func (c *RefusedCounter) Refused(r models.RefusedRequest, from cardinality.Source) {
	now := c.now()
	day := now.Unix() / (24 * 60 * 60)
	c.mu.Lock()
	defer c.mu.Unlock()
	if day != c.day {
		c.day = day
		clear(c.kinds)
	}
	kind := c.kind(r, from, now)
	kind.DeviceID = r.DeviceID
	if _, known := c.counts[kind]; !known && len(c.counts) >= refusedDevices {
		kind.DeviceID = ""
	}
	c.counts[kind] = refusedCount{c.counts[kind].requests + 1, now}
}

// kind returns the request without its device. Above the project's maximum of kinds it also removes the channel,
// platform and runtime version.
func (c *RefusedCounter) kind(r models.RefusedRequest, from cardinality.Source, now time.Time) models.RefusedRequest {
	r.DeviceID = ""
	kinds := c.kinds[r.ProjectID]
	if kinds == nil {
		kinds = cardinality.New(refusedKinds)
		c.kinds[r.ProjectID] = kinds
	}
	if !kinds.Admit(0, maphash.Comparable(c.seed, r), from, now) {
		r.Channel, r.Platform, r.RuntimeVersion = refusedOther, "", ""
	}
	return r
}

// Limited records a device whose report exceeded the rate limit, up to a maximum number. It does not block.
func (c *RefusedCounter) Limited(r models.LimitedReport) {
	now := c.now()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.noted == nil || now.Sub(c.began) >= limitedInterval {
		c.noted, c.began = map[models.LimitedReport]bool{}, now
	}
	if !c.noted[r] && len(c.noted) < limitedDevices {
		c.noted[r] = true
		c.limited = append(c.limited, models.LimitedReports{LimitedReport: r, At: now})
	}
}

// refused contains the rows of one token.
type refused struct {
	requests []models.RefusedRequests
	limited  []models.LimitedReports
}

// take removes and returns the counts.
func (c *RefusedCounter) take() (taken refused) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for request, count := range c.counts {
		taken.requests = append(taken.requests, models.RefusedRequests{RefusedRequest: request, Requests: count.requests, At: count.last})
	}
	c.counts = map[models.RefusedRequest]refusedCount{}
	taken.limited, c.limited = c.limited, nil
	return taken
}

// Run inserts the counts until ctx ends, and then a last time. Rows that could not be inserted are retried under the
// same token before later rows.
func (c *RefusedCounter) Run(ctx context.Context) error {
	var waiting refused
	n := 0
	return every.RunLast(ctx, refusedInterval, insertTimeout, func(ctx context.Context) {
		if len(waiting.requests) == 0 && len(waiting.limited) == 0 {
			n++
			waiting = c.take()
		}
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), insertTimeout) // the end of Run does not interrupt an insert
		defer cancel()
		if err := c.insert(ctx, fmt.Sprintf("%s/%d", c.node, n), &waiting); err != nil {
			c.log.Warn("refused requests could not be inserted yet", slog.Any("error", err),
				slog.Int("requests", len(waiting.requests)), slog.Int("limited_devices", len(waiting.limited)))
		}
	})
}

// insert inserts waiting and removes the inserted rows from it. A failure of one insert does not prevent the other:
// decisions read the devices, and during an upgrade the table of requests may not exist yet.
func (c *RefusedCounter) insert(ctx context.Context, token string, waiting *refused) error {
	var requests, limited error
	if len(waiting.requests) > 0 {
		if requests = c.sink.InsertRefused(ctx, token, waiting.requests); requests == nil {
			waiting.requests = nil
		}
	}
	if len(waiting.limited) > 0 {
		if limited = c.sink.InsertLimited(ctx, token, waiting.limited); limited == nil {
			waiting.limited = nil
		}
	}
	return errors.Join(requests, limited)
}

package telemetry

import (
	"context"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"
	"golang.org/x/sync/errgroup"
)

// eventsKept is how far back no event is gone yet, with some room for a query that
// takes its time.
const eventsKept = 30*24*time.Hour - time.Hour

// flagStates are the states of flags behind an answer.
type flagStates struct {
	States uint64    `ch:"states"`
	Oldest time.Time `ch:"oldest"`
}

// countable reports whether there are few enough to be counted, and all of their events
// still there.
func (s flagStates) countable(most uint64, now time.Time) bool {
	return s.States <= most && !s.Oldest.Before(now.Add(-eventsKept))
}

// selectFlags answers a question about flags by sketches, or exactly where that is
// cheap. How much there is to count is asked beside the sketches, since most of what
// that costs is to be asked.
func selectFlags[T any](
	ctx context.Context, c *ClickHouse, projectID int64, what string, sketches, exact projectQuery, now time.Time, args []driver.NamedValue,
) ([]T, error) {
	var behind []flagStates
	var rows []T
	g, asking := errgroup.WithContext(ctx)
	g.Go(func() error { return c.selectOf(asking, projectID, what, &behind, sqlFlagStates, args...) })
	g.Go(func() error { return c.selectOf(asking, projectID, what, &rows, sketches, args...) })
	if err := g.Wait(); err != nil {
		return nil, err
	}
	if len(rows) == 0 || len(behind) == 0 || !behind[0].countable(c.exactRows, now) {
		return rows, nil
	}
	rows = nil
	err := c.selectOf(ctx, projectID, what, &rows, exact, args...)
	return rows, err
}

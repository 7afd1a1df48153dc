package telemetry

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"

	"github.com/waft-ota/waft/internal/base/keyed"
	"github.com/waft-ota/waft/models"
)

const (
	// interactivePerProject is the number of interactive queries that a project may run at the same time.
	// interactiveTogether is the number for all projects together. A page of the dashboard sends up to four queries.
	interactivePerProject = 4
	interactiveTogether   = 16
	// interactiveConns is the number of connections: one per query, and one for pings.
	interactiveConns = interactiveTogether + 1
	// turnTime is the maximum time that a query waits for its turn. turnRetry is the time after which a query that
	// waited too long may be retried.
	turnTime  = 5 * time.Second
	turnRetry = 2 * time.Second
	// interactiveTime is the maximum duration of a query.
	interactiveTime = 30 * time.Second
	// interactiveMemory is the maximum memory of a query in ClickHouse, in bytes.
	interactiveMemory = 1 << 30
)

// interactiveSettings let ClickHouse end the query of a client that has disconnected. Over HTTP it does so only for
// queries that cannot change data, which readonly declares. The value 2 allows queries to have settings.
var interactiveSettings = clickhouse.Settings{
	"readonly": 2, "cancel_http_readonly_queries_on_client_close": 1, "max_memory_usage": interactiveMemory,
}

// Interactive returns a ClickHouse for the queries that callers of the API wait for. It has connections of its own,
// so inserts and the queries for rollout decisions always find a free connection in c, however many and costly the
// interactive queries are. A query waits for one of its project's four turns, and fails with a models rate_limited
// error after five seconds. It may take 30 seconds and 1 GiB. If ClickHouse hangs, the query fails with a
// models.Unavailable error after a few seconds. Close closes the connections.
func (c *ClickHouse) Interactive() (*ClickHouse, error) {
	return open(c.url, c.cluster, keyed.NewTurns[int64](interactivePerProject, interactiveTogether))
}

// turn waits until a query of the project may run, and returns the context of the query. done ends the turn.
func (db *database) turn(ctx context.Context, projectID int64) (running context.Context, done func(), err error) {
	if db.turns == nil {
		return ctx, func() {}, nil
	}
	watched, unwatch := db.pulse.watch(ctx)
	waiting, cancel := context.WithTimeout(watched, turnTime)
	defer cancel()
	end, err := db.turns.Take(waiting, projectID)
	if err != nil {
		defer unwatch()
		return nil, nil, turnError(watched)
	}
	running, stop := context.WithTimeout(watched, interactiveTime)
	return running, func() { stop(); end(); unwatch() }, nil
}

// turnError returns the error of a query that did not get its turn. ctx is the context of the query.
func turnError(ctx context.Context) error {
	if ctx.Err() != nil {
		return queryError("wait for a turn", context.Cause(ctx))
	}
	return &models.Error{
		Code: models.CodeRateLimited, RetryAfter: turnRetry,
		Message: "too many telemetry queries of this or other projects are running; try again in a moment",
	}
}

// timeoutExceeded and memoryLimitExceeded are the exceptions with which ClickHouse ends a query at its limits.
const (
	timeoutExceeded     = 159
	memoryLimitExceeded = 241
)

// costlyError returns the error of an interactive query that reached its limits or that ended because ClickHouse hangs, and
// err for any other query.
func costlyError(running context.Context, err error) error {
	if errors.Is(context.Cause(running), errSilent) {
		return queryError("wait for a response", errSilent)
	}
	var ended *clickhouse.Exception
	met := errors.As(err, &ended) && (ended.Code == timeoutExceeded || ended.Code == memoryLimitExceeded)
	if !met && !errors.Is(running.Err(), context.DeadlineExceeded) {
		return err
	}
	return &models.Error{
		Code: models.CodeUnavailable, RetryAfter: turnRetry, Cause: err,
		Message: fmt.Sprintf("the query was stopped because it needs more than %d seconds or %d MiB in ClickHouse; "+
			"request less, such as an earlier page or fewer text filters", int(interactiveTime.Seconds()), interactiveMemory>>20),
	}
}

// counted returns the number that a query counts. It returns nil if ClickHouse ended the query because it took longer
// than the query's settings allow.
func counted(
	ctx context.Context, db *database, projectID int64, what string, query projectQuery, args ...driver.NamedValue,
) (*int64, error) {
	rows, err := selectOf[struct {
		Records uint64 `ch:"records"`
	}](ctx, db, projectID, what, query, args...)
	var ended *clickhouse.Exception
	if errors.As(err, &ended) && ended.Code == timeoutExceeded && ctx.Err() == nil {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return new(int64(rows[0].Records)), nil
}

package telemetry

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"

	"github.com/waft-ota/waft/internal/base/keyed"
	"github.com/waft-ota/waft/models"
)

const (
	// interactivePerProject is how many interactive queries of a project run at the same time, interactiveTogether how many of all
	// projects. A page of the dashboard asks for up to four.
	interactivePerProject = 4
	interactiveTogether   = 16
	// turnTime is how long a query waits until it may run, turnRetry when one that waited too long may be tried again.
	turnTime  = 5 * time.Second
	turnRetry = 2 * time.Second
	// interactiveTime bounds one query.
	interactiveTime = 30 * time.Second
	// interactiveMemory bounds what one query takes of ClickHouse's memory, in bytes.
	interactiveMemory = 1 << 30
)

// interactiveSettings let ClickHouse end the query of a client that has disconnected. Over HTTP it does so only for queries that may
// change nothing, which is what readonly says; 2 permits that queries have settings.
var interactiveSettings = clickhouse.Settings{
	"readonly": 2, "cancel_http_readonly_queries_on_client_close": 1, "max_memory_usage": interactiveMemory,
}

// Interactive returns a ClickHouse for the queries that callers of the API wait for, with connections of its own: however many and
// however costly they are, inserts and the queries by which rollouts are judged find a connection free in c. A query waits for one of
// its project's four turns and fails with a models rate_limited error after five seconds; it has 30 seconds and 1 GiB. Close closes it.
func (c *ClickHouse) Interactive() (*ClickHouse, error) {
	return open(c.url, c.cluster, keyed.NewTurns[int64](interactivePerProject, interactiveTogether))
}

// turn returns when a query of the project may run, with the context of the query. done ends the turn.
func (db *database) turn(ctx context.Context, projectID int64) (running context.Context, done func(), err error) {
	if db.turns == nil {
		return ctx, func() {}, nil
	}
	waiting, cancel := context.WithTimeout(ctx, turnTime)
	defer cancel()
	end, err := db.turns.Take(waiting, projectID)
	if err != nil {
		return nil, nil, turnError(ctx)
	}
	running, stop := context.WithTimeout(ctx, interactiveTime)
	return running, func() { stop(); end() }, nil
}

// turnError is the error of a query that did not get its turn.
func turnError(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return queryError("wait for a turn", err)
	}
	return &models.Error{
		Code: models.CodeRateLimited, RetryAfter: turnRetry,
		Message: "too many queries of this project's telemetry, or of others, run at the same time; ask again in a moment",
	}
}

// timeoutExceeded and memoryLimitExceeded are the exceptions with which ClickHouse ends a query at its bounds.
const (
	timeoutExceeded     = 159
	memoryLimitExceeded = 241
)

// costlyError returns the error of an interactive query that has met its bounds, and err for any other query.
func costlyError(running context.Context, err error) error {
	var ended *clickhouse.Exception
	met := errors.As(err, &ended) && (ended.Code == timeoutExceeded || ended.Code == memoryLimitExceeded)
	if !met && !errors.Is(running.Err(), context.DeadlineExceeded) {
		return err
	}
	return &models.Error{
		Code: models.CodeUnavailable, RetryAfter: turnRetry, Cause: err,
		Message: fmt.Sprintf("the query needs more than %d seconds or %d MiB in ClickHouse and was given up; "+
			"ask for less, such as an earlier page or fewer filters by text", int(interactiveTime.Seconds()), interactiveMemory>>20),
	}
}

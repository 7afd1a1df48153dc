package telemetry

import (
	"context"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/base/keyed"
	"github.com/waft-ota/waft/models"
)

func responds(context.Context) error { return nil }

// hangs returns when ctx ends, as a ping does to a ClickHouse that accepts connections and does not respond.
func hangs(ctx context.Context) error {
	<-ctx.Done()
	return ctx.Err()
}

// A query is not stopped while it waits for a ClickHouse that responds, even with an error. While ClickHouse hangs, queries
// with and without a turn end as unavailable.
func TestAQueryEndsWhileClickHouseHangs(t *testing.T) {
	t.Parallel()
	for name, ping := range map[string]func(context.Context) error{
		"responds": responds, "refuses": func(context.Context) error { return &clickhouse.Exception{Code: 202} },
	} {
		synctest.Test(t, func(t *testing.T) {
			db := &database{turns: keyed.NewTurns[int64](1, 1), pulse: pulse{ping: ping}}
			running, done, err := db.turn(t.Context(), 7)
			require.NoError(t, err)
			defer done()
			<-running.Done()
			require.ErrorIs(t, running.Err(), context.DeadlineExceeded, name)
			require.ErrorContains(t, costlyError(running, running.Err()), "more than 30 seconds", name)
		})
	}
	synctest.Test(t, func(t *testing.T) {
		db := &database{turns: keyed.NewTurns[int64](1, 1), pulse: pulse{ping: hangs}}
		running, done, err := db.turn(t.Context(), 7)
		require.NoError(t, err)
		defer done()
		_, _, err = db.turn(t.Context(), 7)
		requireUnavailable(t, err)
		<-running.Done()
		requireUnavailable(t, costlyError(running, queryError("read", running.Err())))
	})
}

// The queries to a ClickHouse that accepts connections and does not respond fail as unavailable, even if they are more than
// have a turn.
func TestManyQueriesToAClickHouseThatHangs(t *testing.T) {
	t.Parallel()
	address := listening(t, func(net.Conn) {})
	c, err := opened(t, "http://"+address+"/db").Interactive()
	require.NoError(t, err)
	t.Cleanup(func() { c.Close() })
	failed := make(chan error)
	const queries = 2 * interactivePerProject
	for range queries {
		go func() {
			_, err := c.Adoption(t.Context(), 7, 30, time.Now())
			failed <- err
		}()
	}
	for range queries {
		requireUnavailable(t, <-failed)
	}
}

func TestInteractiveQueriesTakeTurns(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db := &database{turns: keyed.NewTurns[int64](interactivePerProject, interactiveTogether), pulse: pulse{ping: responds}}
		for n := range int64(16) { // four per project
			running, done, err := db.turn(t.Context(), n/4)
			require.NoError(t, err)
			defer done()
			deadline, ok := running.Deadline()
			require.True(t, ok)
			require.Equal(t, time.Now().Add(interactiveTime), deadline)
		}
		for _, project := range []int64{0, interactiveTogether} { // a project without a free turn, and a project that has not had a turn
			began := time.Now()
			_, _, err := db.turn(t.Context(), project)
			require.Equal(t, models.CodeRateLimited, models.CodeOf(err))
			require.Equal(t, began.Add(turnTime), time.Now())
		}
		left, leave := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, leave)
		_, _, err := db.turn(left, 0)
		require.ErrorIs(t, err, context.Canceled)
	})
}

// TestInteractiveQueriesChangeNothing checks that interactive queries are read-only, because ClickHouse cancels only
// read-only queries when their clients disconnect.
func TestInteractiveQueriesChangeNothing(t *testing.T) {
	t.Parallel()
	c := migrated(t)
	interactive, err := c.Interactive()
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, interactive.Close()) })
	report := testReport("a-device", models.EventCrash)
	require.ErrorContains(t, interactive.InsertReports(t.Context(), "token", []models.HealthReport{report}), "readonly")
	require.NoError(t, insertAll(t, c, "token", []models.HealthReport{report}))
	every := models.EventQuery{Types: models.HealthEventTypes(), Limit: 10}
	events, err := interactive.Events(t.Context(), report.ProjectID, every, time.Now())
	require.NoError(t, err)
	require.Len(t, events, 1)
}

func TestAQueryAtItsBoundsSaysSo(t *testing.T) {
	t.Parallel()
	late, cancel := context.WithTimeout(t.Context(), 0)
	defer cancel()
	for name, err := range map[string]error{
		"time in ClickHouse": costlyError(t.Context(), queryError("read", &clickhouse.Exception{Code: 159})),
		"memory":             costlyError(t.Context(), queryError("read", &clickhouse.Exception{Code: 241})),
		"time here":          costlyError(late, queryError("read", context.DeadlineExceeded)),
	} {
		require.Equal(t, models.CodeUnavailable, models.CodeOf(err), name)
		require.ErrorContains(t, err, "more than 30 seconds or 1024 MiB", name)
	}
	other := queryError("read", &clickhouse.Exception{Code: 62})
	require.Equal(t, other, costlyError(t.Context(), other))
}

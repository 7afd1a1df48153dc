package telemetry

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/base/keyed"
	"github.com/waft-ota/waft/models"
)

func TestInteractiveQueriesTakeTurns(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db := &database{turns: keyed.NewTurns[int64](interactivePerProject, interactiveTogether)}
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

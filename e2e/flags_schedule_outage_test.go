package e2e

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// savesOf returns how often the flag was saved.
func (p *tenant) savesOf(flagID int64) (saves int) {
	p.t.Helper()
	for _, e := range p.list("/v1/ota/audit-log?action=flag.updated&limit=200") {
		if e["entityId"] == path("%d", flagID) {
			saves++
		}
	}
	return saves
}

// awaitDue waits until the time of a scheduled change has passed.
func awaitDue(t *testing.T, s object) {
	t.Helper()
	due, err := time.Parse(time.RFC3339, s["at"].(string))
	require.NoError(t, err)
	await(t, waitLimit, atLeisure, func() bool { return time.Now().After(due) })
}

// requireMadeOnce waits for the end of a scheduled change, and checks that the change was made once.
func (p *tenant) requireMadeOnce(s object) {
	p.t.Helper()
	ended := p.awaitScheduleEnd(s)
	require.Equal(p.t, "applied", ended["status"], ended)
	require.Equal(p.t, true, p.read(path("/v1/ota/flags/%d", s.id("flagId")))["defaultValue"])
	require.Equal(p.t, 1, p.savesOf(s.id("flagId")))
	require.Len(p.t, p.auditOf(s.id("id")), 2, "it was scheduled and applied")
}

// While Temporal is unavailable, changes are scheduled all the same. They are made when Temporal is back, even if their time has passed.
func TestChangesAreScheduledWithoutTemporal(t *testing.T) {
	t.Parallel()
	env := settings(t)
	const scheme = "tcp://"
	line, through := newLine(t, scheme+env["TEMPORAL_ADDRESS"])
	env["TEMPORAL_ADDRESS"] = strings.TrimPrefix(through, scheme)
	p := installation{url: serve(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}.tenant(t)
	missed, later, cancelled := p.flag().id("id"), p.flag().id("id"), p.flag().id("id")

	line.cut()
	schedule := func(id int64, after time.Duration) object {
		s := p.do(p.scheduledCall(id, after, object{"defaultValue": true})).record(http.StatusCreated)
		require.Equal(t, "scheduled", s["status"])
		return s
	}
	first, second, third := schedule(missed, time.Second), schedule(later, 8*time.Second), schedule(cancelled, time.Second)
	p.do(at("/v1/ota/flags/%d/schedule/%d", cancelled, third.id("id")).by(http.MethodDelete)).requireStatus(http.StatusNoContent)
	awaitDue(t, first)
	require.Equal(t, "scheduled", p.schedule(missed, first.id("id"))["status"])
	require.Equal(t, false, p.read(path("/v1/ota/flags/%d", missed))["defaultValue"])

	line.mend(t)
	p.requireMadeOnce(first)
	p.requireMadeOnce(second)
	require.Equal(t, "cancelled", p.schedule(cancelled, third.id("id"))["status"])
	require.Equal(t, 0, p.savesOf(cancelled))
}

// While Postgres is unavailable, a change is not scheduled, not even in part. The same call schedules it once Postgres is back.
func TestChangesAreNotScheduledWithoutPostgres(t *testing.T) {
	t.Parallel()
	env := settings(t)
	direct := env["DATABASE_URL"]
	line, through := newLine(t, direct)
	env["DATABASE_URL"] = through
	p := installation{url: serveAPI(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: direct, still: true}.tenant(t)
	id := p.flag().id("id")
	call := p.scheduledCall(id, 8*time.Second, object{"defaultValue": true}).with("Idempotency-Key", "once")
	before := p.contents()

	line.cut()
	refused := p.do(call)
	refused.problem(http.StatusServiceUnavailable, models.CodeUnavailable)
	require.NotEmpty(t, refused.header.Get("Retry-After"))
	require.Equal(t, before, p.contents())

	line.mend(t)
	startWorker(t, env)
	call.persistent = true
	p.requireMadeOnce(p.do(call).record(http.StatusCreated))
	require.Len(t, p.list(path("/v1/ota/flags/%d/schedule", id)), 1)
}

// A change whose time comes while an engine is unavailable is made once, when the engine is back.
func TestAScheduledChangeOutlivesAnOutage(t *testing.T) {
	t.Parallel()
	const scheme = "tcp://"
	for name, cut := range map[string]func(t *testing.T, env map[string]string) *line{
		"of Temporal": func(t *testing.T, env map[string]string) *line {
			line, through := newLine(t, scheme+env["TEMPORAL_ADDRESS"])
			env["TEMPORAL_ADDRESS"] = strings.TrimPrefix(through, scheme)
			return line
		},
		"of Postgres": func(t *testing.T, env map[string]string) *line {
			line, through := newLine(t, env["DATABASE_URL"])
			env["DATABASE_URL"] = through
			return line
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env := settings(t)
			direct := map[string]string{"TEMPORAL_ADDRESS": env["TEMPORAL_ADDRESS"], "TEMPORAL_NAMESPACE": env["TEMPORAL_NAMESPACE"]}
			databaseURL := env["DATABASE_URL"]
			line := cut(t, env)
			p := installation{url: serve(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: databaseURL}.tenant(t)
			s := p.do(p.scheduledCall(p.flag().id("id"), 8*time.Second, object{"defaultValue": true})).record(http.StatusCreated)
			p.awaitTimerOf(direct, s)
			line.cut()
			awaitDue(t, s)
			line.mend(t)
			eventually(t, func() bool { return p.do(at("/v1/ota/flags").get()).status == http.StatusOK })
			p.requireMadeOnce(s)
		})
	}
}

// awaitTimerOf waits until the workflow of a scheduled change waits for its time.
func (p *tenant) awaitTimerOf(env map[string]string, s object) {
	p.t.Helper()
	tc := dialTemporal(p.t, env)
	workflowID := path("flag-schedule/%s/%d", p.slug, s.id("id"))
	eventually(p.t, func() bool {
		described, err := tc.DescribeWorkflowExecution(p.t.Context(), workflowID, "")
		return err == nil && described.GetPendingWorkflowTask() == nil && len(described.GetPendingActivities()) == 0 &&
			described.GetWorkflowExecutionInfo().GetHistoryLength() > 5
	})
}

// A worker is killed while it makes a scheduled change. Another worker makes the change, once.
func TestAScheduledChangeOutlivesItsWorker(t *testing.T) {
	t.Parallel()
	env := settings(t)
	p := installation{url: serveAPI(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}.tenant(t)
	worker := waftd(t, "worker", env)
	id := p.flag().id("id")
	watch := p.postgres()
	lock, err := p.postgres().Begin(t.Context())
	require.NoError(t, err)
	s := p.do(p.scheduledCall(id, 3*time.Second, object{"defaultValue": true})).record(http.StatusCreated)
	p.awaitTimerOf(env, s)
	_, err = lock.Exec(t.Context(), "SELECT FROM flags WHERE id = $1 FOR UPDATE", id)
	require.NoError(t, err)
	var waiting int
	await(t, waitLimit, atLeisure, func() bool { // the transaction of the change waits for this one
		err := watch.QueryRow(t.Context(),
			"SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'").Scan(&waiting)
		return err == nil && waiting > 0
	})
	worker.kill()
	require.NoError(t, lock.Rollback(t.Context()))
	require.Equal(t, "scheduled", p.schedule(id, s.id("id"))["status"])
	waftd(t, "worker", env)
	p.requireMadeOnce(s)
}

package e2e

import (
	"fmt"
	"testing"
	"time"
)

// undecided is a project without a worker while devices report: what is decided is decided on the reports of all of them,
// however long they take.
type undecided struct {
	*tenant
	env        map[string]string
	stopWorker func()
}

// newUndecided starts with a worker, which begins rollouts.
func newUndecided(t *testing.T) *undecided {
	t.Helper()
	env := settings(t)
	p := installation{url: serveAPI(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}.tenant(t)
	return &undecided{tenant: p, env: env, stopWorker: startWorker(t, env)}
}

// reported stops the worker, lets devices report on an update, and starts a worker once queries see so many of them that have
// had the update for the given time.
func (u *undecided) reported(update any, devices int, had time.Duration, report func()) {
	u.t.Helper()
	u.stopWorker()
	report()
	b := openBooks(u.t, u.env["CLICKHOUSE_URL"])
	seen := fmt.Sprintf(`SELECT '', uniqExact(device_id) FROM device_releases
		WHERE project_id = %d AND update_uuid = '%s' AND first_at <= subtractMilliseconds(now64(3), %d)`, u.id, update, had.Milliseconds())
	u.eventually(func() bool { return b.query(seen)[""] == uint64(devices) })
	u.stopWorker = startWorker(u.t, u.env)
}

package e2e

import (
	"fmt"
	"testing"
	"time"
)

// undecided is a project whose worker is stopped while devices report. Decisions are therefore based on the reports of
// all devices, however long the reports take.
type undecided struct {
	*tenant
	env        map[string]string
	stopWorker func()
}

// newUndecided starts a project with a worker, because a rollout begins only with a worker.
func newUndecided(t *testing.T) *undecided {
	t.Helper()
	env := settings(t)
	p := installation{url: serveAPI(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}.tenant(t)
	return &undecided{tenant: p, env: env, stopWorker: startWorker(t, env)}
}

// reported stops the worker and calls report, in which devices report on an update. It starts a worker again once
// queries see that many devices that have had the update for the given time.
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

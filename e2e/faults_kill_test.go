package e2e

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/lab/enginetest"
	"github.com/waft-ota/waft/internal/lab/fleet"
	"github.com/waft-ota/waft/models"
)

// The main job runs with API and worker as separate processes. The worker is killed in the middle of a stage, and again
// in the middle of the rollback, while its transaction waits for a lock. The job must end as if the worker had never
// been killed. There are 200 devices with -short, and 400 without.
func TestTheMainJobWithTheWorkerKilled(t *testing.T) {
	t.Parallel()
	env := settings(t)
	migrate(t, env)
	api := waftd(t, "api", env)
	worker := waftd(t, "worker", env)
	restart := func() {
		worker.kill()
		worker = waftd(t, "worker", env)
	}

	j := mainJob{
		project: newProject(t, "http://"+api.addr, env["WAFT_ROOT_KEY"]), exports: madeExports(t),
		assets: fleet.AssetHead, platforms: []models.Platform{models.IOS}, devices: enginetest.Sized(400, 200),
	}
	j.interrupt.inStage = func(client.RolloutExecution) { restart() }
	j.interrupt.beforeRollback = func(e client.RolloutExecution) (inRollback func()) {
		// Only the rollback, and none of the other remaining changes, touches the release's row.
		lock := lockRelease(t, env["DATABASE_URL"], e.UpdateID)
		return func() {
			lock.waitForWaiter(t)
			worker.kill()
			lock.release(t)
			worker = waftd(t, "worker", env)
		}
	}
	j.play(t)
}

// releaseLock locks a release's row, so a process that changes the row waits in the middle of its transaction.
type releaseLock struct {
	holder   pgx.Tx
	observer *pgx.Conn
}

func lockRelease(t *testing.T, databaseURL string, id int64) releaseLock {
	t.Helper()
	connect := func() *pgx.Conn {
		conn, err := pgx.Connect(t.Context(), databaseURL)
		require.NoError(t, err)
		t.Cleanup(func() { conn.Close(context.WithoutCancel(t.Context())) })
		return conn
	}
	tx, err := connect().Begin(t.Context())
	require.NoError(t, err)
	_, err = tx.Exec(t.Context(), "SELECT id FROM releases WHERE id = $1 FOR UPDATE", id)
	require.NoError(t, err)
	return releaseLock{holder: tx, observer: connect()}
}

// waitForWaiter returns once a transaction of the server waits for this lock.
func (l releaseLock) waitForWaiter(t *testing.T) {
	t.Helper()
	eventually(t, func() bool {
		var waiting int
		require.NoError(t, l.observer.QueryRow(t.Context(), `
			SELECT count(*) FROM pg_stat_activity
			WHERE datname = current_database() AND $1 = ANY (pg_blocking_pids(pid))`, l.holder.Conn().PgConn().PID()).Scan(&waiting))
		return waiting > 0
	})
}

func (l releaseLock) release(t *testing.T) {
	t.Helper()
	require.NoError(t, l.holder.Rollback(t.Context()))
}

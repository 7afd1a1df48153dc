//go:build upgrade

package e2e

import (
	"os"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/lab/enginetest"
)

// otherWaftd returns the path of the waftd from which the test upgrades. tools/parent.sh builds it.
func otherWaftd(t *testing.T) string {
	t.Helper()
	path := os.Getenv("WAFT_TEST_PARENT")
	require.NotEmpty(t, path, "run `make upgrade-test`")
	return path
}

// finish waits for the end of a command of waftd and returns its output.
func (p *process) finish(t *testing.T) (output string, err error) {
	t.Helper()
	select {
	case err = <-p.exited:
	case <-t.Context().Done():
		require.FailNow(t, "the command does not end", "%s", p.log)
	}
	return p.log.String(), err
}

func schemaOf(t *testing.T, env map[string]string) (version int64) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), env["DATABASE_URL"])
	require.NoError(t, err)
	defer conn.Close(t.Context())
	require.NoError(t, conn.QueryRow(t.Context(), "SELECT max(version_id) FROM waft_migrations").Scan(&version))
	return version
}

// TestAnUpgradeKeepsRolloutsRunning starts rollouts with the server of an earlier commit and continues them with this
// commit's server. The earlier server then refuses the database if its schema has changed, and otherwise continues, too.
func TestAnUpgradeKeepsRolloutsRunning(t *testing.T) {
	t.Parallel()
	old, env := otherWaftd(t), settingsWithoutEngines(t)
	env["DATABASE_URL"], env["CLICKHOUSE_URL"] = enginetest.Postgres(t), enginetest.ClickHouse(t)
	env["TEMPORAL_ADDRESS"], env["TEMPORAL_NAMESPACE"] = enginetest.Temporal(t)
	output, err := launchBinary(t, old, env, "migrate").finish(t)
	require.NoError(t, err, output)
	before := schemaOf(t, env)
	first := launchBinary(t, old, env, "serve").ready(t, "serve")
	otherVersions.Store(first.addr, true)
	p := installation{url: first.url(), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}.tenant(t)
	running, held := p.begun(), p.begun()
	p.command(held.id("id"), "pause").record(200)
	scheduled := p.scheduled()
	require.NoError(t, first.stop(t.Context()))

	output, err = launch(t, env, "migrate").finish(t)
	require.NoError(t, err, output)
	second := waftd(t, "serve", env)
	p.url = second.url()
	row := p.rollout(running.id("id"))
	require.Equal(t, [2]any{"running", 10.0}, [2]any{row["status"], row["percentage"]})
	eventually(t, func() bool { return p.command(running.id("id"), "advance").status == 200 })
	require.Equal(t, 50.0, p.rollout(running.id("id"))["percentage"])
	p.command(held.id("id"), "resume").record(200)
	require.Equal(t, "running", p.rollout(held.id("id"))["status"])
	p.command(held.id("id"), "cancel").record(200)
	require.Equal(t, "scheduled", p.schedule(scheduled.id("flagId"), scheduled.id("id"))["status"])
	require.NoError(t, second.stop(t.Context()))

	third := launchBinary(t, old, env, "serve")
	if schemaOf(t, env) == before {
		p.url = third.ready(t, "serve").url()
		otherVersions.Store(third.addr, true)
		require.Equal(t, 50.0, p.rollout(running.id("id"))["percentage"])
		return
	}
	output, err = third.finish(t)
	require.Error(t, err)
	require.Contains(t, output, "the Postgres schema is newer than this binary")
}

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// serverRig returns a rig whose engines are not started, so that only the server
// runs, as a fake.
func serverRig(t *testing.T) (r *rig, waftd string) {
	t.Helper()
	r = newRig(t)
	r.env = append(r.env, "DATABASE_URL=postgres://elsewhere/waft",
		"CLICKHOUSE_URL=http://elsewhere", "TEMPORAL_ADDRESS=elsewhere:7233")
	self, err := os.Executable()
	require.NoError(t, err)
	waftd = filepath.Join(t.TempDir(), "waftd")
	require.NoError(t, os.Symlink(self, waftd))
	return r, waftd
}

func (r *rig) seenBy(role string) map[string]string {
	r.t.Helper()
	data, err := os.ReadFile(filepath.Join(r.dir, "data", role+".env"))
	require.NoError(r.t, err)
	vars := map[string]string{}
	for line := range strings.Lines(string(data)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		vars[name] = value
	}
	return vars
}

func TestServerIsStartedAndRestarted(t *testing.T) {
	t.Parallel()
	r, waftd := serverRig(t)
	first := r.ok("up", "--waftd", waftd)

	api, worker, migrate := r.seenBy("api"), r.seenBy("worker"), r.seenBy("migrate")
	require.Equal(t, fmt.Sprintf("127.0.0.1:%d", r.ports["WAFT_PORT"]), api["WAFT_LISTEN_ADDR"])
	require.Equal(t, fmt.Sprintf("127.0.0.1:%d", r.ports["WAFT_WORKER_PORT"]), worker["WAFT_LISTEN_ADDR"])
	require.Equal(t, fmt.Sprintf("127.0.0.1:%d", r.ports["WAFT_ADMIN_PORT"]), api["WAFT_ADMIN_ADDR"])
	require.Equal(t, fmt.Sprintf("127.0.0.1:%d", r.ports["WAFT_WORKER_ADMIN_PORT"]), worker["WAFT_ADMIN_ADDR"])
	addresses, err := os.ReadFile(filepath.Join(r.dir, "engines.env"))
	require.NoError(t, err)
	require.Contains(t, string(addresses), fmt.Sprintf("WAFT_ADMIN_URL=http://localhost:%d\n", r.ports["WAFT_ADMIN_PORT"]))
	require.NotContains(t, string(addresses), "127.0.0.1", "a browser's cookies of it are not those of localhost")
	require.NotContains(t, first, "127.0.0.1")
	require.Equal(t, fmt.Sprintf("http://localhost:%d", r.ports["WAFT_PORT"]), worker["WAFT_BASE_URL"])
	require.Equal(t, "file://"+filepath.Join(r.dir, "assets"), api["WAFT_ASSET_BUCKET_URL"])
	require.Equal(t, "127.0.0.0/8,::1", worker["WAFT_WEBHOOK_ALLOWED_NETWORKS"])
	require.Equal(t, "postgres://elsewhere/waft", migrate["DATABASE_URL"])
	require.Equal(t, "default", worker["TEMPORAL_NAMESPACE"])
	require.Regexp(t, `^waft_[0-9a-f]{8}_[0-9a-f]{64}$`, api["WAFT_ROOT_KEY"])
	require.Equal(t, api["WAFT_SECRET_KEY"], worker["WAFT_SECRET_KEY"])
	require.NotContains(t, worker, "WAFT_ROOT_KEY")
	require.NotContains(t, migrate, "WAFT_ROOT_KEY")
	require.NotContains(t, migrate, "WAFT_SECRET_KEY")

	before := r.pid("api")
	r.kill("worker")
	require.Contains(t, r.ok("status"), "died")
	out := r.ok("up", "--waftd", waftd)
	require.Equal(t, 1, strings.Count(out, "was running"), out)
	require.Equal(t, before, r.pid("api"))
	require.Equal(t, api["WAFT_SECRET_KEY"], r.seenBy("worker")["WAFT_SECRET_KEY"])
}

func TestFailingStartIsUndone(t *testing.T) {
	t.Parallel()
	for _, role := range []string{"migrate", "api", "worker"} {
		t.Run(role, func(t *testing.T) {
			t.Parallel()
			r, waftd := serverRig(t)
			r.env = append(r.env, "FAKE_FAIL="+role)
			message := r.fails("up", "--waftd", waftd)
			require.Contains(t, message, role)
			require.Contains(t, message, "the fake gives up")
			requireNoProcess(t, r.dir)
		})
	}
	t.Run("NotBuilt", func(t *testing.T) {
		t.Parallel()
		r, _ := serverRig(t)
		require.Contains(t, r.fails("up", "--waftd", "no/such/waftd"), "make build")
	})
}

func TestWaitStopsEverything(t *testing.T) {
	t.Parallel()
	r, waftd := serverRig(t)
	r.ok("up", "--waftd", waftd)
	wait := r.command("wait")
	lines := follow(t, wait)
	require.Contains(t, <-lines, "watching")

	pid := r.pid("worker")
	r.kill("worker")
	require.Contains(t, <-lines, fmt.Sprintf("worker (pid %d) has ended", pid))
	require.NoError(t, wait.Process.Signal(os.Interrupt))
	require.Contains(t, <-lines, "api")
	require.NoError(t, wait.Wait())
	requireNoProcess(t, r.dir)
}

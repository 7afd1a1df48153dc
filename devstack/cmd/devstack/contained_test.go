package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// await returns the first line with the text.
func await(t *testing.T, lines <-chan string, text string) string {
	t.Helper()
	for line := range lines {
		if strings.Contains(line, text) {
			return line
		}
	}
	require.Fail(t, "the output ended", "without %q", text)
	return ""
}

func TestServeKeepsEverythingRunningUntilItIsStopped(t *testing.T) {
	t.Parallel()
	r, waftd := serverRig(t)
	r.env = append(r.env, "WAFT_DEVSTACK_DIR="+r.dir)
	require.Contains(t, r.fails("run", "--", "true"), "the API does not run")
	require.NoFileExists(t, filepath.Join(r.dir, "secrets.env"), "a health check made keys while the container starts")
	cmd := r.command("serve", "--waftd", waftd)
	lines := follow(t, cmd)
	url := fmt.Sprintf("http://localhost:%d", r.ports["WAFT_PORT"])
	require.Equal(t, "Waft is ready at "+url, await(t, lines, "is ready"))
	require.Contains(t, await(t, lines, "first account"), url+"/app/setup#token")

	api, worker := r.seenBy("api"), r.seenBy("worker")
	require.Equal(t, fmt.Sprintf("0.0.0.0:%d", r.ports["WAFT_PORT"]), api["WAFT_LISTEN_ADDR"])
	require.Equal(t, fmt.Sprintf("127.0.0.1:%d", r.ports["WAFT_ADMIN_PORT"]), api["WAFT_ADMIN_ADDR"])
	require.Equal(t, fmt.Sprintf("127.0.0.1:%d", r.ports["WAFT_WORKER_PORT"]), worker["WAFT_LISTEN_ADDR"])
	require.NotContains(t, worker, "WAFT_WEBHOOK_ALLOWED_NETWORKS", "webhooks must not reach the engines of the container")
	require.NotContains(t, api, "WAFT_TEMPORAL_UI_URL", "no browser reaches it")

	require.Contains(t, r.fails("serve", "--waftd", waftd), "another container uses "+r.dir)
	require.Equal(t, url+" "+api["WAFT_ROOT_KEY"]+"\n", r.ok("run", "--", "sh", "-c", `echo "$WAFT_BASE_URL $WAFT_ROOT_KEY"`))

	require.NoError(t, os.Truncate(filepath.Join(r.dir, "log", "worker.log"), 40<<20))
	require.Eventually(t, func() bool {
		_, err := os.Stat(filepath.Join(r.dir, "log", "worker.log.1"))
		return err == nil
	}, 2*time.Minute, 20*time.Millisecond)

	pid := r.pid("worker")
	r.kill("worker")
	require.Contains(t, await(t, lines, "has ended"), fmt.Sprintf("worker (pid %d) has ended and starts again", pid))
	await(t, lines, "worker")
	require.NotEqual(t, pid, r.pid("worker"))
	res, err := http.Get(fmt.Sprintf("http://127.0.0.1:%d/readyz", r.ports["WAFT_WORKER_PORT"]))
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())

	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	for range lines {
		continue // until the output ends
	}
	require.NoError(t, cmd.Wait())
	requireNoProcess(t, r.dir)
	require.Contains(t, r.fails("run", "--", "true"), "the API does not run")
}

func TestServeThatIsStoppedWhileItStartsLeavesNothing(t *testing.T) {
	t.Parallel()
	r, waftd := serverRig(t)
	cmd := r.command("serve", "--waftd", waftd)
	pipe, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	go func() { _, _ = io.Copy(io.Discard, pipe) }() // its end is the process's
	require.Eventually(t, func() bool { return len(processesIn(r.dir)) > 0 }, 2*time.Minute, time.Millisecond)
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	require.NoError(t, cmd.Wait())
	requireNoProcess(t, r.dir)
}

package main

import (
	"bufio"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// follow starts the command and returns the lines it prints.
func follow(t *testing.T, cmd *exec.Cmd) <-chan string {
	t.Helper()
	pipe, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	lines := make(chan string, 100)
	go func() {
		defer close(lines)
		for scanner := bufio.NewScanner(pipe); scanner.Scan(); {
			lines <- scanner.Text()
		}
	}()
	return lines
}

// inTemp makes devstack create its temporary folders in a folder of the test.
func (r *rig) inTemp() string {
	temp := r.t.TempDir()
	r.env = append(r.env, "TMPDIR="+temp)
	return temp
}

func requireEmpty(t *testing.T, temp string) {
	t.Helper()
	left, err := filepath.Glob(filepath.Join(temp, "*"))
	require.NoError(t, err)
	require.Empty(t, left)
	requireNoProcess(t, temp)
}

func TestExecRunsTheCommandWithEngines(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	temp := r.inTemp()
	res := r.run("exec", "--", "sh", "-c", `
		echo "$DATABASE_URL $CLICKHOUSE_URL $TEMPORAL_ADDRESS $TEMPORAL_NAMESPACE"
		sleep 1000 &
		exit 7`)
	require.Equal(t, 7, res.code, res.errors)
	require.Regexp(t, `^postgres://waft:\w+@localhost:\d+/waft\?sslmode=disable http://default:\w{32}@localhost:\d+/waft localhost:\d+ default\n$`, res.out)
	requireEmpty(t, temp)

	res = r.run("exec", "--", "no-such-command")
	require.Equal(t, 1, res.code)
	require.Contains(t, res.errors, "no-such-command")
	requireEmpty(t, temp)
}

func TestExecStopsOnSignals(t *testing.T) {
	t.Parallel()
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		t.Run(sig.String(), func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			temp := r.inTemp()
			cmd := r.command("exec", "--", "sh", "-c", "trap 'exit 9' TERM INT; echo ready; while :; do sleep 0.01; done")
			require.Equal(t, "ready", <-follow(t, cmd))
			require.NoError(t, cmd.Process.Signal(sig))
			require.Error(t, cmd.Wait())
			require.Equal(t, 9, cmd.ProcessState.ExitCode())
			requireEmpty(t, temp)
		})
	}
}

func TestExecKilledTakesTheEnginesAlong(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	temp := r.inTemp()
	cmd := r.command("exec", "--", "sh", "-c", "echo ready; read line")
	stdin, err := cmd.StdinPipe()
	require.NoError(t, err)
	defer stdin.Close()
	require.Equal(t, "ready", <-follow(t, cmd))
	require.NotEmpty(t, processesIn(temp))

	require.NoError(t, cmd.Process.Kill())
	require.Error(t, cmd.Wait())
	require.Eventually(t, func() bool { return len(processesIn(temp)) == 0 }, 2*time.Minute, 20*time.Millisecond,
		strings.Join(processesIn(temp), "\n"))
}

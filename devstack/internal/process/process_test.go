package process_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/devstack/internal/process"
)

func start(t *testing.T, dir, script string) *process.Process {
	t.Helper()
	shell, err := exec.LookPath("sh")
	require.NoError(t, err)
	p, err := process.Start(dir, process.Spec{
		Name: "shell", Path: shell, Args: []string{"-c", script}, Env: os.Environ(), Dir: dir, Tethered: true,
	})
	require.NoError(t, err)
	t.Cleanup(func() { p.Stop(syscall.SIGKILL, time.Second) })
	return p
}

func TestRecordKnowsItsProcess(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := start(t, dir, "mkfifo end; read line <end")

	loaded := process.Load(dir, "shell")
	require.Equal(t, p.Record, loaded)
	require.True(t, loaded.Alive())

	// Another process with the same number is not ours. The first one of all is sure to
	// have started in another tick of the clock.
	stranger := loaded
	stranger.Pid = 1
	require.False(t, stranger.Alive())
	require.False(t, process.Load(dir, "nothing").Alive())

	loaded.Stop(syscall.SIGTERM, 10*time.Second)
	require.False(t, loaded.Alive())
	require.NoError(t, process.Forget(dir, "shell"))
	require.NoError(t, process.Forget(dir, "shell"))
	require.Zero(t, process.Load(dir, "shell"))
}

func TestStopKillsWhatDoesNotListen(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := start(t, dir, "trap '' TERM; echo deaf; while :; do sleep 0.01; done")
	require.Eventually(t, func() bool {
		log, err := os.ReadFile(p.Log)
		return err == nil && strings.Contains(string(log), "deaf")
	}, 2*time.Minute, 5*time.Millisecond)

	p.Stop(syscall.SIGTERM, 50*time.Millisecond)
	require.False(t, p.Alive())
}

func TestFailureTellsTheReason(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first := start(t, dir, "echo 'error: of an earlier start'; exit 1")
	<-first.Done()

	second := start(t, dir, "echo starting; echo 'LOG: FATAL: no such thing'; echo bye; exit 1")
	<-second.Done()
	require.ErrorContains(t, second.Failure(), "no such thing")
	require.NotContains(t, second.Failure().Error(), "earlier")
}

// The process writes to an empty log afterwards, and the former lines are in a second file.
func TestALogAboveTheLimitIsRotatedWhileItsProcessWrites(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := start(t, dir, `head -c 34000000 /dev/zero | tr '\0' '\n'; echo before
		until [ -e go ]; do sleep 0.01; done; echo after; mkfifo end; read line <end`)
	has := func(path, text string) func() bool {
		return func() bool {
			log, err := os.ReadFile(path)
			return err == nil && strings.TrimSpace(string(log)) == text
		}
	}
	require.Eventually(t, has(p.Log, "before"), 2*time.Minute, 20*time.Millisecond)
	require.NoError(t, process.RotateLogs(dir))
	require.NoError(t, process.RotateLogs(dir))
	require.True(t, has(p.Log+".1", "before")())
	require.True(t, has(p.Log, "")())
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go"), nil, 0o600))
	require.Eventually(t, has(p.Log, "after"), 2*time.Minute, 20*time.Millisecond)
	info, err := os.Stat(p.Log)
	require.NoError(t, err)
	require.EqualValues(t, len("after\n"), info.Size())
}

func TestReason(t *testing.T) {
	t.Parallel()
	for output, want := range map[string]string{
		"a\nb\n":                      "b",
		"":                            "it wrote nothing",
		"x\npanic: oh\ngoroutine 1\n": "panic: oh",
		"sh: cannot create x: Permission denied\nremoving data": "sh: cannot create x: Permission denied",
		"Error: a\nwrite: No space left on device\n":            "the disk is full: free some space and try again",
	} {
		require.Equal(t, want, process.Reason(output, nil))
	}
}

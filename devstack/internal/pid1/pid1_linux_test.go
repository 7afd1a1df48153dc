package pid1

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// script is set in the process that plays a container's first process, to what it runs.
const script = "PID1_TEST_SCRIPT"

func TestMain(m *testing.M) {
	text := os.Getenv(script)
	if text == "" {
		os.Exit(m.Run())
	}
	// The kernel gives it orphans, as it does to the first process.
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	code, err := Run("/bin/sh", []string{"sh", "-c", text})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(code)
}

func first(t *testing.T, text string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), script+"="+text)
	return cmd
}

func exitCode(t *testing.T, err error) int {
	t.Helper()
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit)
	return exit.ExitCode()
}

// A signal reaches a zombie, so the script ends only when the orphan is reaped.
func TestOrphansAreReaped(t *testing.T) {
	t.Parallel()
	script := `orphan=$(sh -c 'sh -c "exec >&-; exit 3" & echo $!'); while kill -0 "$orphan" 2>/dev/null; do :; done; exit 7`
	out, err := first(t, script).CombinedOutput()
	require.Equal(t, 7, exitCode(t, err), "%s", out)
}

func TestSignalsReachTheProgram(t *testing.T) {
	t.Parallel()
	const wait = `echo ready; while :; do :; done`
	for script, want := range map[string]int{`trap 'exit 9' TERM; ` + wait: 9, wait: 128 + int(syscall.SIGTERM)} {
		cmd := first(t, script)
		output, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		_, err = bufio.NewReader(output).ReadString('\n')
		require.NoError(t, err)
		require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
		require.Equal(t, want, exitCode(t, cmd.Wait()))
	}
}

func TestAMissingProgramIsAnError(t *testing.T) {
	t.Parallel()
	code, err := Run("/nonexistent", []string{"nonexistent"})
	require.ErrorContains(t, err, "start /nonexistent")
	require.Equal(t, 126, code)
}

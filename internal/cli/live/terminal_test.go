//go:build !windows

package live_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"os/signal"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
	"github.com/creack/pty"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/cli"
	"github.com/waft-ota/waft/internal/cli/clitest"
)

// runAsWaft makes the test binary behave like waft.
const runAsWaft = "TEST_RUNS_AS_WAFT"

func TestMain(m *testing.M) {
	if os.Getenv(runAsWaft) == "" {
		os.Exit(m.Run())
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := cli.Run(ctx, cli.NewCommand(), os.Args[1:], os.Stderr)
	stop()
	os.Exit(code)
}

// stage is a server with one rollout, whose stream the test writes.
type stage struct {
	*httptest.Server
	events chan map[string]any
	// broken makes the server refuse streams.
	mu     sync.Mutex
	broken bool
}

func execution(status string) map[string]any {
	e := clitest.Execution(status)
	maps.Copy(e, map[string]any{"channel": "production", "runtimeVersion": "1.0.0", "timeline": []any{}})
	return e
}

func newStage(t *testing.T) *stage {
	t.Helper()
	s := &stage{events: make(chan map[string]any)}
	s.Server = httptest.NewServer(s)
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	return s
}

func (s *stage) setBroken(broken bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.broken = broken
}

func (s *stage) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	broken := s.broken
	s.mu.Unlock()
	switch {
	case r.URL.Path == "/v1/ota/rollout-executions/21":
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(execution("running"))
	case broken:
		w.WriteHeader(http.StatusServiceUnavailable)
	default:
		w.Header().Set("Content-Type", "text/event-stream")
		for e := execution("running"); e != nil; {
			text, _ := json.Marshal(e)
			fmt.Fprintf(w, "event: execution\ndata: %s\n\n", text)
			_ = http.NewResponseController(w).Flush()
			select {
			case e = <-s.events: // nil breaks the connection
			case <-r.Context().Done():
				return
			}
		}
	}
}

// screen is a terminal in which waft runs.
type screen struct {
	t       *testing.T
	command *exec.Cmd
	keys    *os.File
	before  *term.State

	mu      sync.Mutex
	out     strings.Builder
	changed chan struct{}
	ended   chan struct{}
}

func watch(t *testing.T, s *stage, size *pty.Winsize, environment ...string) *screen {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	command := exec.CommandContext(t.Context(), self, "rollouts", "watch", "21", "--url", s.URL, "--project", "demo", "--api-key", "waft_12345678_x")
	command.Env = append([]string{runAsWaft + "=1", "TERM=xterm-256color", "HOME=" + t.TempDir()}, environment...)
	keys, tty, err := pty.Open()
	require.NoError(t, err)
	require.NoError(t, pty.Setsize(keys, size))
	before, err := term.GetState(keys.Fd())
	require.NoError(t, err)
	command.Stdin, command.Stdout, command.Stderr = tty, tty, tty
	command.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	require.NoError(t, command.Start())
	c := &screen{t: t, command: command, keys: keys, before: before, changed: make(chan struct{}, 1), ended: make(chan struct{})}
	go c.read()
	t.Cleanup(func() { tty.Close(); keys.Close() })
	return c
}

// read collects the output until the terminal closes.
func (c *screen) read() {
	defer close(c.ended)
	buffer := make([]byte, 1<<16)
	for {
		n, err := c.keys.Read(buffer)
		c.mu.Lock()
		c.out.Write(buffer[:n])
		c.mu.Unlock()
		select {
		case c.changed <- struct{}{}:
		default:
		}
		if err != nil {
			return
		}
	}
}

func (c *screen) output() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.out.String()
}

// sees waits until the output after an offset contains the text, and returns the length of the output.
func (c *screen) sees(text string, after int) int {
	c.t.Helper()
	for {
		out := c.output()
		if strings.Contains(ansi.Strip(out[after:]), text) {
			return len(out)
		}
		select {
		case <-c.changed:
		case <-time.After(30 * time.Second):
			require.FailNow(c.t, "the terminal does not show "+text, "%q", out)
		}
	}
}

// exit waits for the end of waft and returns its exit code and what it wrote.
func (c *screen) exit() (code int, out string) {
	c.t.Helper()
	err := c.command.Wait()
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		require.NoError(c.t, err)
	}
	marker := "end of the test"
	_, err = c.keys.WriteString(marker) // the terminal echoes it, after everything else
	require.NoError(c.t, err)
	c.sees(marker, 0)
	after, err := term.GetState(c.keys.Fd())
	require.NoError(c.t, err)
	require.Equal(c.t, c.before, after, "the terminal is in its first mode")
	return c.command.ProcessState.ExitCode(), strings.TrimSuffix(c.output(), marker)
}

var mode = regexp.MustCompile("\x1b\\[([?>=<]?)([0-9;]*)([hlu])")

// requireClean checks that each mode that was set is reset, the cursor shows, and the last state is on the screen.
func requireClean(t *testing.T, out, last string) {
	t.Helper()
	modes := map[string]string{}
	for _, m := range mode.FindAllStringSubmatch(out, -1) {
		modes[m[1]+m[2]] = m[3]
	}
	require.Equal(t, "l", modes["?1049"], "the alternate screen is left")
	for name, state := range modes {
		switch name {
		case "?25", "?7", "?12":
			require.NotEqual(t, "l", state, "mode "+name)
		default:
			require.NotEqual(t, "h", state, "mode "+name)
		}
	}
	_, rest, found := cutLast(out, "\x1b[?1049l")
	require.True(t, found)
	require.Contains(t, ansi.Strip(rest), last, "the last state remains")
	require.Contains(t, ansi.Strip(rest), "Rollout 21")
}

func cutLast(text, separator string) (before, after string, found bool) {
	i := strings.LastIndex(text, separator)
	if i < 0 {
		return text, "", false
	}
	return text[:i], text[i+len(separator):], true
}

var wide = &pty.Winsize{Rows: 24, Cols: 80}

func TestTheTerminalIsCleanAfterEachEnd(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		end  func(*stage, *screen)
		code int
		last string
	}{
		"ctrl+c":      {func(_ *stage, c *screen) { c.press("\x03") }, 130, "Rollout 21 running"},
		"terminated":  {func(_ *stage, c *screen) { _ = c.command.Process.Signal(syscall.SIGTERM) }, 130, "Rollout 21 running"},
		"interrupted": {func(_ *stage, c *screen) { _ = c.command.Process.Signal(os.Interrupt) }, 130, "Rollout 21 running"},
		"left":        {func(_ *stage, c *screen) { c.press("q") }, 0, "the rollout continues; `waft rollouts watch 21` shows it again"},
		"completed":   {func(s *stage, _ *screen) { s.events <- execution("completed") }, 0, "Rollout 21 completed"},
		"rolled back": {func(s *stage, _ *screen) { s.events <- execution("rolled_back") }, 3, "waft: rollout 21 was rolled back"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			terminal := watch(t, s, wide)
			terminal.sees("Press q to leave", 0)
			c.end(s, terminal)
			code, out := terminal.exit()
			require.Equal(t, c.code, code, out)
			requireClean(t, out, c.last)
		})
	}
}

func (c *screen) press(keys string) { _, _ = c.keys.WriteString(keys) }

func TestAPanelFollowsTheSizeOfItsTerminal(t *testing.T) {
	t.Parallel()
	terminal := watch(t, newStage(t), wide)
	at := terminal.sees("Press q to leave", 0)
	for _, size := range []*pty.Winsize{{Rows: 12, Cols: 30}, {Rows: 50, Cols: 200}} {
		require.NoError(t, pty.Setsize(terminal.keys, size))
		at = terminal.sees("Rollout 21", at)
	}
	require.NoError(t, pty.Setsize(terminal.keys, &pty.Winsize{Rows: 4, Cols: 30}))
	terminal.sees("Rollout 21", at)
	terminal.press("\x03")
	code, out := terminal.exit()
	require.Equal(t, 130, code)
	requireClean(t, out, "Rollout 21 running")
}

func TestAPanelTellsThatItReconnects(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	terminal := watch(t, s, wide)
	at := terminal.sees("Press q to leave", 0)
	s.setBroken(true)
	s.events <- nil
	terminal.sees("Connection lost", at)
	s.setBroken(false)
	s.events <- execution("completed")
	code, out := terminal.exit()
	require.Equal(t, 0, code)
	requireClean(t, out, "Rollout 21 completed")
}

func TestNoColorAndDumbTerminals(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	terminal := watch(t, s, wide, "NO_COLOR=1")
	terminal.sees("Press q to leave", 0)
	s.events <- execution("completed")
	_, out := terminal.exit()
	require.NotRegexp(t, "\x1b\\[[0-9;]*3[0-7][;m]", out)

	terminal = watch(t, s, wide, "TERM=dumb")
	terminal.sees("running, stage 1 of 2", 0)
	s.events <- execution("completed")
	_, out = terminal.exit()
	require.NotContains(t, out, "\x1b")
}

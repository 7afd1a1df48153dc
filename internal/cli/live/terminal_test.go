//go:build !windows

package live_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"sync"
	"syscall"
	"testing"

	"github.com/creack/pty"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/cli"
	"github.com/waft-ota/waft/internal/cli/clitest"
)

func TestMain(m *testing.M) {
	clitest.RunAsWaft(cli.NewCommand, cli.Run)
	os.Exit(m.Run())
}

func watch(t *testing.T, s *stage, size *pty.Winsize, environment ...string) *clitest.Screen {
	t.Helper()
	return clitest.OnScreen(t, size, environment, "rollouts", "watch", "21", "--url", s.URL, "--project", "demo", "--api-key",
		"waft_12345678_x")
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

func TestTheTerminalIsCleanAfterEachEnd(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		end  func(*stage, *clitest.Screen)
		code int
		last string
	}{
		"ctrl+c":      {func(_ *stage, c *clitest.Screen) { c.Press("\x03") }, 130, "Rollout 21 running"},
		"terminated":  {func(_ *stage, c *clitest.Screen) { _ = c.Command.Process.Signal(syscall.SIGTERM) }, 130, "Rollout 21 running"},
		"interrupted": {func(_ *stage, c *clitest.Screen) { _ = c.Command.Process.Signal(os.Interrupt) }, 130, "Rollout 21 running"},
		"left": {func(_ *stage, c *clitest.Screen) { c.Press("q") }, 0,
			"the rollout continues; `waft rollouts watch 21` shows it again"},
		"completed":   {func(s *stage, _ *clitest.Screen) { s.events <- execution("completed") }, 0, "Rollout 21 completed"},
		"rolled back": {func(s *stage, _ *clitest.Screen) { s.events <- execution("rolled_back") }, 3, "waft: rollout 21 was rolled back"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			terminal := watch(t, s, clitest.Wide)
			terminal.Sees("Press q to leave", 0)
			c.end(s, terminal)
			code, out := terminal.Exit()
			require.Equal(t, c.code, code, out)
			clitest.RequireClean(t, out, "Rollout 21", c.last)
		})
	}
}

func TestAPanelFollowsTheSizeOfItsTerminal(t *testing.T) {
	t.Parallel()
	terminal := watch(t, newStage(t), clitest.Wide)
	at := terminal.Sees("Press q to leave", 0)
	for _, size := range []*pty.Winsize{{Rows: 12, Cols: 30}, {Rows: 50, Cols: 200}} {
		require.NoError(t, pty.Setsize(terminal.Keys, size))
		at = terminal.Sees("Rollout 21", at)
	}
	require.NoError(t, pty.Setsize(terminal.Keys, &pty.Winsize{Rows: 4, Cols: 30}))
	terminal.Sees("Rollout 21", at)
	terminal.Press("\x03")
	code, out := terminal.Exit()
	require.Equal(t, 130, code)
	clitest.RequireClean(t, out, "Rollout 21", "Rollout 21 running")
}

func TestAPanelTellsThatItReconnects(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	terminal := watch(t, s, clitest.Wide)
	at := terminal.Sees("Press q to leave", 0)
	s.setBroken(true)
	s.events <- nil
	terminal.Sees("Connection lost", at)
	s.setBroken(false)
	s.events <- execution("completed")
	code, out := terminal.Exit()
	require.Equal(t, 0, code)
	clitest.RequireClean(t, out, "Rollout 21", "Rollout 21 completed")
}

func TestNoColorAndDumbTerminals(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	terminal := watch(t, s, clitest.Wide, "NO_COLOR=1")
	terminal.Sees("Press q to leave", 0)
	s.events <- execution("completed")
	_, out := terminal.Exit()
	require.NotRegexp(t, "\x1b\\[[0-9;]*3[0-7][;m]", out)

	terminal = watch(t, s, clitest.Wide, "TERM=dumb")
	terminal.Sees("running, stage 1 of 2", 0)
	s.events <- execution("completed")
	_, out = terminal.Exit()
	require.NotContains(t, out, "\x1b")
}

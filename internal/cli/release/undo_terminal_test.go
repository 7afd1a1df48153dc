//go:build !windows

package release_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/creack/pty"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/cli/clitest"
)

// undoing returns an API with a release that follows a good release, and the bodies of the rollbacks.
func undoing(t *testing.T) (*clitest.API, chan string) {
	t.Helper()
	a, sent := clitest.New(t), make(chan string, 10)
	newest := clitest.Release(map[string]any{"id": 31, "releaseMessage": "crashes on start"})
	before := clitest.Release(map[string]any{"id": 16, "buildId": 6, "releaseMessage": "good"})
	on := func(call string, status int, record any) {
		a.On(call, func(string, http.Header) (int, any) { return status, record })
	}
	on("GET /overview", 200, []any{target("ios", "1.0.0", 27,
		map[string]any{"release": newest, "incidents": 1, "devices": 900, "crashFreePercentage": 91.0})})
	on("GET /updates/31", 200, newest)
	on("GET /updates", 200, []any{before})
	on("POST /rollback/preview", 200, map[string]any{"devicesAffected": 900})
	a.On("POST /rollback", func(body string, _ http.Header) (int, any) {
		sent <- body
		return 201, clitest.Release(map[string]any{"id": 40, "buildId": 6, "releaseMessage": "good"})
	})
	return a, sent
}

func rollbackOn(t *testing.T, a *clitest.API, size *pty.Winsize, args ...string) *clitest.Screen {
	t.Helper()
	return clitest.OnScreen(t, size, nil, append([]string{"rollback", "--url", a.URL, "--project", "demo", "--api-key",
		"waft_12345678_x"}, args...)...)
}

func TestARollbackIsChosenOnATerminal(t *testing.T) {
	t.Parallel()
	for _, size := range []*pty.Winsize{clitest.Wide, {Rows: 40, Cols: 200}} {
		a, sent := undoing(t)
		screen := rollbackOn(t, a, size, "--reason", "crash loop")
		screen.Sees("crashes on start", 0)
		screen.Press("1")
		screen.Press("\r")
		screen.Sees("would affect 900 devices", 0)
		screen.Press("y")
		code, out := screen.Exit()
		require.Equal(t, 0, code, out)
		require.JSONEq(t,
			`{"channel": "production", "platform": "ios", "runtimeVersion": "1.0.0", "rollbackToUpdateId": 16, "reason": "crash loop"}`, <-sent)
		clitest.RequireClean(t, out, "rolled back ios 1.0.0 on production", strings.TrimSpace(a.Page("releases/40")))
	}
}

func TestThePanelOfARollbackLeavesTheTerminalClean(t *testing.T) {
	t.Parallel()
	for keys, want := range map[string]struct {
		code int
		last string
	}{"\x03": {130, ""}, "q": {0, "left without a rollback"}} {
		a, sent := undoing(t)
		screen := rollbackOn(t, a, clitest.Wide)
		screen.Sees("Enter shows a preview", 0)
		screen.Press(keys)
		code, out := screen.Exit()
		require.Equal(t, want.code, code, out)
		clitest.RequireClean(t, out, want.last)
		require.Empty(t, sent)
	}
}

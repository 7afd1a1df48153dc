package cli

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/waft-ota/waft/internal/cli/clitest"

	"github.com/stretchr/testify/require"
)

func TestWhatAPersonIsToldOfAnError(t *testing.T) {
	t.Parallel()
	require.Empty(t, Message(nil))
	require.Empty(t, Message(context.Canceled))
	require.Equal(t, 130, ExitCode(context.Canceled))
	_, err := (&clitest.API{URL: "http://127.0.0.1:1"}).Run(t, NewCommand(), "rollouts", "list")
	require.Regexp(t, `connection refused; check that the server is running and that --url \(WAFT_URL\) is correct$`, Message(err))
	a := clitest.New(t)
	a.On("GET /rollout-executions", func(string, http.Header) (int, any) {
		return 400, map[string]any{
			"code": "invalid_request", "detail": "limit: expected number >= 1",
			"errors": []any{map[string]any{"field": "limit", "message": "expected number >= 1"}},
		}
	})
	_, err = a.Run(t, NewCommand(), "rollouts", "list")
	require.Equal(t, "limit: expected number >= 1 (400 invalid_request)\n  on the command line: --limit", Message(err),
		"the message appears only once")
}

func TestACallThatWaitsForApproval(t *testing.T) {
	t.Parallel()
	a := clitest.New(t)
	a.On("PATCH /updates/29", func(string, http.Header) (int, any) { return 202, map[string]any{"approval": clitest.Approval(nil)} })
	out, err := a.Run(t, NewCommand(), "releases", "edit", "29", "--percentage", "50")
	require.Empty(t, out)
	require.Equal(t, 4, ExitCode(err))
	require.Equal(t, "nothing has changed yet: approval 61 waits until another person has approved it, at the latest 2026-03-17 09:26 UTC: "+
		"publish build 12 to channel \"production\"\n"+
		"See it with `waft approvals show 61`. Someone else must approve it with `waft approvals approve 61`.\n"+
		strings.TrimSuffix(a.Page("approvals/61"), "\n"), Message(err))
}

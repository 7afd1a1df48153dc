package cli

import (
	"context"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWhatAPersonIsToldOfAnError(t *testing.T) {
	t.Parallel()
	require.Empty(t, Message(nil))
	require.Empty(t, Message(context.Canceled))
	require.Equal(t, exitInterrupted, ExitCode(context.Canceled))
	_, err := (&api{url: "http://127.0.0.1:1"}).run(t, "rollouts", "list")
	require.Regexp(t, `connection refused; is the server running, and --url \(WAFT_URL\) right\?$`, Message(err))
	a := newAPI(t)
	a.on("GET /rollout-executions", func(string, http.Header) (int, any) {
		return 400, map[string]any{
			"code": "invalid_request", "detail": "limit: expected number >= 1",
			"errors": []any{map[string]any{"field": "limit", "message": "expected number >= 1"}},
		}
	})
	_, err = a.run(t, "rollouts", "list", "--limit", "0")
	require.Equal(t, "limit: expected number >= 1 (400 invalid_request)", Message(err), "and not twice")
}

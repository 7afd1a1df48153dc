package mcp_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/cli/clitest"
)

// The numbers of devices in the preview of a flag, and with them the order of the moves, change all the time on a live project.
func TestAFlagIsSetAlthoughTheNumbersOfDevicesChange(t *testing.T) {
	t.Parallel()
	a := clitest.New(t)
	move := func(from, to string, devices int) any {
		return map[string]any{"from": from, "to": to, "devices": devices}
	}
	preview := map[string]any{
		"devicesAffected": 12, "moves": []any{move("a", "on", 7), move("b", "on", 5)}, "warnings": []any{}, "neededApprovals": []any{},
	}
	answers(a, "GET /flags", 200, []any{map[string]any{"id": 7, "key": "checkout"}})
	a.On("POST /flags/7/env/production/preview", func(string, http.Header) (int, any) { return 200, preview })
	answers(a, "PATCH /flags/7/env/production", 200, map[string]any{"enabled": true})
	s := session(t, a, "--allow-changes")
	args := map[string]any{"flag": "checkout", "channel": "production", "enabled": true}
	first, failed := call(t, s, "set_flag", args)
	require.Empty(t, failed)
	require.Len(t, first["preview"].(map[string]any)["moves"], 2, "the person sees the moves")

	preview["devicesAffected"], preview["moves"] = 15, []any{move("b", "on", 9), move("a", "on", 6), move("c", "on", 0)}
	args["confirmationToken"] = first["confirmationToken"]
	second, _ := call(t, s, "set_flag", args)
	require.Equal(t, "changed_meanwhile", second["status"], "another value is another effect")
	preview["moves"] = []any{move("a", "on", 11), move("c", "on", 10), move("b", "on", 9)}
	args["confirmationToken"] = second["confirmationToken"]
	third, failed := call(t, s, "set_flag", args)
	require.Empty(t, failed)
	require.Equal(t, "done", third["status"])
}

// A person cannot agree to what a cut preview does not show.
func TestACutPreviewCannotBeConfirmed(t *testing.T) {
	t.Parallel()
	a, s, preview := changing(t)
	for _, warnings := range [][]any{{strings.Repeat("x", 2001)}, many(50_000)} {
		preview["warnings"] = warnings
		got, failed := call(t, s, "pause_rollout", map[string]any{"id": 21})
		require.Empty(t, failed)
		require.Equal(t, "preview", got["status"])
		require.NotContains(t, got, "confirmationToken")
		require.NotContains(t, got, "expiresAt")
		require.Contains(t, got["cut"], "were cut")
		require.Contains(t, got["next"], "dashboard")
	}

	preview["warnings"] = []any{}
	first, _ := call(t, s, "pause_rollout", map[string]any{"id": 21})
	require.NotContains(t, first, "cut")
	preview["warnings"] = many(101)
	args := map[string]any{"id": 21, "confirmationToken": first["confirmationToken"]}
	second, failed := call(t, s, "pause_rollout", args)
	require.Empty(t, failed)
	require.Equal(t, "changed_meanwhile", second["status"])
	require.NotEmpty(t, second["confirmationToken"], "a list of a hundred short sentences is whole")
	preview["warnings"] = many(50_000)
	args["confirmationToken"] = second["confirmationToken"]
	third, failed := call(t, s, "pause_rollout", args)
	require.Empty(t, failed)
	require.Equal(t, "changed_meanwhile", third["status"])
	require.NotContains(t, third, "confirmationToken")
	require.NotContains(t, a.Calls(), "POST /rollout-executions/21/pause")
}

// many returns short warnings.
func many(n int) []any {
	texts := make([]any, n)
	for i := range texts {
		texts[i] = "warning " + strconv.Itoa(i)
	}
	return texts
}

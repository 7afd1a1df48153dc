package rollout_test

import (
	"net/http"
	"testing"

	"github.com/waft-ota/waft/internal/cli"
	"github.com/waft-ota/waft/internal/cli/clitest"

	"github.com/stretchr/testify/require"
)

func TestRolloutsAreListed(t *testing.T) {
	t.Parallel()
	a := clitest.New(t)
	a.On("GET /rollout-executions", func(string, http.Header) (int, any) { return 200, []any{clitest.Execution("running")} })
	out, err := a.Run(t, cli.NewCommand(), "rollouts", "list")
	require.NoError(t, err)
	require.Equal(t, "ID  RELEASE  NOTES         PLATFORM  POLICY   STATUS   STAGE   PERCENT  DEVICES  CRASH RATE  WAITING FOR\n"+
		"21  17       Faster start  ios       careful  running  1 of 2  5%       231      0.87%       duration\n", out)
}

func TestARolloutWithoutDevicesHasNoRate(t *testing.T) {
	t.Parallel()
	a := clitest.New(t)
	e := clitest.Execution("running")
	e["health"] = map[string]any{"devices": 0, "crashRate": 0, "votes": map[string]any{}}
	a.On("GET /rollout-executions", func(string, http.Header) (int, any) { return 200, []any{e} })
	a.On("GET /rollout-executions/21", func(string, http.Header) (int, any) { return 200, e })
	out, err := a.Run(t, cli.NewCommand(), "rollouts", "list")
	require.NoError(t, err)
	require.Contains(t, out, "5%       0        -           duration\n")
	out, err = a.Run(t, cli.NewCommand(), "rollouts", "show", "21")
	require.NoError(t, err)
	require.Contains(t, out, "rollout percentage 5%, 0 devices, waiting for duration")
	require.NotContains(t, out, "crash rate")
}

func TestRolloutsAreSteered(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		args []string
		call string
		body string
	}{
		"pause":    {[]string{"pause", "21", "--reason", "lunch"}, "POST /rollout-executions/21/pause", `{"reason":"lunch"}`},
		"resume":   {[]string{"resume", "21"}, "POST /rollout-executions/21/resume", `{}`},
		"advance":  {[]string{"advance", "21"}, "POST /rollout-executions/21/advance", `{}`},
		"cancel":   {[]string{"cancel", "21"}, "POST /rollout-executions/21/cancel", `{"revert":true}`},
		"rollback": {[]string{"rollback", "21"}, "POST /rollout-executions/21/rollback", `{"scope":"release"}`},
		"rollback, a flag": {
			[]string{"rollback", "21", "--scope", "flag", "--flag", "5", "--reason", "it hangs"},
			"POST /rollout-executions/21/rollback", `{"scope":"flag","flagId":5,"reason":"it hangs"}`,
		},
		"cancel, but keep": {[]string{"cancel", "21", "--keep"}, "POST /rollout-executions/21/cancel", `{"revert":false}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := clitest.New(t)
			var got string
			a.On(c.call, func(body string, _ http.Header) (int, any) {
				got = body
				return 200, clitest.Execution("paused")
			})
			out, err := a.Run(t, cli.NewCommand(), append([]string{"rollouts"}, c.args...)...)
			require.NoError(t, err)
			require.JSONEq(t, c.body, got)
			require.Equal(t, "rollout 21: paused, stage 1 of 2, rollout percentage 5%, 231 devices, crash rate 0.87% (2), "+
				"waiting for duration (5 % for an hour)\n"+a.Page("rollouts/21"), out)
		})
	}
	t.Run("a refusal is the command's error", func(t *testing.T) {
		t.Parallel()
		a := clitest.New(t)
		a.On("POST /rollout-executions/21/pause", func(string, http.Header) (int, any) {
			return 409, map[string]any{"code": "invalid_transition", "detail": "cannot pause a rollout that is completed", "requestId": "r"}
		})
		_, err := a.Run(t, cli.NewCommand(), "rollouts", "pause", "21")
		require.ErrorContains(t, err, "cannot pause a rollout that is completed (409 invalid_transition, request r)")
	})
}

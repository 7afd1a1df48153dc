package cli

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/client"
)

func TestARolloutIsShown(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.on("GET /rollout-executions/21", func(string, http.Header) (int, any) {
		e := execution("running")
		e["schedule"] = map[string]any{
			"startAt": "2026-03-14T09:00:00.000Z", "timeZone": "Europe/Berlin",
			"freezeWindows": []any{map[string]any{"days": []any{"sat", "sun"}, "from": "00:00", "to": "00:00"}, map[string]any{"from": "18:00", "to": "08:00"}},
		}
		e["linkedFlags"] = []any{map[string]any{"flagId": 5, "flagKey": "checkout", "enabled": true, "value": "true"}}
		e["timeline"] = []any{map[string]any{
			"at": "2026-03-14T09:00:00.120Z", "event": "stage_advanced", "actor": "system", "percentage": 5, "reason": "stage 1 of 2 begins",
		}}
		return 200, e
	})
	out, err := a.run(t, "rollouts", "show", "21")
	require.NoError(t, err)
	require.Equal(t, "rollout 21: running, stage 1 of 2, share 5 %, 231 devices, crash rate 0.87 % (2), evidence 0.40, waiting for duration (5 % for an hour)\n"+
		"begins at 2026-03-14 09:00:00 UTC at the earliest\n"+
		"no stage begins from 00:00 to 00:00 (sat, sun, Europe/Berlin)\n"+
		"no stage begins from 18:00 to 08:00 (every day, Europe/Berlin)\n"+
		"links the flag checkout (5)\n"+
		"2026-03-14 09:00:00  stage advanced at 5 % by system: stage 1 of 2 begins\n", out)
}

// Events that come between two records are told all the same, each once and in the
// words of the timeline.
func TestAWatchTellsEveryEventOnce(t *testing.T) {
	t.Parallel()
	var s storyteller
	e := client.RolloutExecution{Status: "running", Reason: "stage 1 begins", Timeline: []client.RolloutEvent{
		{Event: "started", Actor: "system", Percentage: 5, Reason: "stage 1 begins"},
	}}
	require.Equal(t, []string{"started at 5 % by system: stage 1 begins", "running, stage 0 of 0, share 0 % (stage 1 begins)"}, s.lines(e))
	require.Empty(t, s.lines(e))
	e.Timeline = append(e.Timeline,
		client.RolloutEvent{Event: "paused", Actor: "ci", Percentage: 5, Reason: "lunch"},
		client.RolloutEvent{Event: "rolled_back", Actor: "system", Percentage: 5, Reason: "3 of 4 devices crashed"})
	e.Status, e.Reason = "rolled_back", "3 of 4 devices crashed"
	require.Equal(t, []string{
		"paused at 5 % by ci: lunch", "rolled back at 5 % by system: 3 of 4 devices crashed",
		"rolled_back, stage 0 of 0, share 0 % (3 of 4 devices crashed)",
	}, s.lines(e))
}

func TestARollbackOfAFlagNamesIt(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	_, err := a.run(t, "rollouts", "rollback", "21", "--scope", "flag")
	require.ErrorContains(t, err, "flagId")
	_, err = a.run(t, "rollouts", "rollback", "21", "--scope", "everything")
	require.ErrorContains(t, err, "scope")
}

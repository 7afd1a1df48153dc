package rollout_test

import (
	"net/http"
	"testing"

	"github.com/waft-ota/waft/internal/cli"
	"github.com/waft-ota/waft/internal/cli/clitest"

	"github.com/stretchr/testify/require"
)

func TestARolloutIsShown(t *testing.T) {
	t.Parallel()
	a := clitest.New(t)
	a.On("GET /rollout-executions/21", func(string, http.Header) (int, any) {
		e := clitest.Execution("running")
		e["schedule"] = map[string]any{
			"startAt": "2026-03-14T09:00:00.000Z", "timeZone": "Europe/Berlin",
			"freezeWindows": []any{map[string]any{"days": []any{"sat", "sun"}, "from": "00:00", "to": "00:00"}, map[string]any{"from": "18:00", "to": "08:00"}},
		}
		e["updateUuid"], e["channel"], e["runtimeVersion"], e["workflowId"] = clitest.Group, "production", "1.0.0", "rollout/demo/21"
		e["linkedFlags"] = []any{map[string]any{"flagId": 5, "flagKey": "checkout", "enabled": true, "value": "true"}}
		e["timeline"] = []any{map[string]any{
			"at": "2026-03-14T09:00:00.120Z", "event": "stage_advanced", "actor": "system", "percentage": 5, "reason": "stage 1 of 2 begins",
		}}
		return 200, e
	})
	out, err := a.Run(t, cli.NewCommand(), "rollouts", "show", "21")
	require.NoError(t, err)
	require.Equal(t, "rollout 21: running, stage 1 of 2, rollout percentage 5%, 231 devices, crash rate 0.87% (2), waiting for duration\n"+
		"5 % for an hour\n"+
		"release “Faster start” (#17) for ios 1.0.0 on production, policy \"careful\", workflow rollout/demo/21\n"+
		"begins at 2026-03-14 09:00:00Z at the earliest\n"+
		"no stage begins from 00:00 to 00:00 (sat, sun, Europe/Berlin)\n"+
		"no stage begins from 18:00 to 08:00 (every day, Europe/Berlin)\n"+
		"linked flag checkout (5)\n"+
		"2026-03-14 09:00:00Z  stage advanced at 5% by system: stage 1 of 2 begins\n"+a.Page("rollouts/21"), out)
}

func TestARolloutThatWaitsForNetworksSaysSo(t *testing.T) {
	t.Parallel()
	shown := func(thresholds map[string]any) string {
		a := clitest.New(t)
		a.On("GET /rollout-executions/21", func(string, http.Header) (int, any) {
			e := clitest.Execution("running")
			e["waitingFor"], e["reason"], e["thresholds"] = "networks", "stage 1 of 2 (5%) is held until more networks report", thresholds
			e["health"].(map[string]any)["votes"] = map[string]any{"networks": 2, "errored": 0, "crashed": 0.5}
			return 200, e
		})
		out, err := a.Run(t, cli.NewCommand(), "rollouts", "show", "21")
		require.NoError(t, err)
		return out
	}
	require.Contains(t, shown(map[string]any{"crashRate": 1}),
		"231 devices, crash rate 0.87% (2), 25.00% by the votes of 2 networks, waiting for networks\n"+
			"stage 1 of 2 (5%) is held until more networks report\n")
	require.Contains(t, shown(map[string]any{"crashRate": 1, "minNetworks": 1}), "crash rate 0.87% (2), waiting for networks")
}

func TestTheEvidenceIsShownOnRequest(t *testing.T) {
	t.Parallel()
	const reason = "rolled back in stage 1 of 2 (5%): crash rate 6% breaches the threshold of 1% (30 of 500 devices)"
	shown := func(thresholds map[string]any, flags ...string) string {
		a := clitest.New(t)
		a.On("GET /rollout-executions/21", func(string, http.Header) (int, any) {
			e := clitest.Execution("running")
			e["reason"], e["thresholds"] = reason, thresholds
			e["timeline"] = []any{
				map[string]any{"at": "2026-03-14T09:00:00.120Z", "event": "paused", "actor": "ci", "percentage": 5, "reason": "lunch"},
				map[string]any{
					"at": "2026-03-14T09:26:53.589Z", "event": "rolled_back", "actor": "system", "percentage": 5, "reason": reason,
					"health": map[string]any{"devices": 500, "crashedDevices": 30, "crashRate": 6, "evidence": 41_234.5},
				},
			}
			return 200, e
		})
		out, err := a.Run(t, cli.NewCommand(), append([]string{"rollouts", "show", "21"}, flags...)...)
		require.NoError(t, err)
		return out
	}
	sequential := map[string]any{"crashRate": 1}
	require.Contains(t, shown(sequential), "by system: "+reason+"\n")
	require.NotContains(t, shown(sequential), "evidence")

	out := shown(sequential, "--verbose")
	require.Contains(t, out, "\n"+reason+"\n    evidence 0.40; a breach needs 20\n")
	require.Contains(t, out, "by ci: lunch\n2026", "a command has no observation")
	require.Contains(t, out, "by system: "+reason+"\n    evidence over 1000; a breach needs 20\n")

	point := map[string]any{"crashRate": 1, "method": "point"}
	require.Contains(t, shown(point, "--verbose"), "evidence 0.40; the method point does not use it\n")
}

func TestARollbackOfAFlagNamesIt(t *testing.T) {
	t.Parallel()
	a := clitest.New(t)
	_, err := a.Run(t, cli.NewCommand(), "rollouts", "rollback", "21", "--scope", "flag")
	require.EqualError(t, err, "--flag is required with scope flag: name the linked flag to revert")
	_, err = a.Run(t, cli.NewCommand(), "rollouts", "rollback", "21", "--scope", "everything")
	require.EqualError(t, err, "--scope must be flag, release or channel")
}

// After a rollback, the output shows the release that devices have now and the reports that did not count.
func TestARolloutThatWasTakenBackShowsWhatTookItsPlace(t *testing.T) {
	t.Parallel()
	a := clitest.New(t)
	a.On("GET /rollout-executions/21", func(string, http.Header) (int, any) {
		e := clitest.Execution("rolled_back")
		e["successor"] = map[string]any{"updateId": 41, "updateUuid": clitest.Group, "groupId": clitest.Group}
		e["health"].(map[string]any)["ignoredDevices"] = 7
		e["health"].(map[string]any)["ignoredReasons"] = map[string]any{"notServed": 4, "notInShare": 3}
		return 200, e
	})
	a.On("GET /updates/41", func(string, http.Header) (int, any) {
		return 200, map[string]any{"id": 41, "kind": "update", "rolledBackUpdateIds": []int{17}, "republishedFromId": 12, "releaseMessage": "spring"}
	})
	out, err := a.Run(t, cli.NewCommand(), "rollouts", "show", "21")
	require.NoError(t, err)
	require.Contains(t, out, "rollout 21: rolled back, stage 1 of 2")
	require.Contains(t, out, "7 devices are not counted: 4 were not served the release, 3 are outside the rollout, 0 exceeded the rate limit\n")
	require.Contains(t, out, "devices that had release 17 get release 41: copy of release 12, which replaces 17: spring\n")
}

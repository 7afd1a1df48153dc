package cli

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/client"
)

// Events that come between two records are told all the same, each once, at the time
// and in the words of the timeline.
func TestAWatchTellsEveryEventOnce(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 14, 9, 26, 53, 0, time.FixedZone("CET", 3600))
	var s storyteller
	e := client.RolloutExecution{Status: "running", Reason: "stage 1 begins", Timeline: []client.RolloutEvent{
		{At: at, Event: "started", Actor: "system", Percentage: 5, Reason: "stage 1 begins"},
	}}
	require.Equal(t, []string{
		"2026-03-14 08:26:53Z  started at 5 % by system: stage 1 begins",
		"2026-03-14 09:26:53Z  running, stage 0 of 0, share 0 %",
	}, s.lines(e, at.Add(time.Hour)))
	require.Empty(t, s.lines(e, at.Add(2*time.Hour)))
	e.Timeline = append(e.Timeline,
		client.RolloutEvent{At: at.Add(time.Minute), Event: "paused", Actor: "ci", Percentage: 5, Reason: "lunch"},
		client.RolloutEvent{At: at.Add(2 * time.Minute), Event: "rolled_back", Actor: "system", Percentage: 5, Reason: "crash rate 75 % breaches the limit of 1 %"})
	e.Status, e.Reason = "rolled_back", "crash rate 75 % breaches the limit of 1 %"
	require.Equal(t, []string{
		"2026-03-14 08:27:53Z  paused at 5 % by ci: lunch",
		"2026-03-14 08:28:53Z  rolled back at 5 % by system: crash rate 75 % breaches the limit of 1 %",
		"2026-03-14 08:28:53Z  rolled back, stage 0 of 0, share 0 %",
	}, s.lines(e, at.Add(2*time.Minute)))
	e.Reason = "another word for it"
	require.Equal(t, []string{"2026-03-14 08:28:53Z  rolled back, stage 0 of 0, share 0 % (another word for it)"}, s.lines(e, at.Add(2*time.Minute)))
}

// A script that waits for a rollout must see by the exit code how it ended.
func TestTheExitCodeOfAWatchIsHowTheRolloutEnded(t *testing.T) {
	t.Parallel()
	for status, code := range map[string]int{"completed": 0, "rolled_back": 3, "cancelled": 3} {
		for _, format := range []string{"--json", "--json=false"} {
			t.Run(status+" "+format, func(t *testing.T) {
				t.Parallel()
				e := execution(status)
				e["reason"] = "told so"
				event, err := json.Marshal(e)
				require.NoError(t, err)
				server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if r.URL.Path != "/v1/ota/rollout-executions/21/stream" {
						http.NotFound(w, r)
						return
					}
					w.Header().Set("Content-Type", "text/event-stream")
					_, _ = w.Write(append(append([]byte("event: execution\ndata: "), event...), "\n\n"...)) // the command reports a broken stream
				}))
				t.Cleanup(server.Close)
				out, err := (&api{url: server.URL}).run(t, "rollouts", "watch", "21", format)
				require.Equal(t, code, ExitCode(err))
				if code != 0 {
					require.EqualError(t, err, "rollout 21 was "+words(status)+": told so")
				}
				if format == "--json" {
					require.True(t, json.Valid([]byte(out)), out)
				} else {
					require.Contains(t, out, "Z  "+words(status)+", stage 1 of 2, share 5 %")
				}
			})
		}
	}
}

package rollout

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/client"
)

// Events between two records are printed too, each once, with the time and the words of the timeline.
func TestAWatchTellsEveryEventOnce(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 14, 9, 26, 53, 0, time.FixedZone("CET", 3600))
	var s storyteller
	e := client.RolloutExecution{Status: "running", Reason: "stage 1 begins", Timeline: []client.RolloutEvent{
		{At: at, Event: "started", Actor: "system", Percentage: 5, Reason: "stage 1 begins"},
	}}
	require.Equal(t, []string{
		"2026-03-14 08:26:53Z  started at 5% by system: stage 1 begins",
		"2026-03-14 09:26:53Z  running, stage 0 of 0, rollout percentage 0%",
	}, s.lines(e, at.Add(time.Hour)))
	require.Empty(t, s.lines(e, at.Add(2*time.Hour)))
	e.Timeline = append(e.Timeline,
		client.RolloutEvent{At: at.Add(time.Minute), Event: "paused", Actor: "ci", Percentage: 5, Reason: "lunch"},
		client.RolloutEvent{At: at.Add(2 * time.Minute), Event: "rolled_back", Actor: "system", Percentage: 5, Reason: "crash rate 75% breaches the threshold of 1%"})
	e.Status, e.Reason = "rolled_back", "crash rate 75% breaches the threshold of 1%"
	require.Equal(t, []string{
		"2026-03-14 08:27:53Z  paused at 5% by ci: lunch",
		"2026-03-14 08:28:53Z  rolled back at 5% by system: crash rate 75% breaches the threshold of 1%",
		"2026-03-14 08:28:53Z  rolled back, stage 0 of 0, rollout percentage 0%",
	}, s.lines(e, at.Add(2*time.Minute)))
	e.Reason = "another word for it"
	require.Equal(t, []string{"2026-03-14 08:28:53Z  rolled back, stage 0 of 0, rollout percentage 0% (another word for it)"}, s.lines(e, at.Add(2*time.Minute)))
}

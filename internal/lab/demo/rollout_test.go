package demo

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// seen returns a rollout at a second of the server's clock, with its timeline so far.
func seen(status models.ExecutionStatus, ended int, timeline ...models.RolloutEvent) models.RolloutExecution {
	e := models.RolloutExecution{Status: status, Timeline: timeline}
	if !status.Open() {
		e.EndedAt = new(second(ended))
	}
	return e
}

func event(at int, kind models.RolloutEventKind, percentage float64) models.RolloutEvent {
	return models.RolloutEvent{At: second(at), Event: kind, Percentage: percentage}
}

func TestARolloutRemembersItsStepsAndItsEnd(t *testing.T) {
	t.Parallel()
	var r rollout
	started, advanced := event(1, models.EventStarted, 5), event(5, models.EventStageAdvanced, 100)
	paused, completed := event(3, models.EventPaused, 5), event(9, models.EventCompleted, 100)
	for i, c := range []struct {
		execution      models.RolloutExecution
		stepped, ended bool
	}{
		{seen(models.ExecutionRunning, 0), false, false},
		{seen(models.ExecutionRunning, 0, started), true, false},
		{seen(models.ExecutionPaused, 0, started, paused), false, false},
		{seen(models.ExecutionRunning, 0, started, paused, advanced), true, false},
		{seen(models.ExecutionCompleted, 9, started, paused, advanced, completed), false, true},
		{seen(models.ExecutionCompleted, 9, started, paused, advanced, completed), false, false},
	} {
		stepped, ended := r.see(c.execution, second(10+i))
		require.Equal(t, c.stepped, stepped, i)
		require.Equal(t, c.ended, ended, i)
	}
	require.Equal(t, []float64{5, 100}, r.shares())
	require.Equal(t, second(14), r.endedAt())
	require.Equal(t, 100.0, r.reached())
}

// The demo knows stages that were over before it could observe them. They end by the server's clock, which may differ.
func TestLateNewsOfAStagesEndDoesNotStretchIt(t *testing.T) {
	t.Parallel()
	r := rollout{asked: second(0)}
	r.release.CreatedAt = second(101) // the server's clock is 100 seconds ahead, and publishing took one second
	stepped, ended := r.see(seen(models.ExecutionCompleted, 112,
		event(101, models.EventStarted, 5), event(105, models.EventStageAdvanced, 25), event(108, models.EventStageAdvanced, 100)), second(60))
	require.True(t, stepped)
	require.True(t, ended)
	shares, until := r.stages()
	require.Equal(t, []float64{5, 25, 100}, shares)
	require.Equal(t, []time.Time{second(4), second(7), second(11)}, until)
}

package demo

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

func TestARolloutRemembersItsStepsAndItsEnd(t *testing.T) {
	t.Parallel()
	var r rollout
	see := func(at int, status models.ExecutionStatus, percentage float64) (stepped, ended bool) {
		return r.see(models.RolloutExecution{Status: status, Percentage: percentage}, second(at))
	}
	for _, c := range []struct {
		at             int
		status         models.ExecutionStatus
		percentage     float64
		stepped, ended bool
	}{
		{0, models.ExecutionRunning, 0, false, false},
		{1, models.ExecutionRunning, 5, true, false},
		{2, models.ExecutionRunning, 5, false, false},
		{3, models.ExecutionPaused, 5, false, false},
		{5, models.ExecutionRunning, 100, true, false},
		{9, models.ExecutionCompleted, 100, false, true},
		{10, models.ExecutionCompleted, 100, false, false},
	} {
		stepped, ended := see(c.at, c.status, c.percentage)
		require.Equal(t, c.stepped, stepped, "second %d", c.at)
		require.Equal(t, c.ended, ended, "second %d", c.at)
	}
	require.Equal(t, []float64{5, 100}, r.shares())
	require.Equal(t, second(9), r.endedAt())
	require.Equal(t, 100.0, r.reached())

	_, from, to := r.window(0)
	require.Equal(t, second(1).Add(settle), from)
	require.Equal(t, second(5).Add(-settle), to)
	_, from, to = r.window(1)
	require.Equal(t, 3*time.Second, to.Sub(from))
}

func TestLateNewsOfAStagesEndDoesNotStretchIt(t *testing.T) {
	t.Parallel()
	var r rollout
	// The server's clock is 100 seconds ahead; the first news takes no time, the
	// second four seconds, the third one.
	ahead := 100
	see := func(at, happened int, status models.ExecutionStatus, percentage float64) {
		e := models.RolloutExecution{Status: status, Percentage: percentage, StageStartedAt: second(happened + ahead)}
		if !status.Open() {
			e.EndedAt = new(second(happened + ahead))
		}
		r.see(e, second(at))
	}
	see(1, 1, models.ExecutionRunning, 5)
	see(9, 5, models.ExecutionRunning, 100)
	see(13, 12, models.ExecutionCompleted, 100)
	_, from, to := r.window(0)
	require.Equal(t, second(1).Add(settle), from)
	require.Equal(t, second(5).Add(-settle), to)
	_, from, to = r.window(1)
	require.Equal(t, second(9).Add(settle), from, "the beginning is when we knew")
	require.Equal(t, second(12).Add(-settle), to)
}

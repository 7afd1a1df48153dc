package workflows_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
	"github.com/waft-ota/waft/workflows"
)

// moved writes the row instead of the workflow, as an emergency stop and its end do. If told is true, it also signals the
// workflow.
func moved(status models.ExecutionStatus, told bool) func(*play) {
	return func(p *play) {
		p.set(func(fake *fakeRollout) {
			row := &fake.subject.Execution
			now := p.env.Now().UTC()
			row.Version++
			row.Status, row.RunID = status, ""
			row.Progress.Clock = row.Progress.Clock.Stopped(now)
			if row.PausedAt = nil; status == models.ExecutionPaused {
				row.PausedAt = &now
			} else {
				row.Progress.Clock = row.Progress.Clock.Started(now)
			}
		})
		if told {
			p.env.SignalWorkflow(workflows.SignalReverted, models.RolloutReverted{WorkflowID: "rollout/demo/12"})
		}
	}
}

// A rollout continues from the row that an emergency stop wrote, whether the signal or its next step reveals the stop. While it
// is stopped, it does not advance; afterwards it goes through its stages.
func TestARolloutFollowsAnEmergencyStop(t *testing.T) {
	t.Parallel()
	for name, told := range map[string]bool{"that it hears of": true, "that it finds": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := perform(t, newFakeRollout(startOfPlay, slow(), rollingBack),
				at(minute, reports(500, 0)),
				at(10*minute, moved(models.ExecutionPaused, told)),
				at(4*hour, func(p *play) {
					require.Equal(t, 0, p.subject.Execution.StageIndex)
					moved(models.ExecutionRunning, true)(p)
				}))
			require.NoError(t, p.err)
			require.Equal(t, models.ExecutionCompleted, p.result.Status)
		})
	}
}

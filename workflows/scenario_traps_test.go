package workflows_test

import (
	"maps"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
	"github.com/waft-ota/waft/workflows"
)

func init() { maps.Copy(scenarios, trapScenarios) }

// reverted ends the rollout in the store without the workflow, as a manual rollback does, and signals the workflow.
func reverted(p *play) {
	p.set(func(fake *fakeRollout) {
		fake.subject.Execution.Status, fake.subject.Execution.Reason = models.ExecutionRolledBack, "rolled back by hand"
		fake.subject.Execution.Version++
	})
	p.env.SignalWorkflow(workflows.SignalReverted, models.RolloutReverted{WorkflowID: "rollout/demo/12"})
}

// trapScenarios are situations that other rollout tools are known to handle incorrectly.
var trapScenarios = map[string]scenario{
	"a cancel while paused takes the release back": {
		acts: func() []*act {
			return []*act{at(minute, command(models.CommandPause)), at(2*hour, command(models.CommandCancel))}
		},
		story: []string{
			"0s started: running stage 0 5% duration",
			"1m0s paused: paused stage 0 5% resume",
			"2h0m0s cancelled: cancelled stage 0 5%  revert",
		},
		reason: "cancelled by alice",
	},
	"paused twice, a stage's clock counts what ran and nothing else": {
		acts: func() []*act {
			return []*act{
				at(10*second, reports(1000, 1)),
				at(20*minute, command(models.CommandPause)), at(hour, command(models.CommandResume)),
				at(hour+30*minute, command(models.CommandPause)), at(5*hour, command(models.CommandResume)),
				at(5*hour+30*minute, command(models.CommandCancel)),
			}
		},
		story: []string{
			"0s started: running stage 0 5% duration",
			"20m0s paused: paused stage 0 5% resume",
			"1h0m0s resumed: running stage 0 5% duration",
			"1h30m0s paused: paused stage 0 5% resume",
			"5h0m0s resumed: running stage 0 5% duration",
			"5h10m0s stage_advanced: running stage 1 25% duration",
			"5h30m0s cancelled: cancelled stage 1 25%  revert",
		},
		reason: "cancelled by alice",
	},
	"a gate that holds a second time holds": {
		thresholds: gating,
		acts: func() []*act {
			return []*act{
				at(30*minute, spike(1000, 50)), at(40*minute, spike(20_000, 50)), at(50*minute, spike(21_000, 2000)),
				at(3*hour, command(models.CommandPause)), at(4*hour, command(models.CommandResume)),
				at(4*hour+minute, command(models.CommandCancel)),
			}
		},
		story: []string{
			"0s started: running stage 0 5% duration",
			"30m0s held: running stage 0 5% threshold",
			"40m0s held: running stage 0 5% duration",
			"50m0s held: running stage 0 5% threshold",
			"3h0m0s paused: paused stage 0 5% resume",
			"4h0m0s resumed: running stage 0 5% ",
			"4h0m0s held: running stage 0 5% threshold",
			"4h1m0s cancelled: cancelled stage 0 5%  revert",
		},
		reason: "cancelled by alice",
	},
}

// A manual rollback ends a rollout that is held or paused, wherever its history is cut. The workflow does not write afterwards.
func TestARollbackByHandEndsARolloutThatWaits(t *testing.T) {
	t.Parallel()
	for name, s := range map[string]scenario{
		"at a gate": {
			thresholds: gating,
			acts:       func() []*act { return []*act{at(30*minute, spike(1000, 50)), at(40*minute, reverted)} },
			story:      []string{"0s started: running stage 0 5% duration", "30m0s held: running stage 0 5% threshold"},
		},
		"paused": {
			acts:  func() []*act { return []*act{at(minute, command(models.CommandPause)), at(2*hour, reverted)} },
			story: []string{"0s started: running stage 0 5% duration", "1m0s paused: paused stage 0 5% resume"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, stepsPerRun := range []int{0, 1, 2, 7} {
				p := s.play(t, stepsPerRun)
				require.NoError(t, p.err)
				require.Equal(t, s.story, p.story())
				require.Equal(t, models.ExecutionRolledBack, p.result.Status)
				require.Equal(t, "rolled back by hand", p.result.Reason)
			}
		})
	}
}

package workflows_test

import (
	"maps"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/models"
	"github.com/waft-ota/waft/workflows"
)

func init() { maps.Copy(scenarios, flagScenarios) }

// linksTwoFlags makes the release link two flags.
func linksTwoFlags(fake *fakeRollout) { fake.subject.LinkedFlags = 2 }

// unlinkedUnheard returns an act that manually reverts a flag whose signal does not arrive. left is the number of flags that
// the release still links.
func unlinkedUnheard(left int) func(*play) {
	return func(p *play) { p.set(func(fake *fakeRollout) { fake.unlink(left, p.env.Now().UTC()) }) }
}

// unlinked returns an act that manually reverts a flag whose signal arrives immediately.
func unlinked(left int) func(*play) {
	return func(p *play) {
		unlinkedUnheard(left)(p)
		relinked(left)(p)
		p.watched() // the store prompts the watcher
	}
}

// relinked returns an act that signals the current state of the row.
func relinked(left int) func(*play) {
	return func(p *play) {
		p.env.SignalWorkflow(workflows.SignalRelinked, models.RolloutRelinked{
			WorkflowID: "rollout/demo/12", LinkedFlags: left, CountsSince: p.row().CountsSince,
		})
	}
}

// flagScenarios are scenarios in which flags are manually reverted during the rollout of their release. The store writes the
// event; the workflow does not.
var flagScenarios = map[string]scenario{
	"a flag taken back by hand: what crashed before counts no more, and the stage begins again": {
		prepare: linksFlags,
		acts: func() []*act {
			return []*act{
				at(30*minute, spike(1100, 6)), at(40*minute, unlinked(0)), at(50*minute, spike(900, 1)),
				at(hour+40*minute+5*second, command(models.CommandCancel)),
			}
		},
		story: []string{
			"0s started: running stage 0 5% duration",
			"30m0s held: running stage 0 5% threshold",
			"40m0s held: running stage 0 5% duration",
			"1h40m0s stage_advanced: running stage 1 25% duration",
			"1h40m5s cancelled: cancelled stage 1 25%  revert",
		},
		reason: "cancelled by alice",
	},
	"a rollback decided before a flag was taken back by hand does not happen": {
		prepare: linksFlags,
		acts: func() []*act {
			return []*act{
				at(30*minute, func(p *play) {
					spike(1100, 60)(p)
					unlinkedUnheard(0)(p)
				}),
				at(50*minute, spike(900, 1)), at(hour+31*minute, command(models.CommandCancel)),
			}
		},
		story: []string{
			"0s started: running stage 0 5% duration",
			"1h30m0s stage_advanced: running stage 1 25% duration",
			"1h31m0s cancelled: cancelled stage 1 25%  revert",
		},
		reason: "cancelled by alice",
	},
	"a release with a breach also without the flag is rolled back on the health since then": {
		prepare: linksFlags,
		acts: func() []*act {
			return []*act{at(30*minute, reports(1100, 6)), at(40*minute, unlinked(0)), at(50*minute, spike(500, 30))}
		},
		story: []string{
			"0s started: running stage 0 5% duration",
			"33m0s held: running stage 0 5% threshold",
			"40m0s held: running stage 0 5% duration",
			"50m0s rolled_back: rolled_back stage 0 5%  revert",
		},
		reason: "rolled back in stage 1 of 3 (5%): crash rate 6% breaches the threshold of 0.5% (30 of 500 devices)",
	},
	"a graduated rollback has no flags to take back that went by hand": {
		thresholds: graduated, prepare: linksFlags,
		acts: func() []*act {
			return []*act{at(20*minute, unlinked(0)), at(40*minute, spike(500, 30))}
		},
		story: []string{
			"0s started: running stage 0 5% duration",
			"40m0s rolled_back: rolled_back stage 0 5%  revert",
		},
		reason: "rolled back in stage 1 of 3 (5%): crash rate 6% breaches the threshold of 0.5% (30 of 500 devices)",
	},
	"a graduated rollback takes the flags back that are left": {
		thresholds: graduated, prepare: linksTwoFlags,
		acts: func() []*act {
			return []*act{at(20*minute, unlinked(1)), at(40*minute, spike(500, 30)), at(50*minute, spike(400, 30))}
		},
		story: []string{
			"0s started: running stage 0 5% duration",
			"40m0s flags_reverted: running stage 0 5% duration drops flags",
			"50m0s rolled_back: rolled_back stage 0 5%  revert",
		},
		reason: "rolled back in stage 1 of 3 (5%): crash rate 7.5% breaches the threshold of 0.5% (30 of 400 devices)",
	},
	"a graduated rollback takes a flag back that was linked under way": {
		thresholds: graduated,
		acts: func() []*act {
			return []*act{
				at(20*minute, func(p *play) {
					p.set(linksFlags)
					relinked(1)(p)
				}),
				at(40*minute, spike(500, 30)), at(50*minute, command(models.CommandCancel)),
			}
		},
		story: []string{
			"0s started: running stage 0 5% duration",
			"40m0s flags_reverted: running stage 0 5% duration drops flags",
			"50m0s cancelled: cancelled stage 0 5%  revert",
		},
		reason: "cancelled by alice",
	},
	"a graduated rollback that finds no flags takes the release": {
		thresholds: graduated, prepare: linksFlags,
		acts: func() []*act {
			return []*act{at(40*minute, func(p *play) {
				p.set(func(fake *fakeRollout) { fake.subject.LinkedFlags = 0 })
				spike(500, 30)(p)
			})}
		},
		story: []string{
			"0s started: running stage 0 5% duration",
			"40m0s rolled_back: rolled_back stage 0 5%  revert",
		},
		reason: "rolled back in stage 1 of 3 (5%): crash rate 6% breaches the threshold of 0.5% (30 of 500 devices)",
	},
	"a command after a flag was taken back unheard is carried out": {
		prepare: linksFlags,
		acts: func() []*act {
			return []*act{
				at(20*minute, func(p *play) {
					unlinkedUnheard(0)(p)
					command(models.CommandPause)(p)
				}),
				at(30*minute, command(models.CommandResume)), at(31*minute, reports(500, 1)),
				at(hour+35*minute, command(models.CommandCancel)),
			}
		},
		story: []string{
			"0s started: running stage 0 5% duration",
			"20m0s paused: paused stage 0 5% resume",
			"30m0s resumed: running stage 0 5% duration",
			"1h30m0s stage_advanced: running stage 1 25% duration",
			"1h35m0s cancelled: cancelled stage 1 25%  revert",
		},
		reason: "cancelled by alice",
	},
	"a flag taken back while paused: the stage's clock begins when it is resumed": {
		prepare: linksFlags,
		acts: func() []*act {
			return []*act{
				at(10*second, reports(500, 1)),
				at(20*minute, command(models.CommandPause)), at(30*minute, unlinked(0)), at(31*minute, spike(500, 1)),
				at(40*minute, command(models.CommandResume)), at(hour+50*minute, command(models.CommandCancel)),
			}
		},
		story: []string{
			"0s started: running stage 0 5% duration",
			"20m0s paused: paused stage 0 5% resume",
			"40m0s resumed: running stage 0 5% duration",
			"1h40m0s stage_advanced: running stage 1 25% duration",
			"1h50m0s cancelled: cancelled stage 1 25%  revert",
		},
		reason: "cancelled by alice",
	},
	"a flag taken back opens a gate that it closed": {
		thresholds: gating, prepare: linksFlags,
		acts: func() []*act {
			return []*act{
				at(30*minute, spike(1000, 50)), at(2*hour, unlinked(0)), at(2*hour+minute, spike(500, 1)),
				at(3*hour+minute, command(models.CommandCancel)),
			}
		},
		story: []string{
			"0s started: running stage 0 5% duration",
			"30m0s held: running stage 0 5% threshold",
			"2h0m0s held: running stage 0 5% duration",
			"3h0m0s stage_advanced: running stage 1 25% duration",
			"3h1m0s cancelled: cancelled stage 1 25%  revert",
		},
		reason: "cancelled by alice",
	},
	"a flag taken back before the rollout's time changes nothing of that": {
		prepare: func(fake *fakeRollout) {
			linksFlags(fake)
			startsAt(2 * hour)(fake)
		},
		acts: func() []*act {
			return []*act{at(hour, unlinked(0)), at(2*hour+minute, command(models.CommandCancel))}
		},
		story: []string{
			"2h0m0s started: running stage 0 5% duration",
			"2h1m0s cancelled: cancelled stage 0 5%  revert",
		},
		reason: "cancelled by alice",
	},
}

// Signals can arrive in any order. A signal of an earlier rollback, or a repeated signal, has no effect.
func TestOldNewsOfFlagsChangesNothing(t *testing.T) {
	t.Parallel()
	var first, state rollout.State
	p := perform(t, prepared(linksTwoFlags, graduated),
		at(20*minute, unlinked(1)),
		at(30*minute, unlinked(0)),
		at(31*minute-second, func(p *play) { first = p.state() }),
		at(31*minute, relinked(0)),
		at(40*minute, func(p *play) {
			first := startOfPlay.Add(20 * minute)
			p.env.SignalWorkflow(workflows.SignalRelinked, models.RolloutRelinked{LinkedFlags: 1, CountsSince: &first})
		}),
		at(41*minute, func(p *play) {
			p.env.SignalWorkflow(workflows.SignalRelinked, models.RolloutRelinked{LinkedFlags: 2})
		}),
		at(50*minute, func(p *play) {
			state = p.state()
			command(models.CommandCancel)(p)
		}))
	require.NoError(t, p.err)
	require.Zero(t, first.LinkedFlags)
	require.Zero(t, state.LinkedFlags)
	require.Equal(t, startOfPlay.Add(30*minute), *state.Execution.CountsSince)
	require.Equal(t, startOfPlay.Add(30*minute), state.Execution.StageStartedAt)
	require.Equal(t, 20*minute, state.Execution.Progress.Clock.Elapsed(startOfPlay.Add(50*minute)))
	require.Len(t, p.written(), p.attempts, "nothing rested on what the store knew better")
}

// state returns the state of the workflow.
func (p *play) state() (s rollout.State) {
	value, err := p.env.QueryWorkflow(workflows.QueryState)
	require.NoError(p.t, err)
	require.NoError(p.t, value.Get(&s))
	return s
}

// prepared returns a fake rollout after some change to it.
func prepared(prepare func(*fakeRollout), thresholds models.Thresholds) *fakeRollout {
	fake := newFakeRollout(startOfPlay, hourly(), thresholds)
	prepare(fake)
	return fake
}

// After the loss of a workflow, the row still contains the time from which health counts.
func TestAnExecutionWhoseWorkflowWasLostCountsFromWhenItsFlagWent(t *testing.T) {
	t.Parallel()
	fake := newFakeRollout(startOfPlay.Add(-5*hour), hourly(), rollingBack)
	since := startOfPlay.Add(-hour)
	row := &fake.subject.Execution
	row.Version, row.Percentage, row.StageStartedAt, row.CountsSince = 9, 5, since, &since
	p := perform(t, fake, at(minute, command(models.CommandCancel)))
	require.NoError(t, p.err)
	require.Equal(t, since, p.queries[0].Since)
}

// The next observation shows the restarted stage in the row.
func TestTheRowTellsThatAStageBeganAgain(t *testing.T) {
	t.Parallel()
	var before, after models.RolloutExecution
	p := perform(t, prepared(linksFlags, rollingBack),
		at(40*minute, unlinked(0)),
		at(40*minute-second, func(p *play) { before = p.row() }),
		at(40*minute+second, func(p *play) {
			after = p.row()
			command(models.CommandCancel)(p)
		}))
	require.NoError(t, p.err)
	require.Equal(t, "stage 1 of 3 (5%) runs until at least 2026-05-04 04:00:00 UTC", before.Reason)
	require.Equal(t, "stage 1 of 3 (5%) runs until at least 2026-05-04 04:40:00 UTC", after.Reason)
	require.Equal(t, startOfPlay.Add(40*minute), after.StageStartedAt)
}

// An observation that was under way when the flag was reverted belongs to the time before, however late its result arrives.
func TestALookFromBeforeAFlagWentIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	fake := prepared(linksFlags, rollingBack)
	answer := make(chan struct{})
	p := perform(t, fake,
		at(40*minute, func(p *play) {
			p.set(func(fake *fakeRollout) { fake.slow = answer })
			spike(500, 50)(p)
		}),
		at(40*minute+50*time.Millisecond, func(p *play) {
			require.Positive(t, p.observations())
			p.set(func(fake *fakeRollout) { fake.slow = nil })
			unlinked(0)(p)
			close(answer)
		}),
		at(50*minute, command(models.CommandCancel)))
	require.NoError(t, p.err)
	require.Equal(t, []string{"0s started: running stage 0 5% duration", "50m0s cancelled: cancelled stage 0 5%  revert"}, p.story())
}

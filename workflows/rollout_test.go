package workflows_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/temporal"

	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/models"
	"github.com/waft-ota/waft/workflows"
)

// perform plays acts on a fake rollout that the test has arranged.
func perform(t *testing.T, fake *fakeRollout, acts ...*act) *play {
	t.Helper()
	p := &play{fakeRollout: fake, t: t, acts: acts, answers: map[string]error{}}
	p.perform()
	return p
}

func TestTheFirstChangeAppliesTheFirstStagesShare(t *testing.T) {
	t.Parallel()
	p := perform(t, newFakeRollout(startOfPlay.Add(-time.Minute), hourly(), rollingBack), at(minute, command(models.CommandCancel)))
	first := p.written()[0]
	started := startOfPlay
	require.Equal(t, models.ExecutionChange{
		ProjectID: 7, ExecutionID: 12, Seq: 1, Status: models.ExecutionRunning, WaitingFor: models.WaitDuration,
		Reason: "stage 1 of 3 (5%) begins", Percentage: 5, StageStartedAt: started, RunID: "default-test-run-id",
		Progress: models.StageProgress{Clock: models.StageClock{}.Started(started)},
		Event: &models.RolloutEvent{
			ExecutionID: 12, ProjectID: 7, At: started, Event: models.EventStarted, Actor: "system",
			Percentage: 5, Reason: "stage 1 of 3 (5%) begins",
		},
		Actor: models.SystemActor("rollout"),
	}, first)
}

func TestACommandsChangeNamesItsActorAndReason(t *testing.T) {
	t.Parallel()
	p := perform(t, newFakeRollout(startOfPlay, hourly(), rollingBack),
		at(second, spike(200, 1)),
		at(minute, commandWith(models.CommandAdvance, workflows.RolloutCommandInput{Actor: alice, Reason: "looks good"})),
		at(2*minute, command(models.CommandCancel)))
	changes := p.written()
	var advanced models.ExecutionChange
	for _, c := range changes {
		if c.Event != nil && c.Event.Event == models.EventStageAdvanced {
			advanced = c
		}
	}
	require.Equal(t, alice, advanced.Actor)
	require.Equal(t, "looks good", advanced.Reason)
	require.Equal(t, "looks good", advanced.Event.Reason)
	require.Equal(t, "alice", advanced.Event.Actor)
	require.Equal(t, []int{0, 1}, []int{advanced.Event.FromStage, advanced.Event.ToStage})
	require.Equal(t, startOfPlay.Add(minute), advanced.StageStartedAt)
	require.Equal(t, int64(200), advanced.Event.Health.Devices)
	require.InDelta(t, 0.5, advanced.Event.Health.CrashRate, 1e-9)
	last := changes[len(changes)-1]
	require.Equal(t, startOfPlay.Add(2*minute), *last.EndedAt)
	require.True(t, last.Revert)
}

func TestAPauseKeepsItsReasonWhileItIsWatched(t *testing.T) {
	t.Parallel()
	var paused models.RolloutExecution
	p := perform(t, newFakeRollout(startOfPlay, hourly(), rollingBack),
		at(minute, commandWith(models.CommandPause, workflows.RolloutCommandInput{Actor: alice, Reason: "waiting for support"})),
		at(10*minute, reports(500, 1)),
		at(20*minute, func(p *play) { paused = p.row() }),
		at(21*minute, command(models.CommandCancel)))
	require.NoError(t, p.err)
	require.Equal(t, "waiting for support", paused.Reason)
	require.Equal(t, startOfPlay.Add(minute), *paused.PausedAt)
	require.Equal(t, int64(500), paused.Health.Devices, "the numbers go on being shown")
	require.Nil(t, p.row().PausedAt)
}

func TestHealthIsAskedForInThePresentShareSinceTheStart(t *testing.T) {
	t.Parallel()
	since := startOfPlay.Add(-3 * time.Second)
	p := perform(t, newFakeRollout(since, hourly(), rollingBack), at(second, reports(1000, 0)))
	require.Equal(t, models.HealthQuery{
		ProjectID: 7, UpdateUUID: updateUUID.String(), Salt: "release:8b0b1c1e-6d7a-4f7e-9a49-6d7d9f0c7a11", Percentage: 5, Since: since,
		MaxPerNetwork: 100, MaxPerAllocation: 100, // the stage's minDevices, because the policy has minNetworks 1
		AllocationVotes: 20,
	}, p.queries[0])
	require.InDelta(t, 100, p.queries[len(p.queries)-1].Percentage, 0)
}

func TestARolloutAtRestDoesNothing(t *testing.T) {
	t.Parallel()
	p := perform(t, newFakeRollout(startOfPlay, hourly(), rollingBack),
		at(second, reports(1000, 1)),
		at(minute, func(p *play) { p.set(func(fake *fakeRollout) { fake.queries, fake.changes = nil, nil }) }),
		at(hour-second, func(p *play) {
			require.Zero(t, p.observations())
			require.Empty(t, p.written())
			require.Equal(t, int64(1000), p.row().Health.Devices, "the watcher shows the numbers")
			require.Equal(t, startOfPlay.Add(57*minute), p.row().Health.CheckedAt)
			require.Equal(t, "stage 1 of 3 (5%) runs until at least 2026-05-04 04:00:00 UTC", p.row().Reason)
			command(models.CommandCancel)(p)
		}))
	require.NoError(t, p.err)
}

func TestWakesWhileARolloutObservesAskForOneMoreObservation(t *testing.T) {
	t.Parallel()
	fake := newFakeRollout(startOfPlay, hourly(), rollingBack)
	answer := make(chan struct{})
	p := perform(t, fake,
		at(30*minute, func(p *play) {
			p.set(func(fake *fakeRollout) { fake.slow = answer })
			p.env.SignalWorkflow(workflows.SignalWake, nil)
		}),
		at(30*minute+50*time.Millisecond, func(p *play) {
			for range 5 {
				p.env.SignalWorkflow(workflows.SignalWake, nil)
			}
			p.set(func(fake *fakeRollout) { fake.slow = nil })
			close(answer)
		}),
		at(31*minute, command(models.CommandCancel)))
	require.NoError(t, p.err)
	require.Equal(t, 2, p.observations())
}

func TestACommandDoesNotWaitForAHealthSourceThatHangs(t *testing.T) {
	t.Parallel()
	fake := newFakeRollout(startOfPlay, hourly(), rollingBack)
	fake.hang = true
	p := perform(t, fake,
		at(50*time.Millisecond, command(models.CommandAdvance)),
		at(100*time.Millisecond, command(models.CommandCancel)))
	require.NoError(t, p.err)
	require.Equal(t, map[string]error{"advance 1": nil, "cancel 1": nil}, p.answers)
	require.Less(t, p.env.Now().Sub(startOfPlay), 5*second)
}

func TestACommandThatCameTooLateIsRefused(t *testing.T) {
	t.Parallel()
	expires := startOfPlay.Add(30 * second)
	p := perform(t, newFakeRollout(startOfPlay, hourly(), rollingBack),
		at(20*second, commandWith(models.CommandPause, workflows.RolloutCommandInput{Actor: alice, ExpiresAt: &expires})),
		at(40*second, commandWith(models.CommandCancel, workflows.RolloutCommandInput{Actor: alice, ExpiresAt: &expires})),
		at(50*second, command(models.CommandCancel)))
	require.NoError(t, p.answers["pause 1"])
	requireRefused(t, p.answers["cancel 1"], "expired", "the command arrived after its sender had stopped waiting")
	require.NoError(t, p.answers["cancel 2"])
}

// When the store is available again, the sender has already received the error unavailable.
func TestACommandThatExpiresInTheQueueIsNotCarriedOut(t *testing.T) {
	t.Parallel()
	expires := startOfPlay.Add(minute + 5*second)
	p := perform(t, newFakeRollout(startOfPlay, hourly(), rollingBack),
		at(59*second, func(p *play) { p.set(func(fake *fakeRollout) { fake.storeAway = true }) }),
		at(minute, command(models.CommandAdvance)),
		at(minute+second, commandWith(models.CommandCancel, workflows.RolloutCommandInput{Actor: alice, ExpiresAt: &expires})),
		at(minute+10*second, func(p *play) { p.set(func(fake *fakeRollout) { fake.storeAway = false }) }),
		at(2*minute, commandWith(models.CommandCancel, workflows.RolloutCommandInput{Actor: alice, Revert: new(bool)})))
	require.NoError(t, p.answers["advance 1"])
	requireRefused(t, p.answers["cancel 1"], "lapsed", "the command waited in the queue until its sender had stopped waiting")
	require.Equal(t, []string{
		"0s started: running stage 0 5% duration",
		"1m0s stage_advanced: running stage 1 25% duration",
		"2m0s cancelled: cancelled stage 1 25% ",
	}, p.story())
}

// A command that was being written when the store became unavailable is not written later without its sender's knowledge.
func TestACommandThatExpiresWhileItIsWrittenIsNotCarriedOut(t *testing.T) {
	t.Parallel()
	expires := startOfPlay.Add(minute + 4*second)
	p := perform(t, newFakeRollout(startOfPlay, hourly(), rollingBack),
		at(59*second, func(p *play) { p.set(func(fake *fakeRollout) { fake.storeAway = true }) }),
		at(minute, commandWith(models.CommandCancel, workflows.RolloutCommandInput{Actor: alice, ExpiresAt: &expires})),
		at(minute+10*second, func(p *play) { p.set(func(fake *fakeRollout) { fake.storeAway, fake.late = false, true }) }),
		at(2*minute, func(p *play) { p.set(func(fake *fakeRollout) { fake.late = false }) }),
		at(2*minute, commandWith(models.CommandCancel, workflows.RolloutCommandInput{Actor: alice, Revert: new(bool)})))
	requireRefused(t, p.answers["cancel 1"], "lapsed", "the command waited in the queue until its sender had stopped waiting")
	require.NoError(t, p.answers["cancel 2"])
	require.Equal(t, []string{
		"0s started: running stage 0 5% duration",
		"2m0s cancelled: cancelled stage 0 5% ",
	}, p.story())
	for _, c := range p.written()[:1] {
		require.Nil(t, c.ExpiresAt, "what nobody asked for never expires")
	}
}

// The sender may have seen the change that is being written, so the workflow decides only when it knows that change.
func TestACommandDuringAChangeIsCheckedAfterTheChange(t *testing.T) {
	t.Parallel()
	p := perform(t, newFakeRollout(startOfPlay, hourly(), rollingBack),
		at(59*second, func(p *play) { p.set(func(fake *fakeRollout) { fake.storeAway = true }) }),
		at(minute, command(models.CommandPause)),
		at(minute+second, command(models.CommandResume)),
		at(minute+2*second, command(models.CommandResume)),
		at(minute+5*second, func(p *play) { p.set(func(fake *fakeRollout) { fake.storeAway = false }) }),
		at(2*minute, command(models.CommandCancel)))
	require.NoError(t, p.answers["pause 1"])
	require.NoError(t, p.answers["resume 1"])
	requireRefused(t, p.answers["resume 2"], "invalid_transition", "cannot resume a rollout that is running")
	require.NoError(t, p.answers["cancel 1"])
}

func TestACommandBeforeTheExecutionIsLoadedWaitsForIt(t *testing.T) {
	t.Parallel()
	fake := newFakeRollout(startOfPlay, hourly(), rollingBack)
	fake.storeAway = true
	p := perform(t, fake,
		at(second, command(models.CommandPause)),
		at(5*second, func(p *play) { p.set(func(fake *fakeRollout) { fake.storeAway = false }) }),
		at(minute, command(models.CommandCancel)))
	require.Equal(t, map[string]error{"pause 1": nil, "cancel 1": nil}, p.answers)
	require.Equal(t, "paused", string(p.written()[1].Status))
}

func TestARolloutWhoseExecutionIsGoneEndsInPeace(t *testing.T) {
	t.Parallel()
	for name, acts := range map[string][]*act{
		"before it began": {at(0, func(p *play) {})},
		"under way":       {at(minute, func(p *play) { p.set(func(fake *fakeRollout) { fake.gone = true }) })},
		"under a command": {at(minute, func(p *play) {
			p.set(func(fake *fakeRollout) { fake.gone = true })
			command(models.CommandPause)(p)
		})},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fake := newFakeRollout(startOfPlay, hourly(), rollingBack)
			fake.gone = name == "before it began"
			p := perform(t, fake, acts...)
			require.NoError(t, p.err)
			require.Equal(t, models.ExecutionCancelled, p.result.Status)
			require.Equal(t, "the rollout no longer exists", p.result.Reason)
			for _, err := range p.answers {
				requireRefused(t, err, "invalid_transition", "cannot pause this rollout: it has ended or was deleted")
			}
		})
	}
}

func TestARolloutThatSomethingElseEndedFollows(t *testing.T) {
	t.Parallel()
	for name, version := range map[string]int64{"with the version that the next change wants": 1, "with a version beyond": 5} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := perform(t, newFakeRollout(startOfPlay, hourly(), rollingBack), at(minute, func(p *play) {
				p.set(func(fake *fakeRollout) {
					row := &fake.subject.Execution
					row.Version += version
					row.Status, row.Reason = models.ExecutionRolledBack, "rolled back by hand"
				})
			}))
			require.NoError(t, p.err)
			require.Equal(t, models.ExecutionRolledBack, p.result.Status)
			require.Equal(t, "rolled back by hand", p.result.Reason)
		})
	}
}

func TestARolloutWhoseOpenRowWasTamperedWithFails(t *testing.T) {
	t.Parallel()
	p := perform(t, newFakeRollout(startOfPlay, hourly(), rollingBack),
		at(minute, func(p *play) { p.set(func(fake *fakeRollout) { fake.subject.Execution.Version += 5 }) }))
	var app *temporal.ApplicationError
	require.ErrorAs(t, p.err, &app)
	require.Equal(t, "fence", app.Type())
}

func TestAnExecutionWhoseWorkflowWasLostGoesOnFromItsRow(t *testing.T) {
	t.Parallel()
	fake := newFakeRollout(startOfPlay.Add(-5*hour), hourly(), rollingBack)
	row := &fake.subject.Execution
	row.Version, row.StageIndex, row.Percentage, row.StageStartedAt = 9, 1, 25, startOfPlay.Add(-2*hour)
	row.Progress.Clock = models.StageClock{Banked: 10 * minute}.Started(startOfPlay.Add(-30 * minute))
	fake.report(1000, 0)
	p := perform(t, fake)
	require.NoError(t, p.err)
	require.Equal(t, int64(10), p.written()[0].Seq)
	require.Equal(t, []string{
		"20m0s stage_advanced: running stage 2 100% duration",
		"1h20m0s completed: completed stage 2 100% ",
	}, p.story())
}

func TestAnExecutionThatHasEndedIsLeftAlone(t *testing.T) {
	t.Parallel()
	fake := newFakeRollout(startOfPlay, hourly(), rollingBack)
	fake.subject.Execution.Status, fake.subject.Execution.Version = models.ExecutionCancelled, 4
	p := perform(t, fake)
	require.NoError(t, p.err)
	require.Empty(t, p.written())
	require.Equal(t, models.ExecutionCancelled, p.result.Status)
}

func TestTheStateCanBeQueried(t *testing.T) {
	t.Parallel()
	var state rollout.State
	p := perform(t, newFakeRollout(startOfPlay, hourly(), rollingBack), at(minute, func(p *play) {
		value, err := p.env.QueryWorkflow(workflows.QueryState)
		require.NoError(t, err)
		require.NoError(t, value.Get(&state))
		command(models.CommandCancel)(p)
	}))
	require.NoError(t, p.err)
	require.Equal(t, models.ExecutionRunning, state.Execution.Status)
	require.Equal(t, int64(1042), state.Execution.UpdateID)
	require.InDelta(t, 5, state.Execution.Percentage, 0)
}

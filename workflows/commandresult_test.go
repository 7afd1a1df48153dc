package workflows_test

import (
	"encoding/json"
	"maps"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/client"

	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/models"
	"github.com/waft-ota/waft/workflows"
)

func init() { maps.Copy(scenarios, againScenarios) }

// againScenarios send commands twice. In one case Temporal knows the first command; in the other case, after a
// continue-as-new, only the rollout does.
var againScenarios = map[string]scenario{
	"a command sent again is the same command, also to a history that continues the one that took it": {
		acts: func() []*act {
			return []*act{
				at(10*second, reports(500, 1)),
				at(10*minute, commandOnce(models.CommandAdvance, "once")), at(20*minute, commandOnce(models.CommandAdvance, "once")),
				at(30*minute, commandOnce(models.CommandPause, "once")), at(40*minute, commandOnce(models.CommandPause, "once")),
				at(50*minute, commandOnce(models.CommandAdvance, "once")), at(51*minute, commandOnce(models.CommandAdvance, "twice")),
				at(hour, commandOnce(models.CommandCancel, "once")),
			}
		},
		story: []string{
			"0s started: running stage 0 5% duration",
			"10m0s stage_advanced: running stage 1 25% duration",
			"30m0s paused: paused stage 1 25% resume",
			"51m0s stage_advanced: paused stage 2 100% resume",
			"1h0m0s cancelled: cancelled stage 2 100%  revert",
		},
		reason: "cancelled by alice",
	},
	"a command that its turn refused stays refused": {
		acts: func() []*act {
			return []*act{
				at(10*minute, func(p *play) {
					command(models.CommandPause)(p)
					commandOnce(models.CommandPause, "late")(p)
				}),
				at(20*minute, command(models.CommandResume)),
				at(30*minute, commandOnce(models.CommandPause, "late")),
				at(hour, command(models.CommandCancel)),
			}
		},
		story: []string{
			"0s started: running stage 0 5% duration",
			"10m0s paused: paused stage 0 5% resume",
			"20m0s resumed: running stage 0 5% duration",
			"1h0m0s cancelled: cancelled stage 0 5%  revert",
		},
		refused: map[string]string{
			"pause/late 1": "cannot pause a rollout that is paused",
			"pause/late 2": "cannot pause a rollout that is paused",
		},
		reason: "cancelled by alice",
	},
}

// A history passes the last hundred commands of a day to the next history, oldest first.
func TestCommandsThatAreHandedOnAreBounded(t *testing.T) {
	t.Parallel()
	acts := []*act{at(0, commandOnce(models.CommandPause, "yesterday")), at(second, command(models.CommandResume))}
	const sent = 120
	for i := range sent {
		after := 25*hour + time.Duration(i)*2*second
		acts = append(acts, at(after, commandOnce(models.CommandPause, strconv.Itoa(i))), at(after+second, command(models.CommandResume)))
	}
	fake := newFakeRollout(startOfPlay, []models.Stage{{Percentage: 5, MinDurationMinutes: 3000}, {Percentage: 100}}, rollingBack)
	p := &play{fakeRollout: fake, t: t, acts: acts, answers: map[string]error{}}
	var before, after []workflows.AnsweredCommand
	p.continued = func(in workflows.RolloutInput) {
		if startOfPlay.Add(25 * hour).After(p.env.Now()) {
			before = in.Answered
		} else {
			after = in.Answered
		}
	}
	p.stepsPerRun = 20
	for i := range p.stepsPerRun { // observations, so that a history ends after the last command
		wake := func(p *play) { p.env.SignalWorkflow(workflows.SignalWake, nil) }
		p.acts = append(p.acts, at(25*hour+30*minute+time.Duration(i)*minute, wake))
	}
	p.acts = append(p.acts, at(26*hour, command(models.CommandCancel)))
	p.perform()
	require.NoError(t, p.err)
	require.Equal(t, []workflows.AnsweredCommand(nil), before, "it is older than a day by then")
	require.Len(t, after, 100)
	require.Equal(t, "pause/20", after[0].UpdateID)
	require.Equal(t, "pause/119", after[99].UpdateID)
	require.Empty(t, after[0].ErrorType)
	size, err := json.Marshal(after)
	require.NoError(t, err)
	require.Less(t, len(size), 20_000)
}

// continuedWith returns a rollout on the real Temporal whose history continues an earlier history with these command results.
func continuedWith(t *testing.T, stages []models.Stage, answered ...workflows.AnsweredCommand) *live {
	t.Helper()
	l := newLive(t, stages, rollingBack)
	l.report(10, 0)
	l.set(func(fake *fakeRollout) {
		row := &fake.subject.Execution
		row.Version, row.Percentage, row.StageStartedAt, row.WaitingFor = 1, 10, row.StartedAt, models.WaitDuration
		row.Progress.Clock = row.Progress.Clock.Started(row.StartedAt)
	})
	l.work(t)
	subject, err := l.RolloutSubject(t.Context(), 7, 12)
	require.NoError(t, err)
	_, err = l.temporal.ExecuteWorkflow(t.Context(), client.StartWorkflowOptions{ID: l.start.WorkflowID, TaskQueue: l.queue},
		workflows.WorkflowRollout, workflows.RolloutInput{Start: l.start, Answered: answered, State: &rollout.State{
			RolloutSubject: subject, ObserveAt: subject.Execution.StartedAt.Add(time.Second),
		}})
	require.NoError(t, err)
	return l
}

// The sender does not notice, because the client and the rollout use the same update IDs.
func TestACommandSentAgainAfterItsHistoryWasContinued(t *testing.T) {
	t.Parallel()
	now := time.Now().UTC()
	l := continuedWith(t, slow(),
		workflows.AnsweredCommand{UpdateID: "advance/done", At: now},
		workflows.AnsweredCommand{UpdateID: "pause/refused", At: now, ErrorType: "invalid_transition", Message: "cannot pause a rollout that is paused"},
		workflows.AnsweredCommand{UpdateID: "cancel/late", At: now, ErrorType: "lapsed", Message: "too late"})
	send := func(c models.RolloutCommand, requestID string) error {
		return l.rollouts.Command(t.Context(), l.start.WorkflowID, c, models.CommandInput{Actor: alice, RequestID: requestID})
	}
	for range 2 {
		require.NoError(t, send(models.CommandAdvance, "done"))
		requireCode(t, send(models.CommandPause, "refused"), models.CodeInvalidTransition, "cannot pause a rollout that is paused")
	}
	require.Zero(t, l.row().StageIndex, "it had advanced in the history before")
	require.NoError(t, send(models.CommandAdvance, "another"))
	require.Equal(t, 1, l.row().StageIndex)
	require.NoError(t, send(models.CommandCancel, "late"), "what came too late was not carried out, so it may be sent again")
	require.Equal(t, models.ExecutionCancelled, l.row().Status)
}

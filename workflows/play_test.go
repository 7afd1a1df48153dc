package workflows_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"github.com/waft-ota/waft/activities"
	"github.com/waft-ota/waft/models"
	"github.com/waft-ota/waft/workflows"
)

var startOfPlay = time.Date(2026, 5, 4, 3, 0, 0, 0, time.UTC)

// play is a scenario in Temporal's time-skipping environment: a fake rollout, and acts at certain times.
type play struct {
	*fakeRollout
	t   *testing.T
	env *testsuite.TestWorkflowEnvironment
	// acts each run once, at a time after the start, in whichever run of the workflow.
	acts []*act
	// stepsPerRun is the number of activities after which a run continues as new, or 0 for never.
	stepsPerRun int
	runs        int
	// continued receives the input that each run passes to the next run. It may be nil.
	continued func(workflows.RolloutInput)
	answers   map[string]error
	result    workflows.RolloutResult
	err       error
}

type act struct {
	after time.Duration
	do    func(*play)
	done  bool
}

func at(after time.Duration, do func(*play)) *act { return &act{after: after, do: do} }

func reports(devices, crashed int64) func(*play) {
	return func(p *play) { p.report(devices, crashed) }
}

// spike returns an act that reports crashes and prompts the watcher.
func spike(devices, crashed int64) func(*play) {
	return func(p *play) {
		p.report(devices, crashed)
		p.watched()
	}
}

// watched lets the watcher observe the rollout.
func (p *play) watched() {
	if p.watch() {
		p.env.SignalWorkflow(workflows.SignalWake, nil)
	}
}

// The watcher sweeps every sweepEvery, for as long as any scenario takes.
const (
	sweepEvery = 3 * time.Minute
	sweepUntil = 6 * time.Hour
)

func superseded(by int64) func(*play) {
	return func(p *play) {
		p.env.SignalWorkflow(workflows.SignalSuperseded, models.RolloutSuperseded{WorkflowID: "rollout/demo/12", ByReleaseID: by})
	}
}

var alice = models.Actor{Type: models.ActorAPIKey, ID: "5", Name: "alice", RequestID: "req-1"}

func command(name models.RolloutCommand) func(*play) {
	return commandWith(name, workflows.RolloutCommandInput{Actor: alice})
}

// commandWith returns an act that sends a command. The command's error, or nil, is stored under its name and a count: "pause 1".
func commandWith(name models.RolloutCommand, in workflows.RolloutCommandInput) func(*play) {
	return func(p *play) {
		key := p.unanswered(string(name))
		p.send(name, key, key, in)
	}
}

// commandOnce returns an act that sends a command with a request ID, so that it may be repeated. The command's error, or nil, is
// stored under its name, the request ID and a count: "pause/lunch 1".
func commandOnce(name models.RolloutCommand, requestID string) func(*play) {
	return func(p *play) {
		id := string(name) + "/" + requestID
		p.send(name, id, p.unanswered(id), workflows.RolloutCommandInput{Actor: alice})
	}
}

// unanswered returns the key for the next result of a command.
func (p *play) unanswered(name string) (key string) {
	for n := 1; ; n++ {
		key = fmt.Sprintf("%s %d", name, n)
		if _, taken := p.answers[key]; !taken {
			p.answers[key] = errors.New("never answered")
			return key
		}
	}
}

func (p *play) send(name models.RolloutCommand, updateID, key string, in workflows.RolloutCommandInput) {
	p.env.UpdateWorkflow(string(name), updateID, &testsuite.TestUpdateCallback{
		OnAccept:   func() {},
		OnReject:   func(err error) { p.answers[key] = err },
		OnComplete: func(_ any, err error) { p.answers[key] = err },
	}, in)
}

// perform plays the scenario to its end, over as many runs as it needs.
func (p *play) perform() {
	p.t.Helper()
	start := models.RolloutStart{ExecutionID: 12, ProjectID: 7, WorkflowID: "rollout/demo/12"}
	input := workflows.RolloutInput{Start: start}
	for now := startOfPlay; ; now = p.env.Now().UTC() {
		p.runs++
		require.Less(p.t, p.runs, 2000, "the scenario goes on for ever")
		p.run(now, input)
		var again *workflow.ContinueAsNewError
		if !errors.As(p.env.GetWorkflowError(), &again) {
			break
		}
		require.Equal(p.t, workflows.WorkflowRollout, again.WorkflowType.Name)
		input = workflows.RolloutInput{}
		require.NoError(p.t, converter.GetDefaultDataConverter().FromPayloads(again.Input, &input))
		if p.continued != nil {
			p.continued(input)
		}
	}
	if p.err = p.env.GetWorkflowError(); p.err == nil {
		require.NoError(p.t, p.env.GetWorkflowResult(&p.result))
	}
}

func (p *play) run(now time.Time, input workflows.RolloutInput) {
	p.env = newEnvironment()
	p.env.SetStartTime(now)
	p.env.SetWorkflowRunTimeout(1000 * time.Hour)
	workflows.Register(registry{p.env}, &activities.Activities{Rollouts: p.fakeRollout, Health: p.fakeRollout})
	steps := 0
	p.env.SetOnActivityCompletedListener(func(*activity.Info, converter.EncodedValue, error) {
		if steps++; steps == p.stepsPerRun {
			p.env.SetContinueAsNewSuggested(true)
		}
	})
	p.set(func(w *fakeRollout) { w.now = func() time.Time { return p.env.Now().UTC() } })
	for sweep := startOfPlay.Add(sweepEvery); sweep.Before(startOfPlay.Add(sweepUntil)); sweep = sweep.Add(sweepEvery) {
		if sweep.After(now) {
			p.env.RegisterDelayedCallback(p.watched, sweep.Sub(now))
		}
	}
	for _, a := range p.acts {
		if a.done {
			continue
		}
		p.env.RegisterDelayedCallback(func() {
			a.done = true
			a.do(p)
		}, max(startOfPlay.Add(a.after).Sub(now), 0))
	}
	p.env.ExecuteWorkflow(workflows.WorkflowRollout, input)
	require.True(p.t, p.env.IsWorkflowCompleted())
}

// newEnvironment returns a time-skipping environment of Temporal without logs. Its timeouts are long, so that it does not consider
// a workflow stuck when the machine is busy for some seconds.
func newEnvironment() *testsuite.TestWorkflowEnvironment {
	suite := testsuite.WorkflowTestSuite{}
	suite.SetLogger(quiet{})
	env := suite.NewTestWorkflowEnvironment()
	env.SetTestTimeout(time.Minute)
	env.SetWorkerOptions(worker.Options{DeadlockDetectionTimeout: time.Minute})
	return env
}

// registry adapts a test environment to the interface that Register needs.
type registry struct {
	*testsuite.TestWorkflowEnvironment
}

func (r registry) RegisterDynamicWorkflow(w any, o workflow.DynamicRegisterOptions) {
	r.TestWorkflowEnvironment.RegisterDynamicWorkflow(w, o)
}

// quiet discards log lines. Tests check what a scenario writes.
type quiet struct{}

func (quiet) Debug(string, ...any) {}
func (quiet) Info(string, ...any)  {}
func (quiet) Warn(string, ...any)  {}
func (quiet) Error(string, ...any) {}

// story returns the changes that the rollout wrote, one line per change. It omits changes that only update the health or the
// reason of a wait.
func (p *play) story() []string {
	var lines []string
	for _, c := range p.written() {
		if c.Event != nil {
			lines = append(lines, line(c))
		}
	}
	return lines
}

// fullStory returns every change.
func (p *play) fullStory() []string {
	var lines []string
	for i, c := range p.written() {
		require.Equal(p.t, int64(i+1), c.Seq)
		lines = append(lines, line(c))
	}
	return lines
}

func line(c models.ExecutionChange) string {
	what, when := "-", "-"
	if c.Event != nil {
		what = string(c.Event.Event)
		when = c.Event.At.Sub(startOfPlay).Round(100 * time.Millisecond).String()
	}
	revert := ""
	if c.Revert {
		revert = " revert"
	}
	if c.DropFlags {
		revert = " drops flags"
	}
	return fmt.Sprintf("%s %s: %s stage %d %g%% %s%s", when, what, c.Status, c.StageIndex, c.Percentage, c.WaitingFor, revert)
}

// requireRefused checks that a command was refused with the code of a domain error.
func requireRefused(t *testing.T, err error, code, message string) {
	t.Helper()
	var app *temporal.ApplicationError
	require.ErrorAs(t, err, &app)
	require.Equal(t, code, app.Type())
	require.Equal(t, message, app.Message())
}

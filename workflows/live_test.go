package workflows_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/worker"

	"github.com/waft-ota/waft/activities"
	"github.com/waft-ota/waft/models"
	"github.com/waft-ota/waft/workflows"
)

// live is one rollout on the real Temporal, with its own task queue and workflow ID.
type live struct {
	*fakeRollout
	temporal client.Client
	rollouts *workflows.Client
	start    models.RolloutStart
	queue    string
}

// patience is the maximum time that a test waits for something that should be quick.
const patience = 2 * time.Minute

func newLive(t *testing.T, stages []models.Stage, thresholds models.Thresholds) *live {
	t.Helper()
	tc, namespace := dial(t)
	require.NoError(t, workflows.EnsureSearchAttributes(t.Context(), tc, namespace))
	unique := uuid.NewString()
	w := newFakeRollout(time.Now().UTC(), stages, thresholds)
	w.subject.Execution.WorkflowID = "rollout/demo/" + unique
	return &live{
		fakeRollout: w, temporal: tc, queue: unique,
		rollouts: workflows.NewClient(tc, unique).WithTimeouts(patience, patience, patience),
		start: models.RolloutStart{
			ExecutionID: 12, ProjectID: 7, WorkflowID: w.subject.Execution.WorkflowID, Summary: "demo: release 1042 ios 1.0.0",
		},
	}
}

// work runs a worker until the test ends.
func (l *live) work(t *testing.T) {
	t.Helper()
	w := worker.New(l.temporal, l.queue, worker.Options{Identity: "test"})
	workflows.Register(w, &activities.Activities{Rollouts: l.fakeRollout, Health: l.fakeRollout})
	startWorkers(t, w)
}

// begin starts a worker and the rollout, and waits for its first change.
func (l *live) begin(t *testing.T) {
	t.Helper()
	l.work(t)
	require.NoError(t, l.rollouts.StartRollout(t.Context(), l.start))
	l.awaitRow(t, func(e models.RolloutExecution) bool { return e.Version > 0 })
}

// awaitRow waits until the row is as wanted.
func (l *live) awaitRow(t *testing.T, wanted func(models.RolloutExecution) bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for !wanted(l.row()) {
		select {
		case <-l.applied:
		case <-ctx.Done():
			require.Fail(t, "the rollout did not get there in time", "%+v", l.row())
		}
	}
}

func (l *live) await(t *testing.T) workflows.RolloutResult {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var result workflows.RolloutResult
	require.NoError(t, l.temporal.GetWorkflow(ctx, l.start.WorkflowID, "").Get(ctx, &result))
	return result
}

func (l *live) command(t *testing.T, c models.RolloutCommand) error {
	t.Helper()
	return l.rollouts.Command(t.Context(), l.start.WorkflowID, c, models.CommandInput{Actor: alice, Revert: true})
}

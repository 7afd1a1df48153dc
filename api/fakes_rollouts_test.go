package api

import (
	"context"

	"github.com/waft-ota/waft/models"
)

// fakePolicies is a Policies. A function that is not set stands for an empty, valid result.
type fakePolicies struct {
	createPolicy func(models.NewRolloutPolicy) (models.RolloutPolicy, error)
	updatePolicy func(id int64, patch models.PolicyPatch) (models.RolloutPolicy, error)
	deletePolicy func(id int64) error
}

func (f *fakePolicies) CreatePolicy(
	_ context.Context, _ int64, _ models.Actor, n models.NewRolloutPolicy,
) (models.RolloutPolicy, error) {
	if f.createPolicy != nil {
		return f.createPolicy(n)
	}
	return models.RolloutPolicy{}, nil
}

func (f *fakePolicies) ListPolicies(context.Context, int64, models.Page) ([]models.RolloutPolicy, error) {
	return nil, nil
}

func (f *fakePolicies) Policy(_ context.Context, _, id int64) (models.RolloutPolicy, error) {
	return models.RolloutPolicy{ID: id}, nil
}

func (f *fakePolicies) UpdatePolicy(
	_ context.Context, _ int64, _ models.Actor, id int64, patch models.PolicyPatch,
) (models.RolloutPolicy, error) {
	if f.updatePolicy != nil {
		return f.updatePolicy(id, patch)
	}
	return models.RolloutPolicy{ID: id}, nil
}

func (f *fakePolicies) DeletePolicy(_ context.Context, _ int64, _ models.Actor, id int64) error {
	if f.deletePolicy != nil {
		return f.deletePolicy(id)
	}
	return nil
}

// fakeExecutions is an Executions. A function that is not set stands for an empty, valid result.
type fakeExecutions struct {
	executionID func(workflowID string) (int64, error)
	execution   func(id int64) (models.RolloutExecution, error)
}

func (f *fakeExecutions) ExecutionID(_ context.Context, _ int64, workflowID string) (int64, error) {
	if f.executionID != nil {
		return f.executionID(workflowID)
	}
	return 21, nil
}

func (f *fakeExecutions) AskCommand(context.Context, int64, models.Actor, int64, models.RolloutCommand) error {
	return nil
}

func (f *fakeExecutions) StartRollout(
	_ context.Context, _ int64, _ models.Actor, policyID, updateID int64,
) (models.RolloutExecution, error) {
	return models.RolloutExecution{ID: 21, PolicyID: &policyID, UpdateID: updateID, Status: models.ExecutionRunning}, nil
}

func (f *fakeExecutions) RollBackExecution(
	_ context.Context, _ int64, _ models.Actor, id int64, _ models.ExecutionRollback,
) (models.RolloutExecution, error) {
	return models.RolloutExecution{ID: id, Status: models.ExecutionRolledBack}, nil
}

func (f *fakeExecutions) ListExecutions(context.Context, int64, models.ExecutionFilter, models.Page) ([]models.RolloutExecution, error) {
	return nil, nil
}

func (f *fakeExecutions) Execution(_ context.Context, _, id int64) (models.RolloutExecution, error) {
	if f.execution != nil {
		return f.execution(id)
	}
	return models.RolloutExecution{ID: id, Status: models.ExecutionRunning}, nil
}

// fakeRolloutCommands is a RolloutCommands. A function that is not set stands for an empty, valid result.
type fakeRolloutCommands struct {
	command func(workflowID string, c models.RolloutCommand, in models.CommandInput) error
}

func (f *fakeRolloutCommands) Command(_ context.Context, workflowID string, c models.RolloutCommand, in models.CommandInput) error {
	if f.command != nil {
		return f.command(workflowID, c, in)
	}
	return nil
}

func (f *fakeExecutions) RolloutSubject(_ context.Context, _, id int64) (models.RolloutSubject, error) {
	if f.execution != nil {
		e, err := f.execution(id)
		return models.RolloutSubject{Execution: e}, err
	}
	return models.RolloutSubject{Execution: models.RolloutExecution{
		ID: id, Status: models.ExecutionRunning, Stages: []models.Stage{{Percentage: 5}, {Percentage: 100}},
	}}, nil
}

func (f *fakeExecutions) ApplyExecutionChange(context.Context, models.ExecutionChange) (models.RolloutExecution, error) {
	return models.RolloutExecution{}, nil
}

// fakePreviews is a Previews that does not undo calls.
type fakePreviews struct{}

func (fakePreviews) Preview(
	ctx context.Context, _ int64, do func(context.Context) error, _ func(context.Context, models.RolloutSubject, models.RolloutMessage) error,
) (models.PreviewedChange, error) {
	return models.PreviewedChange{}, do(ctx)
}

// fakeChanges is a Changes. A function that is not set stands for an empty, valid result.
type fakeChanges struct {
	watch func(ctx context.Context, id int64) <-chan struct{}
}

func (f *fakeChanges) Watch(ctx context.Context, id int64) <-chan struct{} {
	if f.watch != nil {
		return f.watch(ctx, id)
	}
	return nil
}

// fakeProjectFeed is a ProjectFeed. A function that is not set ends every stream.
type fakeProjectFeed struct {
	follow func(ctx context.Context, after string) (models.ChangeBatch, <-chan models.ChangeBatch, error)
}

func (f *fakeProjectFeed) Follow(
	ctx context.Context, _ int64, after string,
) (models.ChangeBatch, <-chan models.ChangeBatch, error) {
	if f.follow != nil {
		return f.follow(ctx, after)
	}
	ended := make(chan models.ChangeBatch)
	close(ended)
	return models.ChangeBatch{Position: models.PositionAt("1:1:")}, ended, nil
}

// nothingChanges returns the feed of a project that does not change.
func nothingChanges(context.Context, string) (models.ChangeBatch, <-chan models.ChangeBatch, error) {
	return models.ChangeBatch{Position: models.PositionAt("1:1:")}, nil, nil
}

// fakeApprovals is an Approvals. A function that is not set stands for an empty, valid result.
type fakeApprovals struct {
	request func(models.Actor, models.StoredOperation, *models.ApprovalNeeded) (models.Approval, error)
}

func (f *fakeApprovals) RequestApproval(
	_ context.Context, _ int64, actor models.Actor, op models.StoredOperation, needed *models.ApprovalNeeded,
) (models.Approval, error) {
	if f.request == nil {
		return models.Approval{ID: 61, Status: models.ApprovalPending}, nil
	}
	return f.request(actor, op, needed)
}

func (f *fakeApprovals) ListApprovals(context.Context, int64, models.ApprovalStatus, models.Page) ([]models.Approval, error) {
	return nil, nil
}

func (f *fakeApprovals) Approval(_ context.Context, _, id int64) (models.Approval, error) {
	return models.Approval{ID: id, Status: models.ApprovalPending}, nil
}

func (f *fakeApprovals) DecideApproval(
	_ context.Context, _ int64, _ models.Actor, id int64, _ models.NewDecision,
) (models.Approval, error) {
	return models.Approval{ID: id, Status: models.ApprovalPending}, nil
}

func (f *fakeApprovals) WithdrawDecision(_ context.Context, _ int64, _ models.Actor, id int64) (models.Approval, error) {
	return models.Approval{ID: id, Status: models.ApprovalPending}, nil
}

type fakeStops struct{}

func (fakeStops) EmergencyStop(context.Context, int64) (models.EmergencyStop, bool, error) {
	return models.EmergencyStop{}, false, nil
}

func (fakeStops) StopProject(_ context.Context, _ int64, _ models.Actor, n models.NewEmergencyStop) (models.EmergencyStop, error) {
	return models.EmergencyStop{Reason: n.Reason, StoppedAt: now}, nil
}

func (fakeStops) ResumeProject(context.Context, int64, models.Actor) error { return nil }

func (f *fakeChanges) WatchApproval(ctx context.Context, id int64) <-chan struct{} {
	return f.Watch(ctx, id)
}

package api

import (
	"context"

	"github.com/waft-ota/waft/models"
)

// fakeApprovals is an Approvals. A function that is not set stands for an empty, valid answer.
type fakeApprovals struct {
	request func(models.Actor, models.StoredCall, *models.ApprovalNeeded) (models.Approval, error)
	decide  func(models.Actor, int64, models.NewDecision) (models.Approval, error)
	current func(id int64) (models.Approval, error)
}

func (f *fakeApprovals) RequestApproval(
	_ context.Context, _ int64, actor models.Actor, call models.StoredCall, needed *models.ApprovalNeeded,
) (models.Approval, error) {
	if f.request == nil {
		return models.Approval{ID: 61, Status: models.ApprovalPending}, nil
	}
	return f.request(actor, call, needed)
}

func (f *fakeApprovals) ListApprovals(context.Context, int64, models.ApprovalStatus, models.Page) ([]models.Approval, error) {
	return nil, nil
}

func (f *fakeApprovals) Approval(_ context.Context, _, id int64) (models.Approval, error) {
	if f.current == nil {
		return models.Approval{ID: id, Status: models.ApprovalPending}, nil
	}
	return f.current(id)
}

func (f *fakeApprovals) DecideApproval(
	_ context.Context, _ int64, actor models.Actor, id int64, n models.NewDecision,
) (models.Approval, error) {
	if f.decide == nil {
		return models.Approval{ID: id, Status: models.ApprovalPending}, nil
	}
	return f.decide(actor, id, n)
}

package activities

import (
	"context"
	"time"

	"github.com/waft-ota/waft/models"
)

// ScheduleStore stores changes of flags that are made later.
type ScheduleStore interface {
	FlagSchedule(ctx context.Context, projectID, id int64) (models.FlagSchedule, error)
	// EndFlagSchedule ends an open change that was not made, and returns the resulting change.
	EndFlagSchedule(
		ctx context.Context, projectID, id int64, status models.FlagScheduleStatus, reason string,
	) (models.FlagSchedule, error)
}

// ScheduleOperations makes scheduled changes.
type ScheduleOperations interface {
	// ApplySchedule makes a scheduled change, at most once. An error means that the change must be tried again.
	ApplySchedule(ctx context.Context, s models.FlagSchedule) (models.ScheduleOutcome, error)
}

// ApplyFlagSchedule makes a scheduled change whose time has come, or ends it, and returns its status. It may be repeated: a
// change that was made is not made again.
func (a *Activities) ApplyFlagSchedule(ctx context.Context, step models.FlagScheduleStep) (models.FlagScheduleStatus, error) {
	defer beat(ctx)()
	s, err := a.Schedules.FlagSchedule(ctx, step.ProjectID, step.ScheduleID)
	if err != nil {
		return "", classify(err)
	}
	switch {
	case !s.Status.Open():
		return s.Status, nil
	case step.Cancelled:
		return a.endSchedule(ctx, s, models.ScheduleCancelled, "the wait was cancelled in Temporal")
	case time.Now().Before(s.At):
		return s.Status, nil
	case s.Status == models.SchedulePendingApproval:
		return a.expireSchedule(ctx, s)
	}
	outcome, err := a.ScheduleOperations.ApplySchedule(ctx, s)
	switch {
	case err != nil && ctx.Err() == nil && time.Since(s.At) > models.MaxScheduleDelay:
		return a.endSchedule(ctx, s, models.ScheduleFailed, "the change failed repeatedly; see the log of the worker for details")
	case err != nil:
		return "", err
	case !outcome.Status.Open() && outcome.Status != models.ScheduleApplied:
		return a.endSchedule(ctx, s, outcome.Status, outcome.Reason)
	}
	return outcome.Status, nil
}

// expireSchedule ends the approval that a change still waits for at its time, which ends the change too. An approved call
// schedules the change in a moment.
func (a *Activities) expireSchedule(ctx context.Context, s models.FlagSchedule) (models.FlagScheduleStatus, error) {
	_, err := a.Approvals.EndApproval(ctx, s.ProjectID, *s.ApprovalID, models.ApprovalPending, models.ApprovalExpired, "")
	if err != nil {
		return "", classify(err)
	}
	s, err = a.Schedules.FlagSchedule(ctx, s.ProjectID, s.ID)
	return s.Status, classify(err)
}

func (a *Activities) endSchedule(
	ctx context.Context, s models.FlagSchedule, status models.FlagScheduleStatus, reason string,
) (models.FlagScheduleStatus, error) {
	ended, err := a.Schedules.EndFlagSchedule(ctx, s.ProjectID, s.ID, status, reason)
	return ended.Status, classify(err)
}

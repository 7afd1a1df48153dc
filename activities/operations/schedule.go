package operations

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"

	"github.com/waft-ota/waft/models"
)

// ApplySchedule makes a scheduled change in the name of the person or key that scheduled it, with the rights that they have
// now. A change that must not be made is an outcome with its reason. An error means that the change must be tried again.
func (o *Operations) ApplySchedule(ctx context.Context, s models.FlagSchedule) (outcome models.ScheduleOutcome, err error) {
	defer func() {
		if p := recover(); p != nil {
			outcome = models.ScheduleOutcome{
				Status: models.ScheduleFailed, Reason: "a defect in Waft stopped the change; see the log of the worker for details",
			}
			slog.ErrorContext(ctx, "a scheduled change panicked", "schedule", s.ID, "panic", p, "stack", string(debug.Stack()))
		}
	}()
	by, err := o.author(ctx, models.Approval{
		ProjectID: s.ProjectID, AuthorType: s.AuthorType, AuthorID: s.AuthorID, AuthorName: s.AuthorName, RequestID: s.RequestID,
	})
	var applied models.FlagSchedule
	if err == nil {
		rights := by.Actor
		by.Actor = s.Author()
		by.Actor.Role, by.Actor.Channels = rights.Role, rights.Channels
		applied, err = o.Flags.ApplyFlagSchedule(ctx, by.ProjectID, by.Actor, s.ID)
	}
	var needed *models.ApprovalNeeded
	var refusal *models.Error
	switch {
	case err == nil:
		return models.ScheduleOutcome{Status: applied.Status}, nil
	case errors.As(err, &needed):
		return models.ScheduleOutcome{Status: models.ScheduleUnapproved, Reason: needed.Error()}, nil
	case ctx.Err() != nil || unavailable(models.CodeOf(err)) || models.CodeOf(err) == models.CodeInternal:
		return outcome, fmt.Errorf("scheduled change %d: %w", s.ID, err)
	case errors.As(err, &refusal) && refusal.Code == models.CodePreconditionFailed:
		return models.ScheduleOutcome{Status: models.ScheduleStale, Reason: sentence(refusal)}, nil
	default:
		errors.As(err, &refusal)
		return models.ScheduleOutcome{Status: models.ScheduleFailed, Reason: sentence(refusal)}, nil
	}
}

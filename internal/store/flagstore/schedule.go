package flagstore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/unit"
	"github.com/waft-ota/waft/models"
)

// systemSchedules is the actor of what Waft does with scheduled changes on its own.
var systemSchedules = models.SystemActor("schedules")

// ScheduleFlag stores a change of a flag that is made later. It tries the change first, so that a change that would be
// refused now is refused. For an approved call, it schedules the change that waits for the approval.
func (s *Flags) ScheduleFlag(
	ctx context.Context, projectID int64, actor models.Actor, id int64, n models.NewFlagSchedule,
) (models.FlagSchedule, error) {
	return unit.Apply(ctx, s.units.Edit, projectID, actor, n, func(c *unit.Change) (schedule models.FlagSchedule, err error) {
		if err := c.LockProject(); err != nil {
			return schedule, err
		}
		f, err := flagByID(c.Tx, projectID, id)
		if err != nil {
			return schedule, err
		}
		c.Match(id, f)
		if actor.ApprovalID != 0 {
			return confirmed(c, f)
		}
		if err := n.CheckTime(c.Now()); err != nil {
			return schedule, err
		}
		schedule = models.FlagSchedule{
			FlagID: f.ID, FlagKey: f.Key, FlagVersion: f.Version, At: n.At.UTC().Truncate(time.Microsecond), Status: models.ScheduleScheduled,
			Body: n.Body,
		}
		words, err := tried(c, f, n.Body)
		schedule.Summary = words
		var needed *models.ApprovalNeeded
		if errors.As(err, &needed) {
			needed.Schedule = &schedule
			needed.Summary = fmt.Sprintf("on %s: %s", shownTime(schedule.At), needed.Summary)
			return schedule, needed
		}
		if err != nil {
			return schedule, models.WithinBody(err)
		}
		return schedule, c.AddFlagSchedule(&schedule)
	})
}

// shownTime returns a time for a sentence.
func shownTime(at time.Time) string { return at.UTC().Format("2006-01-02 at 15:04 UTC") }

// tried makes a change of a flag and undoes it. It returns the change in words, or the error of the change.
func tried(c *unit.Change, f models.Flag, n models.FlagSave) (words string, err error) {
	words = "nothing changes"
	err = c.Try(func(c *unit.Change) error {
		bytes := flagBytes(c)
		d, err := save(c, f, n)
		if errors.Is(err, unit.ErrUnchanged) {
			c.ExemptFromApproval(unit.NoChannel) // the flag already has the content
			return nil
		}
		if err != nil {
			return err
		}
		if words, err = d.words(c); err != nil {
			return err
		}
		return c.Quotas.Check(models.QuotaFlagBytes, whatBytes, bytes, flagBytes(c)-bytes)
	})
	return words, err
}

// confirmed schedules the change that waited for the approval of the actor's call.
func confirmed(c *unit.Change, f models.Flag) (schedule models.FlagSchedule, err error) {
	var id int64
	err = c.Tx.Raw("SELECT id FROM flag_schedules WHERE project_id = ? AND approval_id = ?", f.ProjectID, c.Actor.ApprovalID).Scan(&id).Error
	if err != nil {
		return schedule, err
	}
	if schedule, err = unit.LockedFlagSchedule(c.Tx, f.ProjectID, id); err != nil {
		return schedule, err
	}
	switch {
	case schedule.Status != models.SchedulePendingApproval:
		return schedule, models.Errorf(models.CodeInvalidTransition, "the scheduled change does not wait: its status is %s", schedule.Status)
	case schedule.IsOutdated:
		return schedule, models.Errorf(models.CodeInvalidTransition, "flag %q has changed since the change was scheduled", f.Key)
	}
	if _, err := tried(c, f, schedule.Body); err != nil {
		return schedule, err
	}
	schedule.Status = models.ScheduleScheduled
	c.Update(&schedule, "Status")
	return schedule, nil
}

// ApplyFlagSchedule makes a scheduled change, in the transaction that ends it as applied. A change that has ended stays as
// it is. If the flag has changed, the error has the code CodePreconditionFailed.
func (s *Flags) ApplyFlagSchedule(
	ctx context.Context, projectID int64, actor models.Actor, id int64,
) (schedule models.FlagSchedule, err error) {
	err = s.changeServed(ctx, projectID, actor, func(c *unit.Change) error {
		if schedule, err = unit.LockedFlagSchedule(c.Tx, projectID, id); err != nil {
			return err
		}
		if schedule.Status != models.ScheduleScheduled {
			return unit.ErrUnchanged
		}
		if err := checkMayApply(c, schedule); err != nil {
			return err
		}
		f, err := flagByID(c.Tx, projectID, schedule.FlagID)
		if err != nil {
			return err
		}
		d, err := save(c, f, schedule.Body)
		isUnchanged := errors.Is(err, unit.ErrUnchanged)
		if err != nil && !isUnchanged {
			return err
		}
		if !isUnchanged {
			c.Audit("flag.updated", "flag", f.ID, withNames(map[string]any{
				"key": d.after.Key, "changes": d.details(), "scheduleId": schedule.ID, "scheduledFor": schedule.At,
			}, f, d.after))
		}
		by := c.Actor
		c.Actor = systemSchedules
		c.EndFlagSchedule(&schedule, models.ScheduleApplied, "")
		c.AuditFlagSchedule("flag.schedule_applied", schedule, map[string]any{})
		c.Actor = by
		if isUnchanged {
			return unit.ErrUnchanged
		}
		return nil
	})
	return schedule, err
}

// checkMayApply returns an error if the change must not be made now.
func checkMayApply(c *unit.Change, s models.FlagSchedule) error {
	if s.IsOutdated {
		return models.Errorf(models.CodePreconditionFailed, "flag %q was changed or deleted after the change was scheduled", s.FlagKey)
	}
	if late := c.Now().Sub(s.At); late > models.MaxScheduleDelay {
		return models.Errorf(models.CodeInvalidTransition, "Waft was unavailable at the time of the change; %s later it is no longer made",
			late.Round(time.Minute))
	}
	var stopped bool
	err := c.Tx.Raw("SELECT EXISTS (SELECT FROM emergency_stops WHERE project_id = ?)", s.ProjectID).Scan(&stopped).Error
	if err == nil && stopped {
		err = models.Errorf(models.CodeInvalidTransition, "the project was stopped in an emergency at the time of the change")
	}
	return err
}

// EndFlagSchedule ends an open scheduled change that was not made, with the reason, and returns it. A change that has ended
// stays as it is.
func (s *Flags) EndFlagSchedule(
	ctx context.Context, projectID, id int64, status models.FlagScheduleStatus, reason string,
) (schedule models.FlagSchedule, err error) {
	err = s.units.Edit(ctx, projectID, systemSchedules, func(c *unit.Change) error {
		if schedule, err = unit.LockedFlagSchedule(c.Tx, projectID, id); err != nil || !schedule.Status.Open() {
			return err
		}
		c.EndFlagSchedule(&schedule, status, reason)
		if status == models.ScheduleCancelled {
			c.AuditFlagSchedule("flag.schedule_cancelled", schedule, map[string]any{"reason": reason})
		}
		return nil
	})
	return schedule, err
}

// CancelFlagSchedule cancels an open scheduled change of the flag.
func (s *Flags) CancelFlagSchedule(ctx context.Context, projectID int64, actor models.Actor, flagID, id int64) error {
	return s.units.Edit(ctx, projectID, actor, func(c *unit.Change) error {
		schedule, err := unit.LockedFlagSchedule(c.Tx, projectID, id)
		if err == nil && schedule.FlagID != flagID {
			err = models.Errorf(models.CodeNotFound, "flag %d does not have a scheduled change %d", flagID, id)
		}
		if err != nil {
			return err
		}
		if !schedule.Status.Open() {
			return models.Errorf(models.CodeInvalidTransition, "the scheduled change has ended: its status is %s", schedule.Status)
		}
		c.EndFlagSchedule(&schedule, models.ScheduleCancelled, "")
		c.AuditFlagSchedule("flag.schedule_cancelled", schedule, map[string]any{})
		c.EndApprovalOf(schedule)
		return nil
	})
}

var scheduleList = pg.List{
	Table: "flag_schedules", Owner: "flag_id",
	Sorts: map[string]pg.SortBy{
		"at": pg.ByTime("flag_schedules.at"), "createdAt": pg.ByTime("flag_schedules.created_at"),
		"status": pg.ByText("flag_schedules.status"),
	},
}

// ListFlagSchedules returns a page of a flag's scheduled changes, newest first. With status "" it returns all.
func (s *Flags) ListFlagSchedules(
	ctx context.Context, projectID, flagID int64, status models.FlagScheduleStatus, page models.Page,
) ([]models.FlagSchedule, error) {
	return pg.Reading(ctx, s.db.Read, func(tx *gorm.DB) ([]models.FlagSchedule, error) {
		if _, err := flagByID(tx, projectID, flagID); err != nil {
			return nil, err
		}
		q := pg.WhereSet(unit.SelectFlagSchedules(tx).Where("flag_schedules.project_id = ?", projectID), "flag_schedules.status", string(status))
		return pg.Rows[models.FlagSchedule](q, scheduleList, flagID, page)
	})
}

// FlagSchedule returns a scheduled change.
func (s *Flags) FlagSchedule(ctx context.Context, projectID, id int64) (models.FlagSchedule, error) {
	return pg.Reading(ctx, s.db.Read, func(tx *gorm.DB) (models.FlagSchedule, error) {
		return pg.One[models.FlagSchedule](unit.SelectFlagSchedules(tx).
			Where("flag_schedules.project_id = ? AND flag_schedules.id = ?", projectID, id), "scheduled change %d", id)
	})
}

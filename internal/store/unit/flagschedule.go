package unit

import (
	"cmp"
	"errors"
	"fmt"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/models"
)

// flagSchedules stands for the scheduled changes of flags.
const flagSchedules Records = "flag_schedules"

// SelectFlagSchedules reads scheduled changes of flags with the slugs of their projects, and whether the flag has changed since.
func SelectFlagSchedules(tx *gorm.DB) *gorm.DB {
	return tx.Model(&models.FlagSchedule{}).Select("flag_schedules.*, " +
		"(SELECT slug FROM projects WHERE projects.id = flag_schedules.project_id) AS project_slug, " +
		"flag_version IS DISTINCT FROM (SELECT version FROM flags WHERE flags.id = flag_schedules.flag_id) AS is_outdated")
}

// LockedFlagSchedule returns a scheduled change of the project and locks its row, so that the transaction can change it. It
// locks the approval of the change first, because the end of an approval locks both in this order.
func LockedFlagSchedule(tx *gorm.DB, projectID, id int64) (s models.FlagSchedule, err error) {
	err = tx.Exec("SELECT FROM approvals WHERE project_id = @project AND id = "+
		"(SELECT approval_id FROM flag_schedules WHERE project_id = @project AND id = @id) FOR UPDATE",
		map[string]any{"project": projectID, "id": id}).Error
	if err == nil {
		err = tx.Exec("SELECT FROM flag_schedules WHERE project_id = ? AND id = ? FOR UPDATE", projectID, id).Error
	}
	if err != nil {
		return s, err
	}
	return pg.One[models.FlagSchedule](SelectFlagSchedules(tx).
		Where("flag_schedules.project_id = ? AND flag_schedules.id = ?", projectID, id), "scheduled change %d", id)
}

// AddFlagSchedule stores a scheduled change of a flag and starts its workflow. It deletes the flag's oldest ended changes above
// models.KeptSchedules.
func (c *Change) AddFlagSchedule(s *models.FlagSchedule) error {
	if c.Project.Slug == "" {
		if err := c.ReadProject(); err != nil {
			return err
		}
	}
	c.Alone(flagSchedules)
	s.ID, s.ProjectID, s.CreatedAt, s.ProjectSlug = c.NextID(), c.Project.ID, c.Now(), c.Project.Slug
	s.AuthorType, s.AuthorID, s.AuthorName, s.RequestID = c.Actor.Type, c.Actor.ID, c.Actor.Name, c.Actor.RequestID
	s.WorkflowID = fmt.Sprintf("flag-schedule/%s/%d", c.Project.Slug, s.ID)
	c.Do(func() error {
		var open int64
		err := c.Tx.Raw("SELECT count(*) FROM flag_schedules WHERE project_id = ? AND flag_id = ? AND ended_at IS NULL",
			s.ProjectID, s.FlagID).Scan(&open).Error
		return cmp.Or(err, Refusal(open >= models.MaxOpenSchedules, models.Errorf(models.CodeQuotaExceeded,
			"flag %q already has %d scheduled changes, which is the maximum; cancel one", s.FlagKey, open)))
	})
	c.Exec(`DELETE FROM flag_schedules WHERE id IN (SELECT id FROM flag_schedules WHERE project_id = ? AND flag_id = ? AND ended_at IS NOT NULL
		ORDER BY id DESC OFFSET ?)`, s.ProjectID, s.FlagID, models.KeptSchedules)
	c.Create(s)
	c.Enqueue(models.OutboxFlagScheduleStart, s.Start())
	c.AuditFlagSchedule("flag.scheduled", *s, map[string]any{})
	return nil
}

// EndFlagSchedule gives a scheduled change a final status, and tells its workflow unless the workflow itself ends it.
func (c *Change) EndFlagSchedule(s *models.FlagSchedule, status models.FlagScheduleStatus, reason string) {
	s.Status, s.Error, s.EndedAt = status, models.StorableText(reason, maxApprovalError), new(c.Now())
	c.Update(s, "Status", "Error", "EndedAt")
	if !c.Actor.Internal() {
		c.Enqueue(models.OutboxFlagScheduleEnded, s.Start())
	}
	switch status {
	case models.ScheduleApplied, models.ScheduleCancelled:
	default:
		c.AuditFlagSchedule("flag.schedule_missed", *s, map[string]any{"status": status, "reason": s.Error})
	}
}

// AuditFlagSchedule records an event of a scheduled change in the audit log.
func (c *Change) AuditFlagSchedule(action string, s models.FlagSchedule, details map[string]any) {
	details["flagId"], details["flagKey"], details["at"], details["summary"] = s.FlagID, s.FlagKey, s.At, s.Summary
	details["scheduledBy"] = s.AuthorName
	if s.ApprovalID != nil {
		details["approvalId"] = *s.ApprovalID
	}
	c.Audit(action, "flag_schedule", s.ID, details)
}

// scheduleEnds maps the ends of an approval to the status of the scheduled change that waits for it.
var scheduleEnds = map[models.ApprovalStatus]models.FlagScheduleStatus{
	models.ApprovalRejected: models.ScheduleRejected, models.ApprovalExpired: models.ScheduleUnapproved,
	models.ApprovalStale: models.ScheduleStale, models.ApprovalFailed: models.ScheduleFailed,
}

// endScheduleOf ends the scheduled change that waits for the approval, if there is one.
func (c *Change) endScheduleOf(a models.Approval) {
	status, ends := scheduleEnds[a.Status]
	if !ends {
		return
	}
	c.Do(func() error {
		waiting, err := pg.All[models.FlagSchedule](SelectFlagSchedules(c.Tx).Clauses(pg.ForUpdate).
			Where("flag_schedules.project_id = ? AND approval_id = ? AND status = ?", a.ProjectID, a.ID, models.SchedulePendingApproval))
		if err != nil {
			return err
		}
		by := c.Actor
		defer func() { c.Actor = by }()
		for _, s := range waiting {
			reason := a.Error
			switch a.Status {
			case models.ApprovalRejected:
				reason = "the change was rejected by " + by.Shown()
			case models.ApprovalExpired:
				reason = "the change was not approved before its time"
			default:
			}
			c.Enqueue(models.OutboxFlagScheduleEnded, s.Start())
			c.Actor = models.SystemActor("schedules")
			c.EndFlagSchedule(&s, status, reason)
			c.Actor = by
		}
		return nil
	})
}

// EndApprovalOf ends the approval that a cancelled change waits for.
func (c *Change) EndApprovalOf(s models.FlagSchedule) {
	if s.ApprovalID == nil {
		return
	}
	c.Do(func() error {
		a, err := lockedApproval(c.Tx, s.ProjectID, *s.ApprovalID)
		if err != nil || !a.Status.Open() {
			return err
		}
		by := c.Actor
		defer func() { c.Actor = by }()
		reason := fmt.Sprintf("%s cancelled the scheduled change", by.Shown())
		c.endApproval(&a, models.ApprovalStale, reason)
		c.Actor = systemApprovals
		c.auditApproval("approval.stale", a, map[string]any{"reason": reason})
		c.Enqueue(models.OutboxApprovalDecided, ApprovalStartOf(a))
		return nil
	})
}

// errTried undoes what a tried change wrote.
var errTried = errors.New("store: a change was tried")

// Try runs fn in a part of the transaction, and undoes what fn wrote. The change has then declared the effect that fn declared.
func (c *Change) Try(fn func(c *Change) error) error {
	tried := *c
	err := pg.Nested(c.Tx, func(tx *gorm.DB) error {
		tried.Tx = tx
		if err := fn(&tried); tried.Err == nil {
			tried.Err = err
		}
		return cmp.Or(tried.Err, errTried)
	})
	c.asked = c.asked || tried.asked
	return Refusal(tried.Err != nil, err)
}

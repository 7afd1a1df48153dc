package restorestore

import (
	"github.com/waft-ota/waft/internal/store/filestore"
	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/releasestore"
	"github.com/waft-ota/waft/internal/store/unit"
	"github.com/waft-ota/waft/models"
)

// settleProjects settles each project: it pauses the rollouts that were running, starts the workflows of open rollouts,
// approvals and scheduled changes, and records the event project.restored.
func (s *settling) settleProjects() error {
	projects, err := pg.All[models.Project](s.Tx.Order("id"))
	if err != nil {
		return err
	}
	for _, p := range projects {
		s.report.Projects = append(s.report.Projects, p.Slug)
		s.Project = p
		paused, err := releasestore.RestartRollouts(&s.Change, s.BackedUpAt, models.RestorePauseReason(s.BackedUpAt))
		if err != nil {
			return err
		}
		for _, e := range paused {
			s.report.Rollouts = append(s.report.Rollouts, PausedRollout{
				Project: p.Slug, ID: e.ID, Release: models.ReleasePhrase(e.UpdateID, e.ReleaseMessage), Percentage: e.Percentage,
			})
		}
		approvals, err := s.startApprovals()
		if err != nil {
			return err
		}
		schedules, err := s.startSchedules()
		if err != nil {
			return err
		}
		if err := filestore.RestartPatches(&s.Change, s.BackedUpAt); err != nil {
			return err
		}
		s.Audit("project.restored", "project", p.ID, map[string]any{
			"backedUpAt": s.BackedUpAt, "restoredAt": s.RestoredAt, "rollouts": len(paused), "approvals": approvals,
			"scheduledChanges": schedules,
		})
	}
	s.Exec("SELECT pg_notify(?, '')", models.NotifyOutbox)
	return s.Err
}

func (s *settling) startApprovals() (started int, err error) {
	open, err := pg.All[models.Approval](unit.SelectApprovals(s.Tx).
		Where("approvals.project_id = ? AND ended_at IS NULL", s.Project.ID).Order("approvals.id"))
	for _, a := range open {
		s.Enqueue(models.OutboxApprovalStart, unit.ApprovalStartOf(a))
	}
	s.report.Approvals += len(open)
	return len(open), err
}

func (s *settling) startSchedules() (started int, err error) {
	open, err := pg.All[models.FlagSchedule](unit.SelectFlagSchedules(s.Tx).
		Where("flag_schedules.project_id = ? AND ended_at IS NULL", s.Project.ID).Order("flag_schedules.id"))
	for _, f := range open {
		s.Enqueue(models.OutboxFlagScheduleStart, f.Start())
	}
	s.report.Schedules += len(open)
	return len(open), err
}

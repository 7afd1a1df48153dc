package store

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/rollout"
	"github.com/waft-ota/waft/models"
)

// openStatuses are those of models.ExecutionStatus.Open.
var openStatuses = []models.ExecutionStatus{models.ExecutionRunning, models.ExecutionPaused}

// StartRollout rolls an existing release out under a policy. The release must be live, enabled and an
// update, and nothing else may be rolling it out. It keeps its share until the first step.
func (s *Store) StartRollout(
	ctx context.Context, projectID int64, actor models.Actor, policyID, updateID int64,
) (e models.RolloutExecution, err error) {
	err = s.change(ctx, projectID, actor, func(c *change) error {
		r, err := liveRelease(c.tx, projectID, updateID)
		if err != nil {
			return err
		}
		if err := checkCanRollOut(c.tx, r); err != nil {
			return err
		}
		policy, err := usablePolicy(c.tx, r, policyID, "policyId")
		if err == nil {
			e = c.startExecution(policy, r)
		}
		return err
	})
	return e, err
}

// checkCanRollOut reports why a live release cannot be rolled out.
func checkCanRollOut(tx *gorm.DB, r models.Release) error {
	newer, behind, err := newestForEverybody(tx, r, ">")
	if err != nil {
		return err
	}
	var p models.Problems
	switch {
	case r.RolloutExecutionID != nil:
		return checkNotRollingOut(r)
	case r.Kind != models.KindUpdate:
		p.Add("updateId", "update %d is a rollback to the embedded update; only updates roll out", r.ID)
	case !r.IsEnabled:
		p.Add("updateId", "update %d is disabled; enable it first", r.ID)
	case behind:
		p.Add("updateId", "update %d is behind update %d, which every device gets; republish it to roll it out", r.ID, newer.ID)
	}
	return p.Err()
}

// startExecution writes the execution of a policy for r, and starts its workflow.
func (c *change) startExecution(policy models.RolloutPolicy, r models.Release) models.RolloutExecution {
	now, id := c.now(), c.nextID()
	e := models.RolloutExecution{
		ID:             id,
		ProjectID:      r.ProjectID,
		PolicyID:       &policy.ID,
		PolicyName:     policy.Name,
		UpdateID:       r.ID,
		UpdateUUID:     r.UpdateUUID,
		GroupID:        r.GroupID,
		Channel:        r.Channel,
		Platform:       r.Platform,
		RuntimeVersion: r.RuntimeVersion,
		Status:         models.ExecutionRunning,
		Stages:         policy.Stages,
		Thresholds:     policy.Thresholds,
		Schedule:       policy.Schedule,
		Percentage:     r.RolloutPercentage,
		StartedAt:      now,
		StageStartedAt: now,
		LinkedFlags:    r.LinkedFlags,
		WorkflowID:     fmt.Sprintf("rollout/%s/%d", c.project.Slug, id),
	}
	if at := policy.Schedule.StartAt; at != nil && at.After(now) {
		e.WaitingFor = models.WaitDuration
		e.Reason = beginsAt(policy.Schedule, *at)
	}
	c.create(&e)
	c.enqueue(models.OutboxRolloutStart, models.RolloutStart{
		ExecutionID: id, ProjectID: r.ProjectID, WorkflowID: e.WorkflowID,
		Summary: fmt.Sprintf("%s: release %d %s %s", c.project.Slug, r.ID, r.Platform, r.RuntimeVersion),
	})
	c.audit("rollout.started", "rollout_execution", id, map[string]any{
		"policyId": policy.ID, "policyName": policy.Name, "updateId": r.ID, "updateUuid": r.UpdateUUID, "channel": r.Channel,
	})
	return e
}

// beginsAt is the reason of a rollout that waits for its start.
func beginsAt(s models.Schedule, at time.Time) string {
	const format = "2006-01-02 15:04:05 UTC"
	if until := rollout.FrozenUntil(s, at); until.After(at) {
		return fmt.Sprintf("begins at %s, when the policy's freeze ends; its start at %s is in it", until.Format(format), at.UTC().Format(format))
	}
	return "begins at " + at.UTC().Format(format)
}

// ListExecutions returns a page of executions with their timelines, newest first.
func (s *Store) ListExecutions(ctx context.Context, projectID int64, page models.Page) ([]models.RolloutExecution, error) {
	return reading(ctx, s, func(tx *gorm.DB) ([]models.RolloutExecution, error) {
		return allWith(tx, pageOf(tx, "rollout_executions", projectID, page), completeExecutions)
	})
}

// Execution returns one execution with its timeline.
func (s *Store) Execution(ctx context.Context, projectID, id int64) (models.RolloutExecution, error) {
	return reading(ctx, s, func(tx *gorm.DB) (models.RolloutExecution, error) {
		return oneWith(tx, tx.Where("project_id = ? AND id = ?", projectID, id), completeExecutions, "rollout execution %d", id)
	})
}

// completeExecutions fills in linked flags and timelines, oldest event first.
func completeExecutions(tx *gorm.DB, executions []models.RolloutExecution) error {
	if err := loadOfReleases(tx, executions); err != nil {
		return err
	}
	at, ids := indexed(executions, func(e *models.RolloutExecution) int64 { return e.ID })
	events, err := all[models.RolloutEvent](tx.Where("execution_id IN ?", ids).Order("id"))
	if err != nil {
		return err
	}
	for _, event := range events {
		e := at[event.ExecutionID]
		e.Timeline = append(e.Timeline, event)
	}
	return nil
}

// RolloutSubject returns what a workflow needs of its execution and release, even a deleted one.
func (s *Store) RolloutSubject(ctx context.Context, projectID, executionID int64) (subject models.RolloutSubject, err error) {
	err = s.readOne(ctx, func(db *gorm.DB) error {
		subject, err = one[models.RolloutSubject](selectSubjects(db).
			Where("rollout_executions.project_id = ? AND rollout_executions.id = ?", projectID, executionID), "rollout execution %d", executionID)
		return err
	})
	return subject, err
}

// selectSubjects reads executions with what their releases add.
func selectSubjects(tx *gorm.DB) *gorm.DB {
	return tx.Table("rollout_executions").
		Select(`rollout_executions.*, projects.slug AS project_slug, releases.share_salt,
			(SELECT count(*) FROM release_flags WHERE release_flags.release_id = releases.id) AS linked_flags`).
		Joins("JOIN projects ON projects.id = rollout_executions.project_id").
		Joins("JOIN releases ON releases.id = rollout_executions.update_id")
}

func executionByID(tx *gorm.DB, projectID, id int64) (models.RolloutExecution, error) {
	return one[models.RolloutExecution](tx.Where("project_id = ? AND id = ?", projectID, id), "rollout execution %d", id)
}

package releasestore

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/unit"
	"github.com/waft-ota/waft/models"
)

// OpenStatuses lists the statuses for which models.ExecutionStatus.Open is true.
var OpenStatuses = []models.ExecutionStatus{models.ExecutionRunning, models.ExecutionPaused}

// StartRollout rolls out an existing release under a policy. The release must be live, enabled and an update, and must
// not be rolling out already. It keeps its rollout percentage until the first step.
func (s *Releases) StartRollout(
	ctx context.Context, projectID int64, actor models.Actor, policyID, updateID int64,
) (e models.RolloutExecution, err error) {
	err = s.units.ChangeServed(ctx, projectID, actor, func(c *unit.Change) error {
		r, err := liveRelease(c.Tx, projectID, updateID)
		if err != nil {
			return err
		}
		if err := checkCanRollOut(c.Tx, r); err != nil {
			return err
		}
		policy, err := usablePolicy(c.Tx, r, policyID, "policyId")
		if err == nil {
			e = startExecution(c, policy, r)
			askToRollOut(c, policy, r)
		}
		return err
	})
	return e, err
}

func askToRollOut(c *unit.Change, policy models.RolloutPolicy, r models.Release) {
	c.RequireApproval(unit.Effect{
		On:      unit.ChannelsOfBranches(r.BranchID),
		Basis:   []any{contentFacts(r), r.RolloutPercentage, policy.ID, policy.Stages, policy.Thresholds, policy.Schedule},
		Summary: fmt.Sprintf("roll out %s, which %g%% of the devices get, %s", releaseName(r), r.RolloutPercentage, byPolicy(policy)),
	})
}

// checkCanRollOut returns an error if the live release cannot be rolled out.
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
		p.Add("updateId", "%s is a rollback to the embedded update and cannot be rolled out", r.Phrase())
	case !r.IsEnabled:
		p.Add("updateId", "%s is disabled; enable it first", r.Phrase())
	case behind:
		p.Add("updateId", "%s is older than %s, which every device gets; republish it to roll it out", r.Phrase(), newer.Phrase())
	}
	return p.Err()
}

// startExecution writes the rollout of r under a policy and starts its workflow.
func startExecution(c *unit.Change, policy models.RolloutPolicy, r models.Release) models.RolloutExecution {
	now, id := c.Now(), c.NextID()
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
		ReleaseMessage: r.ReleaseMessage,
		GitCommitHash:  r.GitCommitHash,
		GitAuthor:      r.GitAuthor,
		WorkflowID:     fmt.Sprintf("rollout/%s/%d", c.Project.Slug, id),
	}
	if at := policy.Schedule.StartAt; at != nil && at.After(now) {
		e.WaitingFor = models.WaitDuration
		e.Reason = beginsAt(policy.Schedule, *at)
	}
	c.Create(&e)
	enqueueStart(c, e)
	c.Audit("rollout.started", "rollout_execution", id, map[string]any{
		"policyId": policy.ID, "policyName": policy.Name, "updateId": r.ID, "updateUuid": r.UpdateUUID, "releaseMessage": r.ReleaseMessage,
		"channel": r.Channel,
	})
	return e
}

// beginsAt returns the reason shown for a rollout that waits for its start time.
func beginsAt(s models.Schedule, at time.Time) string {
	const format = "2006-01-02 15:04:05 UTC"
	if until := rollout.FrozenUntil(s, at); until.After(at) {
		return fmt.Sprintf("begins at %s, when the policy's freeze window ends; the start time %s is inside the window",
			until.Format(format), at.UTC().Format(format))
	}
	return "begins at " + at.UTC().Format(format)
}

// MessageOfExecution is SQL for the release notes of a rollout's release.
const MessageOfExecution = "(SELECT release_message FROM releases WHERE releases.id = rollout_executions.update_id)"

var executionList = pg.List{
	Table: "rollout_executions", Owner: "project_id",
	Sorts: map[string]pg.SortBy{
		"channel": pg.ByText("coalesce(rollout_executions.channel, '')"), "health.crashRate": byHealth("crashRate"),
		"health.devices": byHealth("devices"), "health.errorRate": byHealth("errorRate"),
		"percentage": pg.ByNumber("rollout_executions.percentage"), "policyName": pg.ByText("rollout_executions.policy_name"),
		"startedAt": pg.ByTime("rollout_executions.started_at"), "status": pg.ByText("rollout_executions.status"),
		"updateId": pg.ByNumber("rollout_executions.update_id"),
	},
	Matches: `search_words(rollout_executions.project_id, ARRAY['#' || update_id::text, '=' || update_uuid::text], policy_name,
		rollout_executions.channel, rollout_executions.runtime_version, ` + MessageOfExecution + `) @@ search_query(?, ?)`,
	Texts: []string{MessageOfExecution, "rollout_executions.policy_name"},
}

// byHealth sorts rollouts by a number of their health. Rollouts without counted devices come below all others.
func byHealth(number string) pg.SortBy {
	return pg.ByNumber("CASE WHEN (health->>'devices')::bigint > 0 THEN coalesce((health->>'" + number + "')::double precision, 0) ELSE -1 END")
}

// ListExecutions returns a page of rollouts with their timelines, newest first.
func (s *Releases) ListExecutions(
	ctx context.Context, projectID int64, f models.ExecutionFilter, page models.Page,
) ([]models.RolloutExecution, error) {
	return pg.Reading(ctx, s.db.Read, func(tx *gorm.DB) ([]models.RolloutExecution, error) {
		q := pg.WhereSet(pg.WhereSet(tx, "status", string(f.Status)), "channel", f.Channel)
		if f.UpdateID > 0 {
			q = q.Where("update_id = ?", f.UpdateID)
		}
		if f.PolicyID > 0 {
			q = q.Where("policy_id = ?", f.PolicyID)
		}
		return pg.RowsWith(tx, q, executionList, projectID, page, completeExecutions)
	})
}

// Execution returns one rollout with its timeline.
func (s *Releases) Execution(ctx context.Context, projectID, id int64) (models.RolloutExecution, error) {
	return pg.Reading(ctx, s.db.Read, func(tx *gorm.DB) (models.RolloutExecution, error) {
		return pg.OneWith(tx, tx.Where("project_id = ? AND id = ?", projectID, id), completeExecutions, "rollout %d", id)
	})
}

// completeExecutions fills in the linked flags, successors and timelines of rollouts. Timelines begin with the oldest event.
func completeExecutions(tx *gorm.DB, executions []models.RolloutExecution) error {
	if err := loadOfReleases(tx, executions); err != nil {
		return err
	}
	if err := loadSuccessors(tx, executions); err != nil {
		return err
	}
	at, ids := pg.Indexed(executions, func(e *models.RolloutExecution) int64 { return e.ID })
	events, err := pg.All[models.RolloutEvent](tx.Where("execution_id IN ?", ids).Order("id"))
	if err != nil {
		return err
	}
	for _, event := range events {
		e := at[event.ExecutionID]
		e.Timeline = append(e.Timeline, event)
	}
	return nil
}

// RolloutSubject returns the data that a workflow needs of its rollout and release, even if the release is deleted.
func (s *Releases) RolloutSubject(ctx context.Context, projectID, executionID int64) (models.RolloutSubject, error) {
	return pg.Reading(ctx, s.db.ReadOne, func(db *gorm.DB) (models.RolloutSubject, error) {
		return pg.One[models.RolloutSubject](selectSubjects(db).
			Where("rollout_executions.project_id = ? AND rollout_executions.id = ?", projectID, executionID), "rollout %d", executionID)
	})
}

// selectSubjects returns a query for rollouts with additional data of their releases.
func selectSubjects(tx *gorm.DB) *gorm.DB {
	return tx.Table("rollout_executions").
		Select(`rollout_executions.*, projects.slug AS project_slug, releases.share_salt, releases.release_message,
			releases.git_commit_hash, releases.git_author,
			(SELECT count(*) FROM release_flags WHERE release_flags.release_id = releases.id) AS linked_flags`).
		Joins("JOIN projects ON projects.id = rollout_executions.project_id").
		Joins("JOIN releases ON releases.id = rollout_executions.update_id")
}

func executionByID(tx *gorm.DB, projectID, id int64) (models.RolloutExecution, error) {
	return pg.One[models.RolloutExecution](tx.Select("rollout_executions.*, "+MessageOfExecution+" AS release_message").
		Where("project_id = ? AND id = ?", projectID, id), "rollout %d", id)
}

// promptWatcher prompts the watchers to observe a rollout once the transaction commits. A prompt is a row, so a rollout
// has at most one pending prompt and each prompt is taken by a single watcher.
func promptWatcher(c *unit.Change, executionID int64) {
	c.Exec(`WITH prompt AS (INSERT INTO rollout_prompts (execution_id) VALUES (?) ON CONFLICT DO NOTHING)
		SELECT pg_notify(?, '')`, executionID, models.NotifyRolloutPrompt)
}

// PromptRollouts requests an observation of the open rollouts with the given workflows.
func (s *Releases) PromptRollouts(ctx context.Context, workflowIDs []string) error {
	return s.prompt(ctx, "workflow_id IN ?", workflowIDs)
}

// PromptUnobserved prompts an observation of every open rollout that has not been observed since the given time.
func (s *Releases) PromptUnobserved(ctx context.Context, before time.Time) error {
	return s.prompt(ctx, "version > 0 AND coalesce((health->>'checkedAt')::timestamptz < ?, true)", before)
}

func (s *Releases) prompt(ctx context.Context, which string, args ...any) error {
	return s.db.ReadOne(ctx, func(db *gorm.DB) error {
		open := db.Model(&models.RolloutExecution{}).Select("id").Where("status IN ?", OpenStatuses).Where(which, args...)
		return db.Exec(`WITH prompts AS (INSERT INTO rollout_prompts (execution_id) ? ON CONFLICT DO NOTHING RETURNING 1)
			SELECT pg_notify(?, '') FROM prompts LIMIT 1`, open, models.NotifyRolloutPrompt).Error
	})
}

// TakePrompts takes up to most prompts that other watchers have not taken, and reads their rollouts. It leaves out
// rollouts that have ended or not begun. more reports whether it took most prompts, so that there may be more.
func (s *Releases) TakePrompts(ctx context.Context, most int) (subjects []models.RolloutSubject, more bool, err error) {
	err = s.db.InTx(ctx, func(tx *gorm.DB) error {
		var ids []int64
		if err := tx.Raw(`DELETE FROM rollout_prompts WHERE execution_id IN
			(SELECT execution_id FROM rollout_prompts LIMIT ? FOR UPDATE SKIP LOCKED) RETURNING execution_id`, most).Scan(&ids).Error; err != nil {
			return err
		}
		if more = len(ids) == most; len(ids) == 0 {
			return nil
		}
		subjects, err = pg.All[models.RolloutSubject](selectSubjects(tx).
			Where("rollout_executions.id IN ? AND rollout_executions.status IN ? AND rollout_executions.version > 0", ids, OpenStatuses).
			Where("NOT coalesce((rollout_executions.progress->>'scheduled')::boolean, false)"))
		return err
	})
	return subjects, more, err
}

// ShowObservations writes observations to the rows of their rollouts. It skips an observation of an older version of
// the row, an observation older than the row's, and a locked row. It does not change the row's version, because an
// observation does not decide anything.
func (s *Releases) ShowObservations(ctx context.Context, shown []models.ShownObservation) error {
	if len(shown) == 0 {
		return nil
	}
	rows, err := json.Marshal(shown)
	if err != nil {
		return err
	}
	return s.db.InTx(ctx, func(tx *gorm.DB) error {
		return tx.Exec(`WITH shown AS (
				SELECT * FROM jsonb_to_recordset(?::jsonb) AS o (id bigint, version bigint, "countsSince" timestamptz, health jsonb, reason text)
			), current AS (
				SELECT e.id FROM rollout_executions e JOIN shown o ON o.id = e.id
				WHERE e.status IN ? AND e.version = o.version AND e.counts_since IS NOT DISTINCT FROM o."countsSince"
				AND coalesce((e.health->>'checkedAt')::timestamptz < (o.health->>'checkedAt')::timestamptz, true)
				ORDER BY e.id FOR UPDATE OF e SKIP LOCKED
			), updated AS (
				UPDATE rollout_executions e SET health = o.health, reason = coalesce(nullif(o.reason, ''), e.reason)
				FROM shown o JOIN current USING (id) WHERE e.id = o.id RETURNING e.id
			)
			SELECT pg_notify(?, id::text) FROM updated`, string(rows), OpenStatuses, models.NotifyExecution).Error
	})
}

// OpenWorkflows returns the workflow ID of each open rollout, by the ID of its release.
func OpenWorkflows(tx *gorm.DB, projectID int64) (map[int64]string, error) {
	var open []struct {
		UpdateID   int64
		WorkflowID string
	}
	err := tx.Table("rollout_executions").Select("update_id, workflow_id").
		Where("project_id = ? AND status IN ?", projectID, OpenStatuses).Find(&open).Error
	workflows := make(map[int64]string, len(open))
	for _, e := range open {
		workflows[e.UpdateID] = e.WorkflowID
	}
	return workflows, err
}

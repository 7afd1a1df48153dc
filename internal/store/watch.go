package store

import (
	"context"
	"encoding/json"
	"time"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/models"
)

// promptWatcher prompts the watchers to observe a rollout once the transaction commits. A
// prompt is a row, so that a rollout has one at a time and each watcher takes what no other
// one has taken.
func (c *change) promptWatcher(executionID int64) {
	c.exec(`WITH prompt AS (INSERT INTO rollout_prompts (execution_id) VALUES (?) ON CONFLICT DO NOTHING)
		SELECT pg_notify(?, '')`, executionID, models.NotifyRolloutPrompt)
}

// PromptRollouts requests an observation of the open rollouts with the given workflows.
func (s *Store) PromptRollouts(ctx context.Context, workflowIDs []string) error {
	return s.prompt(ctx, "workflow_id IN ?", workflowIDs)
}

// PromptUnobserved prompts every open rollout that was not observed since a time.
func (s *Store) PromptUnobserved(ctx context.Context, before time.Time) error {
	return s.prompt(ctx, "version > 0 AND coalesce((health->>'checkedAt')::timestamptz < ?, true)", before)
}

func (s *Store) prompt(ctx context.Context, which string, args ...any) error {
	return s.readOne(ctx, func(db *gorm.DB) error {
		open := db.Model(&models.RolloutExecution{}).Select("id").Where("status IN ?", openStatuses).Where(which, args...)
		return db.Exec(`WITH prompts AS (INSERT INTO rollout_prompts (execution_id) ? ON CONFLICT DO NOTHING RETURNING 1)
			SELECT pg_notify(?, '') FROM prompts LIMIT 1`, open, models.NotifyRolloutPrompt).Error
	})
}

// TakePrompts takes up to most prompts that no other watcher has taken, and reads their
// rollouts, except those that have ended or not begun. more says that there were as many.
func (s *Store) TakePrompts(ctx context.Context, most int) (subjects []models.RolloutSubject, more bool, err error) {
	err = s.write(ctx, func(tx *gorm.DB) error {
		var ids []int64
		if err := tx.Raw(`DELETE FROM rollout_prompts WHERE execution_id IN
			(SELECT execution_id FROM rollout_prompts LIMIT ? FOR UPDATE SKIP LOCKED) RETURNING execution_id`, most).Scan(&ids).Error; err != nil {
			return err
		}
		if more = len(ids) == most; len(ids) == 0 {
			return nil
		}
		subjects, err = all[models.RolloutSubject](selectSubjects(tx).
			Where("rollout_executions.id IN ? AND rollout_executions.status IN ? AND rollout_executions.version > 0", ids, openStatuses).
			Where("NOT coalesce((rollout_executions.progress->>'scheduled')::boolean, false)"))
		return err
	})
	return subjects, more, err
}

// ShowObservations writes observations to the rows of their executions. It skips one of an
// older version of the row, one that is older than the row's, and a row that is locked. It
// does not change the row's version, since it decides nothing.
func (s *Store) ShowObservations(ctx context.Context, shown []models.ShownObservation) error {
	if len(shown) == 0 {
		return nil
	}
	rows, err := json.Marshal(shown)
	if err != nil {
		return err
	}
	return s.write(ctx, func(tx *gorm.DB) error {
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
			SELECT pg_notify(?, id::text) FROM updated`, string(rows), openStatuses, models.NotifyExecution).Error
	})
}

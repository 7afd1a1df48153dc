package releasestore

import (
	"context"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/models"
)

// Attention returns the facts about a project that need the reader's attention. All are read at the same moment.
func (s *Releases) Attention(ctx context.Context, projectID int64, reader models.Actor) (models.Attention, error) {
	return pg.Reading(ctx, s.db.Read, func(tx *gorm.DB) (found models.Attention, err error) {
		stop, active, err := emergencyStopOf(tx, projectID)
		if err != nil {
			return found, err
		}
		if active {
			found.Stop = &stop
		}
		if found.Restore, err = recentRestore(tx, projectID); err != nil {
			return found, err
		}
		err = tx.Table("incidents").Where("project_id = ? AND resolved_at IS NULL", projectID).Count(&found.Incidents).Error
		if err == nil {
			err = tx.Raw(setupSQL, map[string]any{"project": projectID}).Row().
				Scan(&found.Setup.HasAPIKey, &found.Setup.HasRelease, &found.Setup.SigningKeyID)
		}
		if err != nil || reader.Type != models.ActorUser || !reader.Role.Allows(models.RoleEditor) {
			return found, err
		}
		err = tx.Raw(approvalsToDecideSQL, map[string]any{
			"project": projectID, "pending": models.ApprovalPending, "now": tx.NowFunc(), "type": reader.Type, "reader": reader.ID,
		}).Row().Scan(&found.Approvals)
		return found, err
	})
}

// recentRestore returns the restore of the project, or nil if models.RestoreShownFor has passed since.
func recentRestore(tx *gorm.DB, projectID int64) (*models.RestoredProject, error) {
	restored, err := pg.All[models.Project](tx.Select("backed_up_at", "restored_at").
		Where("id = ? AND restored_at > ?", projectID, tx.NowFunc().Add(-models.RestoreShownFor)))
	if err != nil || len(restored) == 0 {
		return nil, err
	}
	r := models.RestoredProject{BackedUpAt: *restored[0].BackedUpAt, RestoredAt: *restored[0].RestoredAt}
	err = tx.Table("rollout_executions").Where("project_id = ? AND status = ?", projectID, models.ExecutionPaused).
		Where("(progress->>'restored')::boolean").Count(&r.PausedRollouts).Error
	return &r, err
}

// setupSQL selects models.ProjectSetup.
const setupSQL = `
	SELECT EXISTS (SELECT FROM api_keys WHERE project_id = @project AND revoked_at IS NULL),
		EXISTS (SELECT FROM releases WHERE project_id = @project AND deleted_at IS NULL),
		(SELECT key_id FROM code_signing_keys WHERE project_id = @project)`

// approvalsToDecideSQL counts the pending approvals that a person may approve: neither the person nor a key of the
// person made the call, and the person has not approved it yet. Units.DecideApproval checks the same.
const approvalsToDecideSQL = `
	SELECT count(*) FROM approvals a
	WHERE a.project_id = @project AND a.status = @pending AND a.expires_at > @now
		AND NOT (a.author_type = @type AND a.author_id = @reader) AND (a.key_made_by IS NULL OR a.key_made_by::text <> @reader)
		AND NOT EXISTS (SELECT FROM approval_decisions d WHERE d.approval_id = a.id AND d.actor_type = @type AND d.actor_id = @reader)`

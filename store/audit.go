package store

import (
	"context"
	"strconv"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/models"
)

// Actions of the audit log, as the wire contract names them; but for
// actionProjectDeleted, which nobody can read over the wire any more.
const (
	actionProjectDeleted = "project.deleted"
	actionKeyCreated     = "api_key.created"
	actionKeyRevoked     = "api_key.revoked"
	actionBranchCreated  = "branch.created"
	actionBranchDeleted  = "branch.deleted"
	actionChannelCreated = "channel.created"
	actionChannelUpdated = "channel.updated"
	actionChannelDeleted = "channel.deleted"
	actionBuildUploaded  = "build.uploaded"
	actionBuildPublished = "build.published"
	actionBuildDeleted   = "build.deleted"
	actionUpdateCreated  = "update.created"
	actionUpdatePatched  = "update.patched"
	actionUpdateDeleted  = "update.deleted"
	actionUpdateRollback = "update.rollback"
	actionPolicyCreated  = "policy.created"
	actionRolloutStarted = "rollout.started"
)

// Kinds of records that audit entries speak of.
const (
	entityProject   = "project"
	entityKey       = "api_key"
	entityBranch    = "branch"
	entityChannel   = "channel"
	entityBuild     = "build"
	entityUpdate    = "update"
	entityPolicy    = "policy"
	entityExecution = "rollout_execution"
)

// ListAudit returns a page of the project's audit log, newest first.
func (s *Store) ListAudit(ctx context.Context, projectID int64, page models.Page) (entries []models.AuditEntry, err error) {
	err = s.read(ctx, func(tx *gorm.DB) error {
		entries, err = all[models.AuditEntry](paged(tx.Where("project_id = ?", projectID), "audit_log", page))
		return err
	})
	return entries, err
}

// audit records in the transaction of a change who made it and what it was.
func audit(tx *gorm.DB, projectID int64, actor models.Actor, action, entity string, entityID int64, details map[string]any) error {
	if details == nil {
		details = map[string]any{}
	}
	return tx.Create(&models.AuditEntry{
		ProjectID:  projectID,
		Action:     action,
		ActorType:  actor.Type,
		ActorID:    actor.ID,
		ActorName:  actor.Name,
		EntityType: entity,
		EntityID:   strconv.FormatInt(entityID, 10),
		Details:    details,
		RequestID:  actor.RequestID,
		CreatedAt:  tx.NowFunc(),
	}).Error
}

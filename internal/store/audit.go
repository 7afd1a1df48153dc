package store

import (
	"context"
	"strconv"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/models"
)

// Actions of the audit log, as the wire contract names them. actionProjectDeleted is
// not in the contract: the API cannot show the log of a deleted project.
const (
	actionProjectDeleted = "project.deleted"
	actionProjectUpdated = "project.updated"
	actionGarbage        = "gc.run"
	actionIncidentOpened = "incident.opened"
	actionIncidentClosed = "incident.closed"

	actionOverrideCreated = "user_override.created"
	actionOverrideDeleted = "user_override.deleted"
	actionWebhookCreated  = "webhook.created"
	actionWebhookUpdated  = "webhook.updated"
	actionWebhookDeleted  = "webhook.deleted"
	actionContextCreated  = "context.created"
	actionContextUpdated  = "context.updated"
	actionContextDeleted  = "context.deleted"
	actionDeviceErased    = "device.erased"
	actionSigningUpdated  = "code_signing.updated"
	actionSigningDeleted  = "code_signing.deleted"

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
	actionRepublished    = "update.republished"
	actionPolicyCreated  = "policy.created"
	actionPolicyUpdated  = "policy.updated"
	actionPolicyDeleted  = "policy.deleted"
	actionRolloutStarted = "rollout.started"

	actionFlagCreated       = "flag.created"
	actionFlagUpdated       = "flag.updated"
	actionFlagToggled       = "flag.toggled"
	actionFlagDeleted       = "flag.deleted"
	actionRuleCreated       = "rule.created"
	actionRuleUpdated       = "rule.updated"
	actionRuleDeleted       = "rule.deleted"
	actionVariationUpdated  = "variation.updated"
	actionEnvSettingUpdated = "env_setting.updated"
	actionSegmentCreated    = "segment.created"
	actionSegmentUpdated    = "segment.updated"
	actionSegmentDeleted    = "segment.deleted"
)

// Kinds of records that audit entries are about.
const (
	entityProject   = "project"
	entityOverride  = "user_override"
	entityWebhook   = "webhook"
	entityContext   = "context"
	entityDevice    = "device"
	entitySigning   = "code_signing"
	entityKey       = "api_key"
	entityBranch    = "branch"
	entityChannel   = "channel"
	entityBuild     = "build"
	entityUpdate    = "update"
	entityPolicy    = "policy"
	entityExecution = "rollout_execution"

	entityFlag       = "flag"
	entityRule       = "rule"
	entityVariation  = "variation"
	entityEnvSetting = "env_setting"
	entitySegment    = "segment"
	entityIncident   = "incident"
)

// ListAudit returns a page of the entries of the project's audit log that pass the
// filter, newest first.
func (s *Store) ListAudit(ctx context.Context, projectID int64, f models.AuditFilter, page models.Page) (entries []models.AuditEntry, err error) {
	err = s.read(ctx, func(tx *gorm.DB) error {
		q := tx
		if f.Action != "" {
			q = q.Where("action = ?", f.Action)
		}
		if f.EntityType != "" {
			q = q.Where("entity_type = ?", f.EntityType)
		}
		if f.EntityID != "" {
			q = q.Where("entity_id = ?", f.EntityID)
		}
		entries, err = all[models.AuditEntry](pageOf(q, "audit_log", projectID, page))
		return err
	})
	return entries, err
}

// audit records, in the transaction of a change, who made it and what it was, and
// writes the messages to the webhooks that subscribe to it.
func audit(tx *gorm.DB, projectID int64, actor models.Actor, action, entity string, entityID int64, details map[string]any) error {
	return writeEntries(tx, projectID, auditEntry(tx, projectID, actor, action, entity, entityID, details))
}

// auditBatch is how many entries one statement writes.
const auditBatch = 1000

func auditEntry(tx *gorm.DB, projectID int64, actor models.Actor, action, entity string, entityID int64, details map[string]any) models.AuditEntry {
	if details == nil {
		details = map[string]any{}
	}
	return models.AuditEntry{
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
	}
}

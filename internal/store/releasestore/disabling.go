package releasestore

import (
	"github.com/waft-ota/waft/internal/store/unit"
	"github.com/waft-ota/waft/models"
)

// disablingColumn is the SQL of a column that describes how a disabled release was disabled. Every change of isEnabled is
// in the audit log, which is never deleted, so the newest entry that disables the release describes its present state.
// An index finds the entries of one release. A release that was published disabled was disabled by its publisher.
const disablingColumn = `, CASE WHEN NOT releases.is_enabled THEN (
	SELECT jsonb_build_object('at', entry.created_at, 'type', entry.actor_type, 'id', entry.actor_id, 'name', entry.actor_name,
		'reason', coalesce(entry.details->>'reason', ''))
	FROM audit_log AS entry
	WHERE entry.project_id = releases.project_id AND entry.entity_id = releases.id::text AND entry.entity_type = 'update'
		AND (entry.details->'isEnabled' = 'false' OR entry.details->'isEnabled'->'after' = 'false')
		AND entry.action <> 'update.deleted'
	ORDER BY entry.id DESC LIMIT 1) END AS disabling`

// disablingBy returns the disabling of a release that the change disables.
func disablingBy(c *unit.Change, reason string) *models.Disabling {
	return &models.Disabling{At: c.Now(), Type: c.Actor.Type, ID: c.Actor.ID, Name: c.Actor.Name, Reason: reason}
}

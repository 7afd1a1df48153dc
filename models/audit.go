package models

import (
	"cmp"
	"slices"
	"strconv"
	"time"
)

// Actions are the changes that the audit log records and webhooks can subscribe to.
var Actions = []string{
	"build.uploaded", "build.published", "build.source_map_added", "build.deleted",
	"update.created", "update.patched", "update.republished", "update.deleted", "update.rollback",
	"branch.created", "branch.deleted",
	"channel.created", "channel.updated", "channel.deleted",
	"flag.created", "flag.updated", "flag.toggled", "flag.deleted",
	"rule.created", "rule.updated", "rule.deleted",
	"variation.updated",
	"env_setting.updated",
	"segment.created", "segment.updated", "segment.deleted",
	"context.created", "context.updated", "context.deleted",
	"user_override.created", "user_override.deleted",
	"webhook.created", "webhook.updated", "webhook.deleted",
	"policy.created", "policy.updated", "policy.deleted",
	"rollout.started", "rollout.stage_advanced", "rollout.held", "rollout.paused", "rollout.resumed", "rollout.completed",
	"rollout.cancelled", "rollout.rolled_back",
	"api_key.created", "api_key.revoked",
	"member.added", "member.updated", "member.removed",
	"invitation.created", "invitation.accepted", "invitation.revoked",
	"session.created", "session.revoked",
	"user.created", "user.updated", "user.password_changed", "user.password_reset", "user.identity_linked",
	"code_signing.updated", "code_signing.deleted",
	"project.updated", "gc.run",
	"incident.opened", "incident.closed",
	"device.erased",
}

// KnownAction reports whether name is one of Actions.
func KnownAction(name string) bool { return slices.Contains(Actions, name) }

// ActorType says what kind of party made a change.
type ActorType string

const (
	ActorAPIKey ActorType = "api_key"
	ActorUser   ActorType = "user"
	ActorSystem ActorType = "system"
)

// Actor is the party that makes a change.
type Actor struct {
	Type ActorType
	// ID is the id of an API key or of a user, "root" for the root key, or the name of a component of Waft.
	ID   string
	Name string
	// RequestID is the X-Request-Id of the call that asked for the change, empty for the system.
	RequestID string
}

// SystemActor is the actor of changes that a component of Waft makes.
func SystemActor(component string) Actor {
	return Actor{Type: ActorSystem, ID: component, Name: component}
}

// UserActor is the actor of changes that a person makes. Its name is the e-mail address, since names are not unique.
func UserActor(u User, requestID string) Actor {
	return Actor{Type: ActorUser, ID: strconv.FormatInt(u.ID, 10), Name: u.Email, RequestID: requestID}
}

// Shown is the actor's name in timelines: "system", the name of the key, or the e-mail address of the user.
func (a Actor) Shown() string {
	if a.Type == ActorSystem {
		return "system"
	}
	return cmp.Or(a.Name, a.ID, "system")
}

// AuditEntry records one change. The transaction of the change writes it.
type AuditEntry struct {
	ID, ProjectID        int64
	Action               string
	ActorType            ActorType
	ActorID, ActorName   string
	EntityType, EntityID string
	// Details describe the change. They never contain a secret.
	Details   map[string]any `gorm:"type:jsonb;serializer:json"`
	RequestID string
	CreatedAt time.Time
}

func (AuditEntry) TableName() string { return "audit_log" }

// AuditFilter narrows the audit log; zero fields do not filter.
type AuditFilter struct {
	Action, EntityType, EntityID string
}

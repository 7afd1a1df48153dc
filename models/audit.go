package models

import (
	"cmp"
	"maps"
	"strconv"
	"time"
)

// ActorType is the kind of an actor.
type ActorType string

const (
	ActorAPIKey ActorType = "api_key"
	ActorUser   ActorType = "user"
	ActorSystem ActorType = "system"
)

// RootKeyID is the ID of the root key as an actor. rootKeyName is its name in sentences and timelines.
const (
	RootKeyID   = "root"
	rootKeyName = "the root key"
)

// Actor is the party that makes a change.
type Actor struct {
	Type ActorType
	// ID is the ID of an API key or a user, "root" for the root key, or the name of a component of Waft.
	ID   string
	Name string
	// RequestID is the X-Request-Id of the call that requested the change, empty for the system.
	RequestID string
	// Role is the role of the actor in the project, "" for the system.
	Role Role `json:",omitempty"`
	// ApprovalID is the ID of the approval under which Waft applies the change for the actor, 0 for a direct call.
	ApprovalID int64 `json:",omitempty"`
	// ScheduleID is the ID of the scheduled change that Waft makes for the actor, 0 for any other change. Its approval was
	// used when the change was scheduled.
	ScheduleID int64 `json:",omitempty"`
	// Channels are the only channels that the actor's key may change; nil means all.
	Channels []string `json:",omitempty"`
	// IfMatch is the condition of the actor's call on the record that it changes.
	IfMatch IfMatch `json:"-"`
}

// Internal reports whether the actor is a part of Waft, such as a running rollout or the cleanup.
func (a Actor) Internal() bool { return a.Type == ActorSystem || a.Type == "" }

// SystemActor returns the actor for changes by a component of Waft.
func SystemActor(component string) Actor {
	return Actor{Type: ActorSystem, ID: component, Name: component}
}

// UserActor returns the actor for changes by a user. Its name is the email address, because names are not unique.
func UserActor(u User, requestID string) Actor {
	return Actor{Type: ActorUser, ID: strconv.FormatInt(u.ID, 10), Name: u.Email, RequestID: requestID}
}

// Shown returns the actor's name in sentences and timelines: "system", the name of the key, or the email address of the user.
func (a Actor) Shown() string {
	switch {
	case a.Type == ActorSystem:
		return "system"
	case a.Type == ActorAPIKey && a.ID == RootKeyID: // a project's key may have the name root
		return rootKeyName
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
	// ChangedTx is the transaction that wrote the entry and the change.
	ChangedTx uint64 `gorm:"->"`
	CreatedAt time.Time
	// Subject is the record that the entry is about, as it is now. It is not stored.
	Subject AuditSubject `gorm:"-" json:"-"`
}

func (AuditEntry) TableName() string { return "audit_log" }

// loginOrigin are the details of a sign-in that reveal the person's location and browser.
var loginOrigin = []string{"address", "userAgent"}

// DetailsFor returns the details of the entry that a reader may see. Only admins see the origin of a sign-in.
func (e AuditEntry) DetailsFor(admin bool) map[string]any {
	if admin || e.EntityType != "session" {
		return e.Details
	}
	shown := maps.Clone(e.Details)
	for _, field := range loginOrigin {
		delete(shown, field)
	}
	return shown
}

// AuditFilter selects entries of the audit log; zero fields do not filter.
type AuditFilter struct {
	Action, EntityType, EntityID string
	// Actor is the ID or the name of an actor.
	Actor string
	// From is the earliest time (inclusive), To the latest time (exclusive).
	From, To *time.Time
}

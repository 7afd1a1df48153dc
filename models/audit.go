package models

import (
	"cmp"
	"maps"
	"strconv"
	"time"
)

// ActorType says what kind of party made a change.
type ActorType string

const (
	ActorAPIKey ActorType = "api_key"
	ActorUser   ActorType = "user"
	ActorSystem ActorType = "system"
)

// RootKeyID is the id of the root key as an actor.
const RootKeyID = "root"

// Actor is the party that makes a change.
type Actor struct {
	Type ActorType
	// ID is the id of an API key or of a user, "root" for the root key, or the name of a component of Waft.
	ID   string
	Name string
	// RequestID is the X-Request-Id of the call that asked for the change, empty for the system.
	RequestID string
	// Role is what the actor is in the project, "" for the system.
	Role Role `json:",omitempty"`
	// ApprovalID is the approval by which the change is carried out for the actor, 0 for a call of its own.
	ApprovalID int64 `json:",omitempty"`
	// Channels are the only ones that the actor's key may change; nil for all.
	Channels []string `json:",omitempty"`
	// IfMatch is what the actor's call requires of the record that it changes.
	IfMatch IfMatch `json:"-"`
}

// Internal reports whether Waft itself makes the change: a running rollout, the cleanup.
func (a Actor) Internal() bool { return a.Type == ActorSystem || a.Type == "" }

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

// loginOrigin are the details of a login that say where the person is and by which browser they signed in.
var loginOrigin = []string{"address", "userAgent"}

// DetailsFor returns the details of the entry that a reader may see. Only admins see where a login came from.
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

// AuditFilter narrows the audit log; zero fields do not filter.
type AuditFilter struct {
	Action, EntityType, EntityID string
	// Actor is the id or the name of an actor.
	Actor string
	// From is the first time, To the time after the last.
	From, To *time.Time
}

package api

import (
	"strconv"
	"time"

	"github.com/google/uuid"

	"github.com/waft-ota/waft/models"
)

// What the document's examples are made of.
const (
	exampleSlug = "demo"
	exampleUUID = "8f14e45f-ceea-467f-9e0c-0f6c5f0e6b1a"
	exampleMD5  = "9e107d9d372bb6826bd81d3542a419d6"
)

var exampleTime = Time{time.Date(2026, 3, 14, 9, 26, 53, 589e6, time.UTC)}

// Project is a tenant: everything else belongs to exactly one.
type Project struct {
	ID        int64     `json:"id" doc:"Number, unique over the whole installation."`
	UUID      uuid.UUID `json:"uuid" format:"uuid" doc:"Works wherever the slug does."`
	Name      string    `json:"name" doc:"Display name."`
	Slug      string    `json:"slug" doc:"Name in URLs and in X-Project."`
	CreatedAt Time      `json:"createdAt"`
}

func projectRecord(p models.Project) Project {
	return Project{ID: p.ID, UUID: p.UUID, Name: p.Name, Slug: p.Slug, CreatedAt: Time{p.CreatedAt}}
}

func (Project) example() any {
	return Project{ID: 1, UUID: uuid.MustParse(exampleUUID), Name: "Demo", Slug: exampleSlug, CreatedAt: exampleTime}
}

// APIKey is a caller's credential, without its secret.
type APIKey struct {
	ID         int64       `json:"id"`
	Name       string      `json:"name" doc:"Name of the key, and of its user in the audit log."`
	Role       models.Role `json:"role" enum:"viewer,editor,admin" doc:"What it may do in its project."`
	Prefix     string      `json:"prefix" doc:"The part of the key that may be shown."`
	ExpiresAt  *Time       `json:"expiresAt" nullable:"true" doc:"When it stops working, null for never."`
	LastUsedAt *Time       `json:"lastUsedAt" nullable:"true" doc:"To the minute; null before its first use."`
	RevokedAt  *Time       `json:"revokedAt" nullable:"true" doc:"When it was revoked, else null."`
	CreatedAt  Time        `json:"createdAt"`
}

func apiKeyRecord(k models.APIKey) APIKey {
	return APIKey{
		ID: k.ID, Name: k.Name, Role: k.Role, Prefix: k.Prefix, ExpiresAt: timeOrNull(k.ExpiresAt),
		LastUsedAt: timeOrNull(k.LastUsedAt), RevokedAt: timeOrNull(k.RevokedAt), CreatedAt: Time{k.CreatedAt},
	}
}

func (APIKey) example() any {
	return APIKey{ID: 2, Name: "ci", Role: models.RoleEditor, Prefix: "5e8f0a1c", LastUsedAt: &exampleTime, CreatedAt: exampleTime}
}

// CreatedAPIKey is a new key, the only time that its secret is shown.
type CreatedAPIKey struct {
	APIKey
	Key string `json:"key" doc:"The whole key. It cannot be shown again."`
}

func (CreatedAPIKey) example() any {
	return CreatedAPIKey{
		APIKey: APIKey{ID: 2, Name: "ci", Role: models.RoleEditor, Prefix: "5e8f0a1c", CreatedAt: exampleTime},
		Key:    "waft_5e8f0a1c_…",
	}
}

// AuditEntry records one change.
type AuditEntry struct {
	ID         int64            `json:"id" doc:"Also the cursor for paging."`
	Action     string           `json:"action" doc:"What was done, as noun.verb."`
	ActorType  models.ActorType `json:"actorType" enum:"api_key,user,system"`
	ActorID    string           `json:"actorId" doc:"Id of the key, root, or the component's name."`
	ActorName  string           `json:"actorName"`
	EntityType string           `json:"entityType" doc:"Kind of record that was changed."`
	EntityID   string           `json:"entityId" doc:"Its id."`
	Details    map[string]any   `json:"details" doc:"What changed."`
	RequestID  string           `json:"requestId" doc:"X-Request-Id of the call, empty for what Waft did by itself."`
	CreatedAt  Time             `json:"createdAt"`
}

func auditRecord(e models.AuditEntry) AuditEntry {
	details := e.Details
	if details == nil {
		details = map[string]any{}
	}
	return AuditEntry{
		ID: e.ID, Action: e.Action, ActorType: e.ActorType, ActorID: e.ActorID, ActorName: e.ActorName,
		EntityType: e.EntityType, EntityID: e.EntityID, Details: details, RequestID: e.RequestID,
		CreatedAt: Time{e.CreatedAt},
	}
}

func (AuditEntry) example() any {
	return AuditEntry{
		ID: 99, Action: "build.published", ActorType: models.ActorAPIKey, ActorID: strconv.Itoa(2), ActorName: "ci",
		EntityType: "update", EntityID: "17", Details: map[string]any{"channel": "production"},
		RequestID: exampleUUID, CreatedAt: exampleTime,
	}
}

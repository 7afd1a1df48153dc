package project

import (
	"context"
	"strconv"
	"time"

	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

// Audit reads the audit log.
type Audit interface {
	ListAudit(
		ctx context.Context, projectID int64, filter models.AuditFilter, page models.Page,
	) ([]models.AuditEntry, error)
}

var listAuditDoc = rest.Doc(tagAudit, "listAuditLog", "List changes",
	"All changes to the project. Each entry is written in the transaction of its change.")

// AuditQuery narrows the audit log.
type AuditQuery struct {
	Action     string `query:"action" doc:"Only this action." example:"build.published"`
	EntityType string `query:"entity_type" doc:"Only changes of this kind of record." example:"update"`
	EntityID   string `query:"entity_id" doc:"Only changes of the record with this id."`
	Actor      string `query:"actor" maxLength:"254" doc:"Only changes by the actor with this actorId or actorName." example:"ci"`

	From time.Time `query:"from" doc:"Only changes at this time or later." example:"2026-03-01T00:00:00Z"`
	To   time.Time `query:"to" doc:"Only changes before this time." example:"2026-04-01T00:00:00Z"`
}

func (q AuditQuery) filter() models.AuditFilter {
	return models.AuditFilter{
		Action: q.Action, EntityType: q.EntityType, EntityID: q.EntityID, Actor: q.Actor, From: setTime(q.From), To: setTime(q.To),
	}
}

// auditInput is a PageQuery with the audit log's own default.
type auditInput struct {
	Limit  int   `query:"limit" default:"200" minimum:"1" maximum:"200" doc:"Most entries to answer."`
	Before int64 `query:"before" minimum:"1" doc:"Only entries with a lower id than this one."`
	AuditQuery
}

// setTime is nil for the zero time.
func setTime(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

func (h *Handlers) listAudit(ctx context.Context, in *auditInput) (*rest.List[AuditEntry], error) {
	return rest.Listed(ctx, rest.PageQuery{Limit: in.Limit, Before: in.Before}, auditRecordFor(ctx), func(p models.Page) ([]models.AuditEntry, error) {
		return h.Audit.ListAudit(ctx, rest.ProjectOf(ctx), in.filter(), p)
	})
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
	Details    map[string]any   `json:"details" doc:"What changed. Only admins see the address and userAgent of a login."`
	RequestID  string           `json:"requestId" doc:"X-Request-Id of the call, empty for what Waft did by itself."`
	CreatedAt  rest.Time        `json:"createdAt"`
}

// auditRecordFor returns the function that makes the records of entries for the caller of a request.
func auditRecordFor(ctx context.Context) func(models.AuditEntry) AuditEntry {
	admin := rest.CallOf(ctx).Caller.Role.Allows(models.RoleAdmin)
	return func(e models.AuditEntry) AuditEntry { return AuditRecord(e, admin) }
}

// AuditRecord returns the record of an entry of the audit log, with what an admin or another reader may see.
func AuditRecord(e models.AuditEntry, admin bool) AuditEntry {
	return AuditEntry{
		ID: e.ID, Action: e.Action, ActorType: e.ActorType, ActorID: e.ActorID, ActorName: e.ActorName,
		EntityType: e.EntityType, EntityID: e.EntityID, Details: rest.OrEmpty(e.DetailsFor(admin)), RequestID: e.RequestID,
		CreatedAt: rest.Time{Time: e.CreatedAt},
	}
}

func (AuditEntry) Example() any {
	return AuditEntry{
		ID: 99, Action: "build.published", ActorType: models.ActorAPIKey, ActorID: strconv.Itoa(2), ActorName: "ci",
		EntityType: "update", EntityID: "17", Details: map[string]any{"channel": "production"},
		RequestID: rest.ExampleUUID, CreatedAt: rest.ExampleTime,
	}
}

func (r AuditEntry) RecordID() int64 { return r.ID }

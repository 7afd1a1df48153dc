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
	"All changes to the project. Waft writes each entry in the same transaction as its change.")

// AuditQuery filters the audit log.
type AuditQuery struct {
	Action     string `query:"action" doc:"Action of the changes to list." example:"build.published"`
	EntityType string `query:"entity_type" doc:"Kind of record whose changes to list." example:"update"`
	EntityID   string `query:"entity_id" doc:"ID of the record whose changes to list."`
	Actor      string `query:"actor" maxLength:"254" doc:"The actorId or actorName whose changes to list." example:"ci"`

	From time.Time `query:"from" doc:"Start of the period; changes at this time are included." example:"2026-03-01T00:00:00Z"`
	To   time.Time `query:"to" doc:"End of the period; changes at this time are excluded." example:"2026-04-01T00:00:00Z"`
}

func (q AuditQuery) filter() models.AuditFilter {
	return models.AuditFilter{
		Action: q.Action, EntityType: q.EntityType, EntityID: q.EntityID, Actor: q.Actor, From: setTime(q.From), To: setTime(q.To),
	}
}

// auditInput is a PageQuery with a default of its own.
type auditInput struct {
	Limit  int             `query:"limit" default:"200" minimum:"1" maximum:"200" doc:"Maximum number of entries to return."`
	Before int64           `query:"before" minimum:"1" doc:"Entry ID; only entries with a lower ID are returned."`
	Sort   string          `query:"sort" maxLength:"64" doc:"Field of the entry to sort by, with a leading - for descending order." example:"-createdAt"`
	Cursor rest.PageCursor `query:"cursor" maxLength:"2000" doc:"Cursor for the next page of a list with sort, from the Link header of the previous page."`
	Count  bool            `query:"count" doc:"Whether to return the number of entries on all pages in the header X-Total-Count."`
	AuditQuery
}

// setTime returns nil for the zero time.
func setTime(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

func (h *Handlers) listAudit(ctx context.Context, in *auditInput) (*rest.List[AuditEntry], error) {
	page := rest.PageQuery{Limit: in.Limit, Before: in.Before, Sort: in.Sort, Cursor: in.Cursor, Count: in.Count}
	return rest.Listed(ctx, page, auditRecordFor(ctx), func(p models.Page) ([]models.AuditEntry, error) {
		return h.Audit.ListAudit(ctx, rest.ProjectOf(ctx), in.filter(), p)
	})
}

// AuditEntry records one change.
type AuditEntry struct {
	ID         int64             `json:"id" doc:"ID of the entry, which is the cursor for paging."`
	Action     string            `json:"action" doc:"Action, written as noun.verb."`
	ActorType  models.ActorType  `json:"actorType" enum:"api_key,user,system"`
	ActorID    string            `json:"actorId" doc:"ID of the key, root, or the name of the component."`
	ActorName  string            `json:"actorName"`
	EntityType string            `json:"entityType" doc:"Kind of record that was changed."`
	EntityID   string            `json:"entityId" doc:"ID of the record that was changed."`
	Subject    rest.AuditSubject `json:"subject" doc:"Record that the entry is about, as it is now: of a rule, its flag."`
	Details    map[string]any    `json:"details" doc:"Details of the change. Only admins see the address and userAgent of a sign-in."`
	RequestID  string            `json:"requestId" doc:"X-Request-Id of the call; empty for changes that Waft made on its own."`
	ChangeID   string            `json:"changeId" doc:"ID of the change. All entries of one change have the same: a rollback, for example, writes several."`
	CreatedAt  rest.Time         `json:"createdAt"`
}

// auditRecordFor returns a function that renders audit log entries for the caller of a request.
func auditRecordFor(ctx context.Context) func(models.AuditEntry) AuditEntry {
	admin := rest.CallOf(ctx).Caller.Role.Allows(models.RoleAdmin)
	return func(e models.AuditEntry) AuditEntry { return AuditRecord(e, admin) }
}

// AuditRecord returns the API's representation of an audit log entry, with the details that an admin or another
// reader may see.
func AuditRecord(e models.AuditEntry, admin bool) AuditEntry {
	return AuditEntry{
		ID: e.ID, Action: e.Action, ActorType: e.ActorType, ActorID: e.ActorID, ActorName: e.ActorName,
		EntityType: e.EntityType, EntityID: e.EntityID, Subject: rest.AuditSubject(e.Subject),
		Details: rest.OrEmpty(e.DetailsFor(admin)), RequestID: e.RequestID,
		ChangeID:  strconv.FormatUint(e.ChangedTx, 10),
		CreatedAt: rest.Time{Time: e.CreatedAt},
	}
}

func (AuditEntry) Example() any {
	return AuditEntry{
		ID: 99, Action: "build.published", ActorType: models.ActorAPIKey, ActorID: strconv.Itoa(2), ActorName: "ci",
		EntityType: "update", EntityID: "17", Details: map[string]any{"channel": "production"},
		Subject:   rest.ExampleSubject,
		RequestID: rest.ExampleUUID, ChangeID: "815", CreatedAt: rest.ExampleTime,
	}
}

func (r AuditEntry) RecordID() int64 { return r.ID }

package api

import (
	"context"
	"strconv"
	"time"

	"github.com/waft-ota/waft/models"
)

// Audit reads the audit log.
type Audit interface {
	ListAudit(
		ctx context.Context, projectID int64, filter models.AuditFilter, page models.Page,
	) ([]models.AuditEntry, error)
}

var listAuditDoc = doc(tagAudit, "listAuditLog", "List changes",
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

func (h *handlers) listAudit(ctx context.Context, in *auditInput) (*List[AuditEntry], error) {
	return listed(ctx, PageQuery{Limit: in.Limit, Before: in.Before}, auditRecord, func(p models.Page) ([]models.AuditEntry, error) {
		return h.Audit.ListAudit(ctx, projectOf(ctx), in.filter(), p)
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
	Details    map[string]any   `json:"details" doc:"What changed."`
	RequestID  string           `json:"requestId" doc:"X-Request-Id of the call, empty for what Waft did by itself."`
	CreatedAt  Time             `json:"createdAt"`
}

func auditRecord(e models.AuditEntry) AuditEntry {
	return AuditEntry{
		ID: e.ID, Action: e.Action, ActorType: e.ActorType, ActorID: e.ActorID, ActorName: e.ActorName,
		EntityType: e.EntityType, EntityID: e.EntityID, Details: orEmpty(e.Details), RequestID: e.RequestID,
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

var updateHistoryDoc = doc(tagUpdates, "listUpdateHistory", "List the history of a release",
	"Oldest first, also of a deleted release: its creation and changes, its rollouts, its republished copies, and its rollback.")

type historyInput struct {
	IDPath
	Limit  int   `query:"limit" default:"100" minimum:"1" maximum:"200" doc:"Most entries to answer."`
	After  int64 `query:"after" minimum:"1" doc:"Only entries with a higher id than this one; the Link header of a page has it for the next."`
	Before int64 `query:"before" minimum:"1" doc:"Only entries with a lower id than this one."`
}

// HistoryEntry is a change of a release.
type HistoryEntry struct {
	ID        int64          `json:"id" doc:"Of the entry in the audit log."`
	Action    string         `json:"action" doc:"What was done, as noun.verb."`
	Actor     string         `json:"actor" doc:"Name of the key, or system."`
	Details   map[string]any `json:"details" doc:"What changed."`
	CreatedAt Time           `json:"createdAt"`
}

func historyEntry(e models.AuditEntry) HistoryEntry {
	record := auditRecord(e)
	actor := models.Actor{Type: e.ActorType, ID: e.ActorID, Name: e.ActorName}
	return HistoryEntry{
		ID: record.ID, Action: record.Action, Actor: actor.Shown(), Details: record.Details, CreatedAt: record.CreatedAt,
	}
}

func (HistoryEntry) example() any {
	return HistoryEntry{
		ID: 99, Action: "update.patched", Actor: "ci", CreatedAt: exampleTime,
		Details: map[string]any{"isEnabled": map[string]any{"before": true, "after": false}},
	}
}

func (h *handlers) updateHistory(ctx context.Context, in *historyInput) (*List[HistoryEntry], error) {
	found, err := h.Releases.ReleaseHistory(ctx, projectOf(ctx), in.ID,
		models.HistoryPage{Limit: in.Limit + 1, After: in.After, Before: in.Before})
	return pageOf(ctx, found, in.Limit, historyEntry, func(last models.AuditEntry) (cursor, value string) {
		return "after", strconv.FormatInt(last.ID, 10)
	}), err
}

func (r AuditEntry) recordID() int64 { return r.ID }

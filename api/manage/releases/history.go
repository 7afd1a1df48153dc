package releases

import (
	"context"
	"strconv"

	"github.com/waft-ota/waft/api/manage/project"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

var updateHistoryDoc = rest.Doc(TagUpdates, "listUpdateHistory", "List the history of a release",
	"Returns the entries of a release, oldest first, even after it was deleted: its creation and changes, its rollouts, its "+
		"republished copies and its rollback.")

type historyInput struct {
	rest.IDPath
	Limit  int   `query:"limit" default:"100" minimum:"1" maximum:"200" doc:"Maximum number of entries to return."`
	After  int64 `query:"after" minimum:"1" doc:"Entry ID; only entries with a higher ID are returned. The Link header of a page contains the ID for the next page."`
	Before int64 `query:"before" minimum:"1" doc:"Entry ID; only entries with a lower ID are returned."`
	Count  bool  `query:"count" doc:"Whether to return the number of entries on all pages in the header X-Total-Count."`
}

// HistoryEntry is a change of a release.
type HistoryEntry struct {
	ID        int64          `json:"id" doc:"ID of the entry in the audit log."`
	Action    string         `json:"action" doc:"Action, written as noun.verb."`
	Actor     string         `json:"actor" doc:"Name of the key, or system."`
	Details   map[string]any `json:"details" doc:"Details of the change."`
	ChangeID  string         `json:"changeId" doc:"ID of the change. All entries of one change have the same."`
	CreatedAt rest.Time      `json:"createdAt"`
}

func (HistoryEntry) Example() any {
	return HistoryEntry{
		ID: 99, Action: "update.patched", Actor: "ci", ChangeID: "815", CreatedAt: rest.ExampleTime,
		Details: map[string]any{"isEnabled": map[string]any{"before": true, "after": false}},
	}
}

func historyEntry(e models.AuditEntry) HistoryEntry {
	record := project.AuditRecord(e, false)
	actor := models.Actor{Type: e.ActorType, ID: e.ActorID, Name: e.ActorName}
	return HistoryEntry{
		ID: record.ID, Action: record.Action, Actor: actor.Shown(), Details: record.Details, ChangeID: record.ChangeID, CreatedAt: record.CreatedAt,
	}
}

func (h *Handlers) updateHistory(ctx context.Context, in *historyInput) (*rest.List[HistoryEntry], error) {
	page := models.HistoryPage{Limit: in.Limit + 1, After: in.After, Before: in.Before}
	if in.Count {
		page.Total = new(int64)
	}
	found, err := h.Releases.ReleaseHistory(ctx, rest.ProjectOf(ctx), in.ID, page)
	return rest.PageOf(ctx, found, in.Limit, historyEntry, func(last models.AuditEntry) (cursor, value string) {
		return "after", strconv.FormatInt(last.ID, 10)
	}).Counted(page.Total), err
}

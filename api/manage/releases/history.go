package releases

import (
	"context"
	"strconv"

	"github.com/waft-ota/waft/api/manage/project"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

var updateHistoryDoc = rest.Doc(TagUpdates, "listUpdateHistory", "List the history of a release",
	"Oldest first, also of a deleted release: its creation and changes, its rollouts, its republished copies, and its rollback.")

type historyInput struct {
	rest.IDPath
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
	CreatedAt rest.Time      `json:"createdAt"`
}

func (HistoryEntry) Example() any {
	return HistoryEntry{
		ID: 99, Action: "update.patched", Actor: "ci", CreatedAt: rest.ExampleTime,
		Details: map[string]any{"isEnabled": map[string]any{"before": true, "after": false}},
	}
}

func historyEntry(e models.AuditEntry) HistoryEntry {
	record := project.AuditRecord(e, false)
	actor := models.Actor{Type: e.ActorType, ID: e.ActorID, Name: e.ActorName}
	return HistoryEntry{
		ID: record.ID, Action: record.Action, Actor: actor.Shown(), Details: record.Details, CreatedAt: record.CreatedAt,
	}
}

func (h *Handlers) updateHistory(ctx context.Context, in *historyInput) (*rest.List[HistoryEntry], error) {
	found, err := h.Releases.ReleaseHistory(ctx, rest.ProjectOf(ctx), in.ID,
		models.HistoryPage{Limit: in.Limit + 1, After: in.After, Before: in.Before})
	return rest.PageOf(ctx, found, in.Limit, historyEntry, func(last models.AuditEntry) (cursor, value string) {
		return "after", strconv.FormatInt(last.ID, 10)
	}), err
}

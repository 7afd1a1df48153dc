package releases

import (
	"context"
	"strconv"

	"github.com/waft-ota/waft/api/manage/project"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

var updateHistoryDoc = rest.Doc(TagUpdates, "listUpdateHistory", "List the history of a release",
	"Returns the entries of a release, oldest first unless sort is set, even after it was deleted: its creation and changes, its rollouts, its "+
		"republished copies and its rollback.")

type historyInput struct {
	rest.IDPath
	Limit  int             `query:"limit" default:"100" minimum:"1" maximum:"200" doc:"Maximum number of entries to return."`
	After  int64           `query:"after" minimum:"1" doc:"Entry ID; only entries with a higher ID are returned. The Link header of a page contains the ID for the next page."`
	Before int64           `query:"before" minimum:"1" doc:"Entry ID; only entries with a lower ID are returned."`
	Sort   string          `query:"sort" maxLength:"64" doc:"Field to sort by: createdAt, or -createdAt for the newest entries first." example:"-createdAt"`
	Cursor rest.PageCursor `query:"cursor" maxLength:"2000" doc:"Cursor for the next page of a list with sort, from the Link header of the previous page."`
	Count  bool            `query:"count" doc:"Whether to return the number of entries on all pages in the header X-Total-Count."`
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
	page, err := in.page()
	if err != nil {
		return nil, err
	}
	found, err := h.Releases.ReleaseHistory(ctx, rest.ProjectOf(ctx), in.ID, page)
	return rest.PageOf(ctx, found, in.Limit, historyEntry, func(last models.AuditEntry) (cursor, value string) {
		if in.Sort != "" {
			return "cursor", rest.CursorOf(models.Cursor{Order: in.Sort, ID: last.ID})
		}
		return "after", strconv.FormatInt(last.ID, 10)
	}).Counted(page.Total), err
}

// page returns the page for the store, one entry longer than requested: the last entry exists only if a next page exists.
// IDs of entries are in the order of their times.
func (in *historyInput) page() (page models.HistoryPage, err error) {
	order, err := rest.SortOf(in.Sort, "", []string{"createdAt"})
	if err != nil {
		return page, err
	}
	at, err := in.Cursor.Place(order)
	page = models.HistoryPage{Limit: in.Limit + 1, After: in.After, Before: in.Before, NewestFirst: order == "-createdAt"}
	switch {
	case at == nil:
	case !page.NewestFirst:
		page.After = max(page.After, at.ID)
	case page.Before == 0 || at.ID < page.Before:
		page.Before = at.ID
	}
	if in.Count {
		page.Total = new(int64)
	}
	return page, err
}

package unit

import (
	"cmp"
	"context"
	"reflect"
	"slices"
	"strconv"
	"time"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/models"
)

// ListAudit returns a page of the audit entries that pass the filter, newest first.
func (s *Units) ListAudit(
	ctx context.Context, projectID int64, f models.AuditFilter, page models.Page,
) ([]models.AuditEntry, error) {
	return pg.Reading(ctx, s.db.Read, func(tx *gorm.DB) ([]models.AuditEntry, error) {
		entries, err := listAudit(tx, projectID, f, page)
		if err != nil {
			return nil, err
		}
		return entries, LoadSubjects(tx, projectID, entries)
	})
}

// listAudit returns the entries without their subjects.
func listAudit(tx *gorm.DB, projectID int64, f models.AuditFilter, page models.Page) ([]models.AuditEntry, error) {
	q := pg.WhereSet(tx, "action", f.Action)
	q = pg.WhereSet(q, "entity_type", f.EntityType)
	q = pg.WhereSet(q, "entity_id", f.EntityID)
	q = q.Session(&gorm.Session{})
	if page.Order() != "" || page.Counts() {
		found, err := pg.Rows[models.AuditEntry](auditFiltered(q, f), auditList, projectID, page)
		if page.Order() != "" || err != nil {
			return found, err
		}
	}
	q, err := auditPage(tx, q, projectID, f, page)
	switch {
	case q == nil || err != nil:
		return []models.AuditEntry{}, err
	case f.Actor == "":
		return pg.All[models.AuditEntry](q)
	default:
		return byActor(q, f.Actor, pg.LimitOf(page.Limit))
	}
}

var auditList = pg.List{
	Table: "audit_log", Owner: "project_id",
	Sorts: map[string]pg.SortBy{
		"action": pg.ByText("audit_log.action"), "actorName": pg.ByText("audit_log.actor_name"), "createdAt": pg.ByTime("audit_log.created_at"),
		"entityType": pg.ByText("audit_log.entity_type"),
	},
}

// auditFiltered narrows q to the actor and the time of the filter, for a list that is sorted or counted.
func auditFiltered(q *gorm.DB, f models.AuditFilter) *gorm.DB {
	if f.Actor != "" {
		q = q.Where("(actor_id = ? OR actor_name = ?)", f.Actor, f.Actor)
	}
	if f.From != nil {
		q = q.Where("created_at >= ?", *f.From)
	}
	if f.To != nil {
		q = q.Where("created_at < ?", *f.To)
	}
	return q
}

// byActor returns the first entries of q by the actor with the given ID or name. It queries twice because each of the
// two has an index in the order of the page. Postgres would have to sort the result of a single query for both.
func byActor(q *gorm.DB, actor string, limit int) ([]models.AuditEntry, error) {
	byID, err := pg.All[models.AuditEntry](q.Where("actor_id = ?", actor))
	if err != nil {
		return nil, err
	}
	byName, err := pg.All[models.AuditEntry](q.Where("actor_name = ?", actor))
	found := append(byID, byName...)
	slices.SortFunc(found, func(a, b models.AuditEntry) int {
		return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), cmp.Compare(b.ID, a.ID))
	})
	found = slices.CompactFunc(found, func(a, b models.AuditEntry) bool { return a.ID == b.ID })
	return found[:min(len(found), limit)], err
}

// auditPage narrows q to a page, newest first. If the filter has a time, entries are ordered by time, as in the index
// that finds them; IDs are in almost the same order. The page is nil if no entry precedes it.
func auditPage(tx, q *gorm.DB, projectID int64, f models.AuditFilter, page models.Page) (*gorm.DB, error) {
	if f.From == nil && f.To == nil {
		return pg.NewestFirst(q, auditList, projectID, page), nil
	}
	const project = "audit_log.project_id = ANY (ARRAY[?]::bigint[])"
	q = q.Where(project, projectID)
	if f.From != nil {
		q = q.Where("created_at >= ?", *f.From)
	}
	if f.To != nil {
		q = q.Where("created_at < ?", *f.To)
	}
	if page.Before > 0 {
		var at []time.Time
		err := tx.Table("audit_log").Where(project, projectID).Where("id <= ?", page.Before).
			Order("project_id DESC, id DESC").Limit(1).Pluck("created_at", &at).Error
		if err != nil || len(at) == 0 {
			return nil, err
		}
		q = q.Where("(created_at, id) < (?, ?)", at[0], page.Before)
	}
	return q.Order("project_id DESC, created_at DESC, id DESC").Limit(pg.LimitOf(page.Limit)).Session(&gorm.Session{}), nil
}

// Entry returns the audit entry for a change of one record.
func (c *Change) Entry(
	actor models.Actor, action, entity string, id int64, details map[string]any,
) models.AuditEntry {
	return models.AuditEntry{
		ProjectID:  c.Project.ID,
		Action:     action,
		ActorType:  actor.Type,
		ActorID:    actor.ID,
		ActorName:  actor.Name,
		EntityType: entity,
		EntityID:   strconv.FormatInt(id, 10),
		Details:    details,
		RequestID:  actor.RequestID,
		CreatedAt:  c.Now(),
	}
}

// Diff holds the old and new values of the fields that a change modifies.
type Diff map[string]any

// MapDiff compares two maps with the same fields. Pointers in them are compared by the values they point to.
func MapDiff(before, after map[string]any) Diff {
	d := Diff{}
	for field, was := range before {
		if !reflect.DeepEqual(was, after[field]) {
			d[field] = map[string]any{"before": was, "after": after[field]}
		}
	}
	return d
}

package projectstore

import (
	"cmp"
	"context"
	"slices"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/models"
)

// changesSQL reads the present moment, as a pg_snapshot, and the changes of a project that a reader does not have yet.
// The condition on the range of transactions lets Postgres use the index. If there are no changes, it returns one row
// that contains only the present.
const changesSQL = `
	WITH present AS (SELECT pg_current_snapshot() AS seen, ` + lastRestore + ` AS restore)
	SELECT present.seen::text AS present, present.restore,
		present.restore <> @restore OR pg_snapshot_xmax(present.seen) < pg_snapshot_xmax(CAST(@seen AS pg_snapshot)) AS elsewhere, changed.*
	FROM present LEFT JOIN LATERAL (
		SELECT a.id, a.action, a.entity_type, a.entity_id, coalesce((a.details->>'flagId')::bigint, 0) AS flag_id, a.created_at AS at,
			pg_visible_in_snapshot(a.changed_tx, CAST(@seen AS pg_snapshot)) AS earlier
		FROM audit_log AS a
		WHERE a.project_id = @project
			AND a.changed_tx >= pg_snapshot_xmin(CAST(@before AS pg_snapshot)) AND a.changed_tx < pg_snapshot_xmax(present.seen)
			AND NOT pg_visible_in_snapshot(a.changed_tx, CAST(@before AS pg_snapshot))
			AND (a.id > @last OR NOT pg_visible_in_snapshot(a.changed_tx, CAST(@seen AS pg_snapshot)))
			AND pg_visible_in_snapshot(a.changed_tx, coalesce(CAST(nullif(@until, '') AS pg_snapshot), present.seen))
		ORDER BY a.changed_tx LIMIT @limit
	) AS changed ON true`

// lastRestore is SQL for StreamPosition.Restore.
const lastRestore = "coalesce((SELECT max(id) FROM restores), 0)"

type changeRow struct {
	Present string
	Restore int64
	// Elsewhere says that the reader's position does not belong to the past of this database.
	Elsewhere bool
	models.ProjectChange
	// Earlier says that the change belongs to the reader's previous batch.
	Earlier bool
}

// ProjectChanges returns the changes of a project after a position, up to the moment of the pg_snapshot until, or up to
// the present if until is "". Reset says that there are more than limit changes, or that the position does not belong
// to the past of this database. In both cases no changes are returned.
func (s *Projects) ProjectChanges(
	ctx context.Context, projectID int64, after models.StreamPosition, until string, limit int,
) (batch models.ChangeBatch, err error) {
	rows, err := pg.Reading(ctx, s.db.ReadOne, func(db *gorm.DB) (rows []changeRow, err error) {
		err = db.Raw(changesSQL, map[string]any{
			"project": projectID, "before": after.Before, "seen": after.Seen, "last": after.Last, "until": until, "limit": limit + 1,
			"restore": after.Restore,
		}).Scan(&rows).Error
		return rows, err
	})
	if err != nil {
		return batch, err
	}
	end := cmp.Or(until, rows[0].Present)
	batch.Position = models.StreamPosition{Before: end, Seen: end, Restore: rows[0].Restore}
	if batch.Reset = rows[0].Elsewhere || len(rows) > limit; batch.Reset || rows[0].ID == 0 {
		return batch, nil
	}
	slices.SortFunc(rows, func(a, b changeRow) int {
		if a.Earlier != b.Earlier {
			return map[bool]int{true: -1, false: 1}[a.Earlier]
		}
		return cmp.Compare(a.ID, b.ID)
	})
	for _, r := range rows {
		r.Position = models.StreamPosition{Before: after.Seen, Seen: end, Last: r.ID, Restore: after.Restore}
		if r.Earlier {
			r.Position.Before, r.Position.Seen = after.Before, after.Seen
		}
		batch.Changes = append(batch.Changes, r.ProjectChange)
	}
	return batch, nil
}

// StreamPresent returns the position of a reader that has all changes up to now.
func (s *Projects) StreamPresent(ctx context.Context) (models.StreamPosition, error) {
	return pg.Reading(ctx, s.db.ReadOne, func(db *gorm.DB) (p models.StreamPosition, err error) {
		err = db.Raw("SELECT pg_current_snapshot()::text AS seen, " + lastRestore + " AS restore").Scan(&p).Error
		p.Before = p.Seen
		return p, err
	})
}

package store

import (
	"context"
	"time"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/models"
)

const (
	// maxCursorAge is how old a snapshot may be for the next one to be read as its delta.
	// Rows of snapshot_changes are kept longer, so that none is missing then.
	maxCursorAge    = 12 * time.Hour
	changesKeptFor  = "24 hours"
	maxDeltaChanges = 20_000
)

// Snapshot reads everything of a project that decides what devices are served, as it was at
// one moment. The number of queries does not depend on how much that is.
func (s *Store) Snapshot(ctx context.Context, projectID int64) (models.ProjectSnapshot, error) {
	return reading(ctx, s, func(tx *gorm.DB) (models.ProjectSnapshot, error) {
		d := delta{Store: s, tx: tx, whole: true}
		d.before.Project.ID = projectID
		var err error
		if d.next.Cursor, err = snapshotCursor(tx); err == nil {
			_, err = d.read()
		}
		return d.next, err
	})
}

// SnapshotSince returns what Snapshot would, for the project of before, and reads only what
// changed in transactions that before has not seen. It shares with before what did not
// change. ok is false when before is too old, or too much changed.
func (s *Store) SnapshotSince(ctx context.Context, before models.ProjectSnapshot) (snapshot models.ProjectSnapshot, ok bool, err error) {
	err = s.read(ctx, func(tx *gorm.DB) error {
		cursor, err := snapshotCursor(tx)
		if ok = err == nil && follows(cursor, before.Cursor); !ok {
			return err
		}
		d := delta{Store: s, tx: tx, before: before, next: before}
		d.next.Cursor = cursor
		ok, err = d.read()
		snapshot = d.next
		return err
	})
	return snapshot, ok && err == nil, err
}

// follows reports whether snapshot_changes has the transactions between two cursors.
func follows(next, last models.SnapshotCursor) bool {
	age := next.ReadAt.Sub(last.ReadAt)
	return last.Seen != "" && last.ServerStart.Equal(next.ServerStart) && age >= 0 && age < maxCursorAge
}

// snapshotCursor returns what the transaction sees. Its time is right only as the first query.
func snapshotCursor(tx *gorm.DB) (c models.SnapshotCursor, err error) {
	err = tx.Raw("SELECT pg_current_snapshot()::text AS seen, pg_postmaster_start_time() AS server_start, now() AS read_at").Scan(&c).Error
	return c, err
}

// SnapshotVersions maps the ids of the given projects, or of all when none is given, to the
// version of their newest snapshot. Projects that do not exist are missing.
func (s *Store) SnapshotVersions(ctx context.Context, projectIDs ...int64) (versions map[int64]int64, err error) {
	err = s.readOne(ctx, func(db *gorm.DB) error {
		q := db.Select("id", "snapshot_version")
		if len(projectIDs) > 0 {
			q = q.Where("id IN ?", projectIDs)
		}
		projects, err := all[models.Project](q)
		versions = make(map[int64]int64, len(projects))
		for _, p := range projects {
			versions[p.ID] = p.SnapshotVersion
		}
		return err
	})
	return versions, err
}

// PruneSnapshotChanges deletes the rows of snapshot_changes that no SnapshotSince needs.
func (s *Store) PruneSnapshotChanges(ctx context.Context) error {
	return s.write(ctx, func(tx *gorm.DB) error {
		return tx.Exec("DELETE FROM snapshot_changes WHERE changed_at < now() - ?::interval", changesKeptFor).Error
	})
}

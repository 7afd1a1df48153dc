package restorestore

import (
	"fmt"
	"time"
)

const (
	// numbersPerSecond is more than an installation takes on average of any number between a backup and a restore.
	numbersPerSecond = 1000
	// leastJump is the jump of the numbers if no time has passed since the backup. It is part of every jump: a second restore of
	// the same backup then passes even the numbers that were used since the first.
	leastJump = 100_000
	// clockMargin limits how far the old server's clock may have been ahead of the clock of this machine.
	clockMargin = time.Minute
)

// jump returns how far numbers move that must not repeat any that were used between the backup and the restore.
func (f Facts) jump() int64 {
	return leastJump + int64(f.RestoredAt.Sub(f.BackedUpAt)/time.Second)*numbersPerSecond
}

// taggedTables lists the tables whose records have an ETag of their ID and version.
var taggedTables = []string{
	"channels", "releases", "flags", "segments", "rollout_policies", "members", "projects", "webhooks", "contexts", "incidents",
	"error_group_statuses",
}

// moveNumbers moves every number that clients compare or that names a record: somebody may have seen the same number for
// something that the backup does not have.
//
//   - IDs: devices hold update metadata with the IDs of releases, receivers of webhooks have the IDs of events, and people
//     have links to records.
//   - The versions in ETags: If-Match with an ETag from after the backup must not match another change.
//   - Snapshot versions: a client of a flag stream waits for the version that it was told.
//   - The release clock: a stock client refuses a release that is not newer than its running release.
func (s *settling) moveNumbers() error {
	s.Exec("SELECT setval('waft_ids', nextval('waft_ids') + ?)", s.jump())
	for _, table := range taggedTables {
		s.withoutTriggers(table, func() { s.Exec("UPDATE "+table+" SET version = version + ?", s.jump()) })
	}
	s.Exec("UPDATE flag_schedules SET flag_version = flag_version + ?", s.jump())
	s.Exec(`UPDATE projects SET snapshot_version = snapshot_version + ?, last_release_millis = greatest(last_release_millis, ?),
		backed_up_at = ?, restored_at = ?`, s.jump(), s.RestoredAt.Add(clockMargin).UnixMilli(), s.BackedUpAt, s.RestoredAt)
	s.moveTransactions()
	return s.Err
}

// moveTransactions makes rows that name a transaction of the backed up server belong to the past of this server. Its
// transactions may have smaller numbers, and then it would take the rows for changes that are still to come.
func (s *settling) moveTransactions() {
	s.withoutTriggers("audit_log", func() {
		s.Exec(`UPDATE audit_log SET changed_tx = pg_current_xact_id() WHERE changed_tx >= pg_snapshot_xmin(pg_current_snapshot())`)
	})
	s.Exec("DELETE FROM snapshot_changes") // no process has a snapshot from before the restore
}

// withoutTriggers runs write while the triggers of the table are off, such as the trigger that counts versions.
func (s *settling) withoutTriggers(table string, write func()) {
	s.Exec(fmt.Sprintf("ALTER TABLE %s DISABLE TRIGGER USER", table))
	write()
	s.Exec(fmt.Sprintf("ALTER TABLE %s ENABLE TRIGGER USER", table))
}

// scan reads the rows of a query into to.
func (s *settling) scan(to any, sql string, args ...any) {
	s.Do(func() error { return s.Tx.Raw(sql, args...).Scan(to).Error })
}

// counted runs a statement and returns the number of its rows.
func (s *settling) counted(sql string, args ...any) (n int) {
	s.Do(func() error {
		result := s.Tx.Exec(sql, args...)
		n = int(result.RowsAffected)
		return result.Error
	})
	return n
}

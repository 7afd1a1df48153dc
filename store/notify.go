package store

import "gorm.io/gorm"

// Notification channels of Postgres.
const (
	// NotifySnapshot names a project, by its id in decimal, whose snapshot changed.
	NotifySnapshot = "waft_snapshot"
	// NotifyExecution names a rollout execution, by its id in decimal, that changed.
	NotifyExecution = "waft_execution"
	// NotifyOutbox says that the outbox has a new message.
	NotifyOutbox = "waft_outbox"
)

// bumpSnapshot gives the project a new snapshot version and, once the transaction
// commits, wakes whoever serves its devices.
func bumpSnapshot(tx *gorm.DB, projectID int64) error {
	return tx.Exec(`WITH bumped AS (UPDATE projects SET snapshot_version = snapshot_version + 1 WHERE id = ? RETURNING id)
		SELECT pg_notify(?, id::text) FROM bumped`, projectID, NotifySnapshot).Error
}

func notify(tx *gorm.DB, channel, payload string) error {
	return tx.Exec("SELECT pg_notify(?, ?)", channel, payload).Error
}

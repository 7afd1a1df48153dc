package store

import (
	"strconv"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/models"
)

// bumpSnapshot gives the project a new snapshot version and, once the transaction
// commits, wakes whoever serves its devices.
func bumpSnapshot(tx *gorm.DB, projectID int64) error {
	return tx.Exec(`WITH bumped AS (UPDATE projects SET snapshot_version = snapshot_version + 1 WHERE id = ? RETURNING id)
		SELECT pg_notify(?, id::text) FROM bumped`, projectID, models.NotifySnapshot).Error
}

// notify names a record on a channel of Postgres once the transaction commits.
func notify(tx *gorm.DB, channel string, id int64) error {
	return tx.Exec("SELECT pg_notify(?, ?)", channel, strconv.FormatInt(id, 10)).Error
}

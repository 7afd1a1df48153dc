package models

import (
	"encoding/json"
	"fmt"
	"time"
)

// Restore is one restore of the installation from a backup.
type Restore struct {
	ID int64
	// Source is the name of the backup.
	Source string
	// BackedUpAt is the moment of the backup's state of Postgres, and RestoredAt the moment of the restore.
	BackedUpAt, RestoredAt time.Time
	// Version is the version of Waft that restored the backup.
	Version string
	// Report is the JSON of what the restore did and found.
	Report json.RawMessage `gorm:"type:jsonb"`
}

// restoreTime is the format of times in texts about a restore.
const restoreTime = "2006-01-02 15:04:05 UTC"

// RestorePauseReason returns the reason why a rollout that was running in a backup of the given time is paused.
func RestorePauseReason(backedUpAt time.Time) string {
	return fmt.Sprintf("Waft was restored from a backup of %s; check the health of the release, then resume the rollout",
		backedUpAt.UTC().Format(restoreTime))
}

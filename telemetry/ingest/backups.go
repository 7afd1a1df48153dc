package ingest

import (
	"context"
	"time"
)

// backupWait is the time for which an insert waits for a backup. It is longer than a backup may hold inserts up.
const backupWait = 12 * time.Second

// apart inserts a range either wholly before or wholly after the state that a backup copies. If Postgres does not respond, no backup fixes
// a state, so the insert does not wait for longer.
func (l *Log) apart(ctx context.Context, insert func() error) error {
	if l.options.Backups == nil {
		return insert()
	}
	waiting, cancel := context.WithTimeout(ctx, backupWait)
	defer cancel()
	if release, err := l.options.Backups.WaitForBackup(waiting); err == nil {
		defer release()
	}
	return insert()
}

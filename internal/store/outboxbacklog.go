package store

import (
	"context"
	"time"
)

// OutboxBacklog returns how many messages wait to be relayed, and the age of the oldest,
// 0 without any.
func (s *Store) OutboxBacklog(ctx context.Context) (waiting int64, oldest time.Duration, err error) {
	var row struct {
		Waiting int64
		Seconds float64
	}
	err = s.db.WithContext(ctx).
		Raw("SELECT count(*) AS waiting, coalesce(extract(epoch FROM clock_timestamp() - min(created_at)), 0) AS seconds FROM outbox").
		Scan(&row).Error
	return row.Waiting, time.Duration(row.Seconds * float64(time.Second)), translate(err)
}

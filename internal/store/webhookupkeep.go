package store

import (
	"context"
	"time"

	"github.com/waft-ota/waft/models"
)

// WebhookBacklog is how many webhook deliveries are pending, and by how much the one
// that waits longest is past the time of its next attempt, 0 when none is.
func (s *Store) WebhookBacklog(ctx context.Context) (pending int64, overdue time.Duration, err error) {
	var row struct {
		Pending int64
		Seconds float64
	}
	err = s.db.WithContext(ctx).Raw(`SELECT count(*) AS pending,
			greatest(0, coalesce(extract(epoch FROM clock_timestamp() - min(next_attempt_at)), 0)) AS seconds
		FROM webhook_deliveries WHERE status = ?`, models.DeliveryPending).Scan(&row).Error
	return row.Pending, time.Duration(row.Seconds * float64(time.Second)), translate(err)
}

// DeleteDeliveries deletes up to limit deliveries that have ended and are older than
// before, and returns how many. Several processes may do so at once.
func (s *Store) DeleteDeliveries(ctx context.Context, before time.Time, limit int) (deleted int64, err error) {
	result := s.db.WithContext(ctx).Exec(`DELETE FROM webhook_deliveries WHERE id IN (
			SELECT id FROM webhook_deliveries WHERE status <> 'pending' AND created_at < ?
			ORDER BY created_at LIMIT ? FOR UPDATE SKIP LOCKED)`, before, limit)
	return result.RowsAffected, translate(result.Error)
}

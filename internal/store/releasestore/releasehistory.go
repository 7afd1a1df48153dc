package releasestore

import (
	"context"
	"strconv"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/models"
)

// ReleaseHistory returns the audit entries about a release, deleted or not. These are the entries of the
// release, its rollouts, its republications, and the rollbacks that rolled it back or gave it an alias.
func (s *Releases) ReleaseHistory(
	ctx context.Context, projectID, id int64, page models.HistoryPage,
) ([]models.AuditEntry, error) {
	return pg.Reading(ctx, s.db.Read, func(tx *gorm.DB) ([]models.AuditEntry, error) {
		r, err := pg.One[models.Release](tx.Where("project_id = ? AND id = ?", projectID, id), "release %d", id)
		if err != nil {
			return nil, err
		}
		whole, created, err := relatedRecords(tx, r)
		if err != nil {
			return nil, err
		}
		q := tx.Where("project_id = ? AND entity_id IN ?", projectID, append(created, whole...)).
			Where("entity_id IN ? OR action IN ?", whole, []string{"update.republished", "update.rollback"}).
			Session(&gorm.Session{})
		if page.Total != nil {
			if err := q.Model(&models.AuditEntry{}).Count(page.Total).Error; err != nil {
				return nil, err
			}
		}
		q = q.Where("id > ?", page.After)
		if page.Before > 0 {
			q = q.Where("id < ?", page.Before)
		}
		order := "id"
		if page.NewestFirst {
			order = "id DESC"
		}
		return pg.All[models.AuditEntry](q.Order(order).Limit(pg.LimitOf(page.Limit)))
	})
}

// relatedRecords returns the IDs of the records about a release. For records in whole, all audit entries are about the
// release; for records in created, only the entries of the record's creation are.
func relatedRecords(tx *gorm.DB, r models.Release) (whole, created []string, err error) {
	err = tx.Table("rollout_executions").Where("update_id = ?", r.ID).Order("id").Pluck("id::text", &whole).Error
	if err != nil {
		return nil, nil, err
	}
	id := strconv.FormatInt(r.ID, 10)
	err = tx.Raw(`SELECT id::text FROM releases
			WHERE project_id = ? AND (republished_from_id = ? OR rolled_back_update_ids @> ?::jsonb)
		UNION SELECT rollback_id::text FROM release_aliases WHERE release_id = ?`,
		r.ProjectID, r.ID, "["+id+"]", r.ID).Scan(&created).Error
	return append(whole, id), created, err
}

package store

import (
	"context"
	"strconv"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/models"
)

// ReleaseHistory returns the audit entries about a release, deleted or not, oldest
// first: of the release, of its rollouts, of its republications and of the rollbacks
// that reverted it or gave it an alias.
func (s *Store) ReleaseHistory(ctx context.Context, projectID, id int64, page models.HistoryPage) (entries []models.AuditEntry, err error) {
	err = s.read(ctx, func(tx *gorm.DB) error {
		r, err := one[models.Release](tx.Where("project_id = ? AND id = ?", projectID, id), "update %d", id)
		if err != nil {
			return err
		}
		related, err := relatedRecords(tx, r)
		if err != nil {
			return err
		}
		q := tx.Where("project_id = ? AND entity_id IN ? AND id > ?", projectID, related.ids(), page.After).
			Where("entity_id IN ? OR action IN ?", related.whole, []string{actionRepublished, actionUpdateRollback})
		if page.Before > 0 {
			q = q.Where("id < ?", page.Before)
		}
		limit := page.Limit
		if limit <= 0 {
			limit = defaultLimit
		}
		entries, err = all[models.AuditEntry](q.Order("id").Limit(limit))
		return err
	})
	return entries, err
}

// related are the ids, as the audit log has them, of the records about a release: of
// whole all entries count, of partly those of their creation.
type related struct{ whole, partly []string }

func (r related) ids() []string { return append(append([]string{}, r.whole...), r.partly...) }

func relatedRecords(tx *gorm.DB, r models.Release) (found related, err error) {
	err = tx.Table("rollout_executions").Where("update_id = ?", r.ID).Order("id").Pluck("id::text", &found.whole).Error
	if err != nil {
		return found, err
	}
	id := strconv.FormatInt(r.ID, 10)
	found.whole = append(found.whole, id)
	err = tx.Table("releases").
		Where("project_id = ? AND (republished_from_id = ? OR rolled_back_update_ids @> ?::jsonb)", r.ProjectID, r.ID, "["+id+"]").
		Order("id").Pluck("id::text", &found.partly).Error
	if err != nil {
		return found, err
	}
	var restamps []string
	err = tx.Table("release_aliases").Where("release_id = ?", r.ID).Order("created_at").Pluck("rollback_id::text", &restamps).Error
	found.partly = append(found.partly, restamps...)
	return found, err
}

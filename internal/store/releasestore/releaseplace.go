package releasestore

import (
	"context"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/models"
)

// maxPlaces is the maximum number of releases that ReleasePlaces returns.
const maxPlaces = 5000

// ReleasePlaces returns the project's newest releases, deleted ones included, at most 5,000.
func (s *Releases) ReleasePlaces(ctx context.Context, projectID int64) ([]models.ReleasePlace, error) {
	return pg.Reading(ctx, s.db.ReadOne, func(db *gorm.DB) (places []models.ReleasePlace, err error) {
		err = db.Table("releases").Select("update_uuid::text, platform, runtime_version, branch_id, created_at").
			Where("project_id = ?", projectID).Order("id DESC").Limit(maxPlaces).Scan(&places).Error
		return places, err
	})
}

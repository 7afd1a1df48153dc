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

// PreviousRelease returns the newest release before the release with the update ID on the same branch, platform and runtime
// version. Deleted releases do not count. found is false if the update ID is unknown, or its release is the first.
func (s *Releases) PreviousRelease(ctx context.Context, projectID int64, updateUUID string) (before models.Release, found bool, err error) {
	if updateUUID == "" {
		return before, false, nil
	}
	releases, err := pg.Reading(ctx, s.db.ReadOne, func(db *gorm.DB) ([]models.Release, error) {
		return pg.All[models.Release](SelectReleases(db).Joins(`JOIN releases AS after ON after.project_id = releases.project_id
			AND after.branch_id = releases.branch_id AND after.platform = releases.platform
			AND after.runtime_version = releases.runtime_version AND after.id > releases.id`).
			Where("after.project_id = ? AND after.update_uuid = ? AND releases.deleted_at IS NULL", projectID, updateUUID).
			Order("releases.id DESC").Limit(1))
	})
	if err != nil || len(releases) == 0 {
		return before, false, err
	}
	return releases[0], true, nil
}

package store

import (
	"context"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"github.com/waft-ota/waft/models"
)

// ReleasesOf maps the given update ids to the project's releases, deleted ones
// included. A text that is no UUID finds nothing.
func (s *Store) ReleasesOf(ctx context.Context, projectID int64, updates []string) (map[string]models.Release, error) {
	releases := map[string]models.Release{}
	ids := []uuid.UUID{uuid.Nil}
	for _, text := range updates {
		if id, err := uuid.Parse(text); err == nil {
			ids = append(ids, id)
		}
	}
	err := s.read(ctx, func(tx *gorm.DB) error {
		clear(releases)
		found, err := all[models.Release](selectReleases(tx).
			Where("releases.project_id = ? AND releases.update_uuid IN ?", projectID, ids))
		for _, r := range found {
			releases[r.UpdateUUID.String()] = r
		}
		return err
	})
	return releases, err
}

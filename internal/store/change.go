package store

import (
	"context"
	"errors"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/models"
)

// errUnchanged is what the function given to Store.change returns when it found
// nothing to change.
var errUnchanged = errors.New("unchanged")

// change is write for what devices are served: it locks the project, runs fn and gives
// the project a new snapshot version. Other changes of the project wait meanwhile. When
// fn returns errUnchanged, change keeps the version and succeeds.
func (s *Store) change(ctx context.Context, projectID int64, fn func(tx *gorm.DB, project *models.Project) error) error {
	return s.write(ctx, func(tx *gorm.DB) error {
		project, err := lockProject(tx, projectID)
		if err != nil {
			return err
		}
		err = fn(tx, &project)
		if errors.Is(err, errUnchanged) {
			return nil
		}
		if err != nil {
			return err
		}
		return bumpSnapshot(tx, projectID)
	})
}

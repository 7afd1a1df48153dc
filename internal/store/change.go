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

// change is write for what devices are served: fn gets the project, with every other
// change of it kept waiting, and once fn is done its devices are served anew. When fn
// returns errUnchanged they are not, and that is no error.
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

package unit

import (
	"errors"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/models"
)

// LockProject reads the project and locks it against other changes until the transaction
// ends. A transaction that has written rows that refer to the project can still take the
// lock without a deadlock.
func LockProject(tx *gorm.DB, id int64) (models.Project, error) {
	return OneProject(tx.Clauses(pg.ForChange).Where("id = ?", id))
}

// OneProject reads the project that q finds.
func OneProject(q *gorm.DB) (p models.Project, err error) {
	err = q.Take(&p).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		err = models.Errorf(models.CodeNotFound, "there is no such project")
	}
	return p, err
}

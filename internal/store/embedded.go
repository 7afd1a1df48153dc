package store

import (
	"fmt"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"github.com/waft-ota/waft/models"
)

// maxEmbeddedTargets is how many releases get patches against an embedded update that
// was uploaded after them.
const maxEmbeddedTargets = 20

// enqueueEmbedded enqueues patches from the embedded update b to the releases that
// devices of its platform and runtime version are served.
func enqueueEmbedded(tx *gorm.DB, b models.Build) error {
	// A publish at the same moment either is seen here, or sees the build.
	project, err := lockProject(tx, b.ProjectID)
	if err != nil {
		return err
	}
	var current []models.Release
	err = tx.Raw(`SELECT DISTINCT ON (branch_id) * FROM releases
		WHERE project_id = ? AND platform = ? AND runtime_version = ? AND kind = ? AND is_enabled AND deleted_at IS NULL
		ORDER BY branch_id, created_at DESC LIMIT ?`,
		project.ID, b.Platform, b.RuntimeVersion, models.KindUpdate, maxEmbeddedTargets).Scan(&current).Error
	if err != nil {
		return err
	}
	for _, r := range current {
		if err := enqueuePatches(tx, project, r, fmt.Sprintf("/%d", b.ID)); err != nil {
			return err
		}
	}
	// Patches against the same bundle may be there already.
	return bumpSnapshot(tx, project.ID)
}

// checkPublishable refuses embedded updates.
func checkPublishable(b models.Build) error {
	if b.EmbeddedUpdateID == nil {
		return nil
	}
	return models.Errorf(models.CodeInvalidTransition,
		"build %d is an embedded update (embeddedUpdateId %s) and cannot be published; upload its files without that field to publish them",
		b.ID, *b.EmbeddedUpdateID)
}

// parseEmbedded is the id that an upload gave, nil for none. It is valid.
func parseEmbedded(text string) *uuid.UUID {
	id, err := models.ParseUpdateID(text)
	if err != nil {
		return nil
	}
	return &id
}

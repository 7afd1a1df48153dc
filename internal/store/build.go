package store

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"github.com/waft-ota/waft/models"
)

// assetBatch is how many files one INSERT writes.
const assetBatch = 1000

// CreateBuild records an upload whose files are in the asset store.
func (s *Store) CreateBuild(ctx context.Context, projectID int64, actor models.Actor, n models.NewBuild) (models.Build, error) {
	if err := n.Validate(); err != nil {
		return models.Build{}, err
	}
	blobs, err := distinctBlobs(n)
	if err != nil {
		return models.Build{}, err
	}
	var b models.Build
	err = s.write(ctx, func(tx *gorm.DB) error {
		// Its files are served from now on. This comes first because the cleanup also locks
		// the project before the files.
		if err := bumpSnapshot(tx, projectID); err != nil {
			return err
		}
		b = newBuild(projectID, n)
		b.CreatedAt = tx.NowFunc()
		if err := writeBuild(tx, &b, blobs); err != nil {
			return err
		}
		if err := endHold(tx, projectID, n.HoldID); err != nil {
			return err
		}
		if b.EmbeddedUpdateID != nil {
			if err := enqueueEmbedded(tx, b); err != nil {
				return err
			}
		}
		details := buildDetails(b)
		details["assetCount"], details["sizeBytes"] = b.AssetCount, b.SizeBytes
		return audit(tx, projectID, actor, actionBuildUploaded, entityBuild, b.ID, details)
	})
	return b, err
}

func newBuild(projectID int64, n models.NewBuild) models.Build {
	b := models.Build{
		ProjectID:        projectID,
		UUID:             uuid.New(),
		Platform:         n.Platform,
		RuntimeVersion:   n.RuntimeVersion,
		Message:          n.Message,
		ClientConfig:     n.ClientConfig,
		GitCommitHash:    n.GitCommitHash,
		GitBranch:        n.GitBranch,
		EmbeddedUpdateID: parseEmbedded(n.EmbeddedUpdateID),
		Status:           models.BuildUploaded,
		AssetCount:       len(n.Assets),
		Assets:           make([]models.BuildAsset, len(n.Assets)),
	}
	copy(b.Assets, n.Assets)
	for _, a := range n.Assets {
		b.SizeBytes += a.SizeBytes
	}
	return b
}

// writeBuild inserts the build with its files and counts what of it is new.
func writeBuild(tx *gorm.DB, b *models.Build, blobs []blob) error {
	added, err := addBlobs(tx, b.ProjectID, blobs)
	if err != nil {
		return err
	}
	for _, blob := range added {
		b.NewAssetCount++
		b.NewBytes += blob.SizeBytes
	}
	if len(added) < len(blobs) {
		known, err := knownBlobs(tx, b.ProjectID, each(blobs, func(b blob) string { return b.MD5 }))
		if err != nil {
			return err
		}
		if err := checkCollisions(b.Assets, known); err != nil {
			return err
		}
	}
	if err := tx.Create(b).Error; err != nil {
		return err
	}
	for i := range b.Assets {
		b.Assets[i].BuildID, b.Assets[i].ProjectID = b.ID, b.ProjectID
	}
	return tx.CreateInBatches(b.Assets, assetBatch).Error
}

// ListBuilds returns a page of the project's builds with their files, newest
// first.
func (s *Store) ListBuilds(ctx context.Context, projectID int64, page models.Page) ([]models.Build, error) {
	return reading(ctx, s, func(tx *gorm.DB) ([]models.Build, error) {
		return allWith(tx, pageOf(tx, "builds", projectID, page), loadAssets)
	})
}

// Build returns one build with its files, in the order of their paths.
func (s *Store) Build(ctx context.Context, projectID, id int64) (models.Build, error) {
	return reading(ctx, s, func(tx *gorm.DB) (models.Build, error) {
		return oneWith(tx, tx.Where("project_id = ? AND id = ?", projectID, id), loadAssets, "build %d", id)
	})
}

// loadAssets fills in the files of all builds with one query.
func loadAssets(tx *gorm.DB, builds []models.Build) error {
	at, ids := indexed(builds, func(b *models.Build) int64 { return b.ID })
	assets, err := all[models.BuildAsset](tx.Where("build_id IN ?", ids).Order("build_id, path COLLATE \"C\""))
	if err != nil {
		return err
	}
	for _, a := range assets {
		b := at[a.BuildID]
		b.Assets = append(b.Assets, a)
	}
	return nil
}

// DeleteBuild deletes a build that no live release is made of. Its content stays
// in the asset store until the cleanup.
func (s *Store) DeleteBuild(ctx context.Context, projectID int64, actor models.Actor, id int64) error {
	return s.change(ctx, projectID, func(tx *gorm.DB, _ *models.Project) error {
		b, err := buildByID(tx, projectID, id)
		if err != nil {
			return err
		}
		if err := checkBuildUnused(tx, b); err != nil {
			return err
		}
		return removeBuild(tx, actor, b, buildDetails(b)) // its files are no longer served
	})
}

// removeBuild deletes a build that only deleted releases were made of.
func removeBuild(tx *gorm.DB, actor models.Actor, b models.Build, details map[string]any) error {
	err := execEach(tx, b.ID,
		"UPDATE releases SET build_id = NULL WHERE build_id = ?",
		"DELETE FROM build_assets WHERE build_id = ?",
		"DELETE FROM builds WHERE id = ?")
	if err != nil {
		return err
	}
	return audit(tx, b.ProjectID, actor, actionBuildDeleted, entityBuild, b.ID, details)
}

// buildDetails returns what the audit log records of a build.
func buildDetails(b models.Build) map[string]any {
	details := map[string]any{"platform": b.Platform, "runtimeVersion": b.RuntimeVersion, "message": b.Message}
	if b.EmbeddedUpdateID != nil {
		details["embeddedUpdateId"] = b.EmbeddedUpdateID
	}
	return details
}

func checkBuildUnused(tx *gorm.DB, b models.Build) error {
	var releases []string
	err := tx.Table("releases").Where("build_id = ? AND deleted_at IS NULL", b.ID).Order("releases.id").
		Limit(maxReferrers+1).Pluck("id::text", &releases).Error
	if err != nil {
		return err
	}
	if len(releases) > 0 {
		return models.Errorf(models.CodeInUse, "build %d is used by the updates %s", b.ID, someOf(releases))
	}
	return nil
}

func buildByID(tx *gorm.DB, projectID, id int64) (models.Build, error) {
	return one[models.Build](tx.Where("project_id = ? AND id = ?", projectID, id), "build %d", id)
}

// markPublished notes that the build has been published at least once.
func markPublished(tx *gorm.DB, b models.Build) error {
	if b.Status == models.BuildPublished {
		return nil
	}
	if err := tx.Model(&b).Update("status", models.BuildPublished).Error; err != nil {
		return fmt.Errorf("mark build %d as published: %w", b.ID, err)
	}
	return nil
}

package store

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"github.com/waft-ota/waft/models"
)

// assetBatch is how many files one INSERT writes.
const assetBatch = 1000

// CreateBuild records an upload whose files are in the asset store.
func (s *Files) CreateBuild(
	ctx context.Context, projectID int64, actor models.Actor, n models.NewBuild,
) (models.Build, error) {
	return apply(ctx, s.units.edit, projectID, actor, n, func(c *change) (models.Build, error) {
		blobs, err := distinctBlobs(n)
		if err != nil {
			return models.Build{}, err
		}
		// Its files are served from now on. The cleanup, too, locks the project before the files.
		c.bumpSnapshot()
		c.sameForDevices("a build is no release")
		b := newBuild(projectID, n)
		b.CreatedAt = c.now()
		if err := writeBuild(c, &b, n, blobs); err != nil {
			return b, err
		}
		if b.NewBytes > 0 {
			if err := checkBuildBytes(c, 0); err != nil {
				return b, err
			}
		}
		if err := endHold(c, n.HoldID); err != nil {
			return b, err
		}
		if b.EmbeddedUpdateID != nil {
			if err := enqueueEmbedded(c, b); err != nil {
				return b, err
			}
		}
		details := buildDetails(b)
		details["assetCount"], details["sizeBytes"] = b.AssetCount, b.SizeBytes
		c.audit("build.uploaded", "build", b.ID, details)
		return b, nil
	})
}

// CheckSpace returns CodeQuotaExceeded when the project may not store so many bytes more.
func (s *Files) CheckSpace(ctx context.Context, projectID, bytes int64) error {
	return s.db.readOne(ctx, func(db *gorm.DB) error {
		return checkBuildBytes((&change{tx: db, project: models.Project{ID: projectID}, quotas: s.units.quotas}), bytes)
	})
}

// checkBuildBytes fails when the project's files and more bytes exceed the quota.
func checkBuildBytes(c *change, more int64) error {
	if _, bound := c.quotas[models.QuotaBuildBytes]; !bound {
		return nil
	}
	var stored int64
	err := c.tx.Raw(`SELECT (SELECT coalesce(sum(`+storedBytes+`), 0) FROM blobs WHERE project_id = @project) +
		(SELECT coalesce(sum(received_bytes), 0) FROM partial_files WHERE project_id = @project AND NOT ended)`,
		map[string]any{"project": c.project.ID}).Scan(&stored).Error
	if err != nil {
		return err
	}
	return c.quotas.Check(models.QuotaBuildBytes, "bytes of files of the project's builds", 0, stored+more)
}

func newBuild(projectID int64, n models.NewBuild) models.Build {
	b := models.Build{
		ProjectID:      projectID,
		UUID:           uuid.New(),
		Platform:       n.Platform,
		RuntimeVersion: n.RuntimeVersion,
		Message:        n.Message,
		ClientConfig:   n.ClientConfig,
		GitCommitHash:  n.GitCommitHash,
		GitBranch:      n.GitBranch,
		Status:         models.BuildUploaded,
		AssetCount:     len(n.Assets),
		Assets:         slices.Clone(n.Assets),
	}
	if id, err := models.ParseUpdateID(n.EmbeddedUpdateID); err == nil {
		b.EmbeddedUpdateID = &id
	}
	for _, a := range n.Assets {
		b.SizeBytes += a.SizeBytes
	}
	if m := n.SourceMap; m != nil {
		b.SourceMap = &models.SourceMap{ProjectID: projectID, MD5: m.MD5, SizeBytes: m.SizeBytes}
		b.SizeBytes += m.SizeBytes
	}
	return b
}

// writeBuild inserts the build with its files and counts what of it is new.
func writeBuild(c *change, b *models.Build, n models.NewBuild, blobs []blob) error {
	added, err := addBlobs(c.tx, b.ProjectID, blobs)
	if err != nil {
		return err
	}
	waiting, err := takeIntoBuild(c, blobs)
	if err != nil {
		return err
	}
	compressLater(c, blobs, n.Contents)
	for _, blob := range append(added, waiting...) {
		b.NewBytes += blob.SizeBytes
		if slices.ContainsFunc(b.Assets, func(a models.BuildAsset) bool { return a.MD5 == blob.MD5 }) {
			b.NewAssetCount++
		}
	}
	if len(added) < len(blobs) {
		known, err := knownBlobs(c.tx, b.ProjectID, each(blobs, func(b blob) string { return b.MD5 }))
		if err != nil {
			return err
		}
		if err := checkCollisions(b.Assets, known); err != nil {
			return err
		}
		if err := checkMapCollision(n.SourceMap, known); err != nil {
			return err
		}
	}
	c.create(b)
	for i := range b.Assets {
		b.Assets[i].BuildID, b.Assets[i].ProjectID = b.ID, b.ProjectID
	}
	c.do(func() error { return c.tx.CreateInBatches(b.Assets, assetBatch).Error })
	if b.SourceMap != nil {
		b.SourceMap.BuildID, b.SourceMap.CreatedAt = b.ID, b.CreatedAt
		c.create(b.SourceMap)
	}
	return nil
}

// takeIntoBuild returns those of the contents that were uploaded alone and that no build had before.
func takeIntoBuild(c *change, blobs []blob) (waiting []blob, err error) {
	md5s := arrayOf(each(blobs, func(b blob) string { return b.MD5 }))
	err = c.tx.Raw(`UPDATE blobs SET in_build = true WHERE project_id = ? AND md5 = ANY (?::text[]) AND NOT in_build
		RETURNING project_id, md5, sha256, size_bytes`, c.project.ID, md5s).Scan(&waiting).Error
	return waiting, err
}

// ListBuilds returns a page of the project's builds with their files, newest first.
func (s *Files) ListBuilds(ctx context.Context, projectID int64, page models.Page) ([]models.Build, error) {
	return reading(ctx, s.db.read, func(tx *gorm.DB) ([]models.Build, error) {
		return allWith(tx, pageOf(tx, "builds", projectID, page), loadAssets)
	})
}

// Build returns one build with its files, in the order of their paths.
func (s *Files) Build(ctx context.Context, projectID, id int64) (models.Build, error) {
	return reading(ctx, s.db.read, func(tx *gorm.DB) (models.Build, error) {
		return oneWith(tx, tx.Where("project_id = ? AND id = ?", projectID, id), loadAssets, "build %d", id)
	})
}

// loadAssets fills in the files and source maps of all builds with a query each.
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
	maps, err := all[models.SourceMap](tx.Where("build_id IN ?", ids))
	for _, m := range maps {
		at[m.BuildID].SourceMap = &m
	}
	return err
}

// DeleteBuild deletes a build that no live release is made of; the cleanup deletes its files.
func (s *Files) DeleteBuild(ctx context.Context, projectID int64, actor models.Actor, id int64) error {
	return s.units.change(ctx, projectID, actor, func(c *change) error {
		b, err := buildByID(c.tx, projectID, id)
		if err != nil {
			return err
		}
		if err := checkBuildUnused(c.tx, b); err != nil {
			return err
		}
		removeBuild(c, b, buildDetails(b))
		c.neverWaits("no release needs the build", noChannel)
		return nil
	})
}

// removeBuild deletes a build that only deleted releases were made of.
func removeBuild(c *change, b models.Build, details map[string]any) {
	c.execEach(b.ID,
		"UPDATE releases SET build_id = NULL WHERE build_id = ?",
		"DELETE FROM build_assets WHERE build_id = ?",
		"DELETE FROM source_maps WHERE build_id = ?",
		"DELETE FROM builds WHERE id = ?")
	c.audit("build.deleted", "build", b.ID, details)
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
	if err == nil && len(releases) > 0 {
		err = models.Errorf(models.CodeInUse, "build %d is used by the updates %s", b.ID, someOf(releases))
	}
	return err
}

func buildByID(tx *gorm.DB, projectID, id int64) (models.Build, error) {
	return one[models.Build](tx.Where("project_id = ? AND id = ?", projectID, id), "build %d", id)
}

// maxEmbeddedTargets is how many releases get patches against a later embedded update.
const maxEmbeddedTargets = 20

// enqueueEmbedded enqueues patches from the embedded update b to the releases that devices
// of its platform and runtime version are served.
func enqueueEmbedded(c *change, b models.Build) (err error) {
	// A publish at the same moment either is seen here, or sees the build.
	if c.project, err = lockProject(c.tx, b.ProjectID); err != nil {
		return err
	}
	var current []models.Release
	err = c.tx.Raw(`SELECT DISTINCT ON (branch_id) * FROM releases
		WHERE project_id = ? AND platform = ? AND runtime_version = ? AND kind = ? AND is_enabled AND deleted_at IS NULL
		ORDER BY branch_id, created_at DESC LIMIT ?`,
		b.ProjectID, b.Platform, b.RuntimeVersion, models.KindUpdate, maxEmbeddedTargets).Scan(&current).Error
	if err != nil {
		return err
	}
	for _, r := range current {
		enqueuePatches(c, r, fmt.Sprintf("/%d", b.ID))
	}
	// Patches against the same bundle may be there already.
	c.bumpSnapshot()
	return nil
}

// BuildID returns the id of the project's build with the given UUID.
func (s *Files) BuildID(ctx context.Context, projectID int64, id uuid.UUID) (int64, error) {
	return s.db.idBy(ctx, projectID, "builds", "uuid", id, "build")
}

// enqueuePatches enqueues the making of patches to a release's launch asset. suffix makes
// the workflow id unique; it is "" for the publish.
func enqueuePatches(c *change, r models.Release, suffix string) {
	if r.Kind != models.KindUpdate {
		return
	}
	c.enqueue(models.OutboxPatchesBuild, models.PatchBuild{
		ProjectID: r.ProjectID, ReleaseID: r.ID, Project: c.project.Slug,
		WorkflowID: fmt.Sprintf("patches/%s/%d%s", c.project.Slug, r.ID, suffix),
		Summary:    fmt.Sprintf("%s: patches to release %d %s %s", c.project.Slug, r.ID, r.Platform, r.RuntimeVersion),
	})
}

package filestore

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/unit"
	"github.com/waft-ota/waft/models"
)

// assetBatch is the number of files that one INSERT writes.
const assetBatch = 1000

// CreateBuild records an upload whose files are in the asset bucket.
func (s *Files) CreateBuild(
	ctx context.Context, projectID int64, actor models.Actor, n models.NewBuild,
) (models.Build, error) {
	return unit.Apply(ctx, s.units.Edit, projectID, actor, n, func(c *unit.Change) (models.Build, error) {
		blobs, err := distinctBlobs(n)
		if err != nil {
			return models.Build{}, err
		}
		c.Alone(unit.Files)
		b := newBuild(projectID, n)
		b.CreatedAt = c.Now()
		b.UploadedBy = models.Actor{Type: c.Actor.Type, ID: c.Actor.ID, Name: c.Actor.Name}
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
		details := buildDetails(b)
		details["assetCount"], details["sizeBytes"] = b.AssetCount, b.SizeBytes
		c.Audit("build.uploaded", "build", b.ID, details)
		if b.EmbeddedUpdateID != nil {
			if err := enqueueEmbedded(c, b); err != nil {
				return b, err
			}
		}
		c.BumpSnapshotLater() // its files are served from now on, and patches against the same bundle may already exist
		c.NoDeviceImpact()    // devices are served releases, not builds
		return b, nil
	})
}

// CheckSpace returns CodeQuotaExceeded if the project may not store the given number of additional bytes.
func (s *Files) CheckSpace(ctx context.Context, projectID, bytes int64) error {
	return s.db.ReadOne(ctx, func(db *gorm.DB) error {
		return checkBuildBytes((&unit.Change{Tx: db, Project: models.Project{ID: projectID}, Quotas: s.units.Quotas}), bytes)
	})
}

// checkBuildBytes fails if the project's files, together with more bytes, exceed the quota.
func checkBuildBytes(c *unit.Change, more int64) error {
	if _, bound := c.Quotas[models.QuotaBuildBytes]; !bound {
		return nil
	}
	var stored int64
	err := c.Tx.Raw(`SELECT (SELECT coalesce(sum(`+storedBytes+`), 0) FROM blobs WHERE project_id = @project) +
		(SELECT coalesce(sum(received_bytes), 0) FROM partial_files WHERE project_id = @project AND NOT ended)`,
		map[string]any{"project": c.Project.ID}).Scan(&stored).Error
	if err != nil {
		return err
	}
	return c.Quotas.Check(models.QuotaBuildBytes, "bytes of files of the project's builds", 0, stored+more)
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
		GitAuthor:      n.GitAuthor,
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

// writeBuild inserts the build with its files, and counts the new files and bytes.
func writeBuild(c *unit.Change, b *models.Build, n models.NewBuild, blobs []Blob) error {
	added, err := addBlobs(c.Tx, b.ProjectID, blobs)
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
		known, err := knownBlobs(c.Tx, b.ProjectID, pg.Each(blobs, func(b Blob) string { return b.MD5 }))
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
	c.Create(b)
	for i := range b.Assets {
		b.Assets[i].BuildID, b.Assets[i].ProjectID = b.ID, b.ProjectID
	}
	c.Do(func() error { return c.Tx.CreateInBatches(b.Assets, assetBatch).Error })
	if b.SourceMap != nil {
		b.SourceMap.BuildID, b.SourceMap.CreatedAt = b.ID, b.CreatedAt
		c.Create(b.SourceMap)
	}
	return nil
}

// takeIntoBuild marks the files as part of a build. It returns the files that were uploaded on their own and are now
// part of a build for the first time.
func takeIntoBuild(c *unit.Change, blobs []Blob) (waiting []Blob, err error) {
	md5s := pg.ArrayOf(pg.Each(blobs, func(b Blob) string { return b.MD5 }))
	err = c.Tx.Raw(`UPDATE blobs SET in_build = true WHERE project_id = ? AND md5 = ANY (?::text[]) AND NOT in_build
		RETURNING project_id, md5, sha256, size_bytes`, c.Project.ID, md5s).Scan(&waiting).Error
	return waiting, err
}

var buildList = pg.List{
	Table: "builds", Owner: "project_id",
	Sorts: map[string]pg.SortBy{
		"createdAt": pg.ByTime("builds.created_at"), "platform": pg.ByText("builds.platform"),
		"runtimeVersion": pg.ByText("builds.runtime_version"), "sizeBytes": pg.ByNumber("builds.size_bytes"), "status": pg.ByText("builds.status"),
	},
	Matches: `search_words(project_id, ARRAY['#' || id::text, '=' || uuid::text, '~' || git_commit_hash], message, runtime_version, git_branch)
		@@ search_query(?, ?)`,
	Texts: []string{"builds.message", "builds.runtime_version", "builds.git_branch"},
}

// ListBuilds returns a page of the project's builds, newest first.
func (s *Files) ListBuilds(ctx context.Context, projectID int64, f models.BuildFilter, page models.Page) ([]models.Build, error) {
	return pg.Reading(ctx, s.db.Read, func(tx *gorm.DB) ([]models.Build, error) {
		return pg.RowsWith(tx, pg.WhereSet(tx, "builds.platform", string(f.Platform)), buildList, projectID, page,
			func(tx *gorm.DB, builds []models.Build) error {
				if !f.WithoutAssets {
					if err := loadAssets(tx, builds); err != nil {
						return err
					}
				}
				return loadUses(tx, builds)
			})
	})
}

// Build returns one build with its files, in the order of their paths.
func (s *Files) Build(ctx context.Context, projectID, id int64) (models.Build, error) {
	return pg.Reading(ctx, s.db.Read, func(tx *gorm.DB) (models.Build, error) {
		return pg.OneWith(tx, tx.Where("project_id = ? AND id = ?", projectID, id), func(tx *gorm.DB, builds []models.Build) error {
			return errors.Join(loadAssets(tx, builds), loadUses(tx, builds))
		}, "build %d", id)
	})
}

// DeleteBuild deletes a build unless it has live releases. Cleanup deletes its files.
func (s *Files) DeleteBuild(ctx context.Context, projectID int64, actor models.Actor, id int64) error {
	return s.units.ChangeServed(ctx, projectID, actor, func(c *unit.Change) error {
		b, err := BuildByID(c.Tx, projectID, id)
		if err != nil {
			return err
		}
		if err := checkBuildUnused(c.Tx, b); err != nil {
			return err
		}
		removeBuild(c, b, buildDetails(b))
		c.ExemptFromApproval(unit.NoChannel) // releases do not need the build
		return nil
	})
}

// removeBuild deletes a build that has no releases except deleted ones.
func removeBuild(c *unit.Change, b models.Build, details map[string]any) {
	c.ExecEach(b.ID,
		"SELECT FROM builds WHERE id = ? FOR UPDATE", // source maps cannot be added until the transaction ends
		"UPDATE releases SET build_id = NULL WHERE build_id = ?",
		"DELETE FROM build_assets WHERE build_id = ?",
		"DELETE FROM source_maps WHERE build_id = ?",
		"DELETE FROM builds WHERE id = ?")
	c.Audit("build.deleted", "build", b.ID, details)
}

// buildDetails returns the audit log's representation of a build.
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
		Limit(pg.MaxReferrers+1).Pluck("id::text", &releases).Error
	if err == nil && len(releases) > 0 {
		err = models.Errorf(models.CodeInUse, "build %d is used by the releases %s", b.ID, pg.SomeOf(releases))
	}
	return err
}

// BuildByID returns a build of the project, without its files.
func BuildByID(tx *gorm.DB, projectID, id int64) (models.Build, error) {
	return pg.One[models.Build](tx.Where("project_id = ? AND id = ?", projectID, id), "build %d", id)
}

// maxEmbeddedTargets is the maximum number of releases that get patches against a later embedded update.
const maxEmbeddedTargets = 20

// enqueueEmbedded enqueues patches from the embedded update b to the releases that devices of its platform and runtime
// version are served.
func enqueueEmbedded(c *unit.Change, b models.Build) error {
	// A concurrent publish either is seen here or sees the build.
	if err := c.LockProject(); err != nil {
		return err
	}
	var current []models.Release
	err := c.Tx.Raw(`SELECT DISTINCT ON (branch_id) * FROM releases
		WHERE project_id = ? AND platform = ? AND runtime_version = ? AND kind = ? AND is_enabled AND deleted_at IS NULL
		ORDER BY branch_id, created_at DESC LIMIT ?`,
		b.ProjectID, b.Platform, b.RuntimeVersion, models.KindUpdate, maxEmbeddedTargets).Scan(&current).Error
	if err != nil {
		return err
	}
	for _, r := range current {
		EnqueuePatches(c, r, fmt.Sprintf("/%d", b.ID))
	}
	return nil
}

// BuildID returns the ID of the project's build with the UUID.
func (s *Files) BuildID(ctx context.Context, projectID int64, id uuid.UUID) (int64, error) {
	return s.db.IDBy(ctx, projectID, "builds", "uuid", id, "build")
}

// EnqueuePatches enqueues the creation of patches to a release's launch asset. suffix makes the workflow ID unique; for
// a publish it is "".
func EnqueuePatches(c *unit.Change, r models.Release, suffix string) {
	if r.Kind != models.KindUpdate {
		return
	}
	c.Enqueue(models.OutboxPatchesBuild, models.PatchBuild{
		ProjectID: r.ProjectID, ReleaseID: r.ID, Project: c.Project.Slug,
		WorkflowID: fmt.Sprintf("patches/%s/%d%s", c.Project.Slug, r.ID, suffix),
		Summary:    fmt.Sprintf("%s: patches to %s, %s %s", c.Project.Slug, r.Phrase(), r.Platform, r.RuntimeVersion),
	})
}

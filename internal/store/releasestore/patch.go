package releasestore

import (
	"context"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/unit"
	"github.com/waft-ota/waft/models"
)

const (
	// maxPatchCandidates is the maximum number of releases considered when patches are planned, and
	// maxEmbeddedCandidates is the maximum number of embedded updates.
	maxPatchCandidates    = 200
	maxEmbeddedCandidates = 50
)

// launchAssets is an SQL clause that joins builds b with their launch asset a.
const launchAssets = `JOIN build_assets a ON a.build_id = b.id AND a.is_launch_asset`

// PatchCandidates returns the launch assets that patches to the release's launch asset could be made from. A rollback
// to the embedded update does not have any.
func (s *Releases) PatchCandidates(ctx context.Context, projectID, releaseID int64) (c models.PatchCandidates, err error) {
	err = s.db.Read(ctx, func(tx *gorm.DB) error {
		r, err := liveRelease(tx, projectID, releaseID)
		if err != nil {
			return err
		}
		c = models.PatchCandidates{}
		if c.TargetMD5, err = launchOf(tx, r); err != nil || c.TargetMD5 == "" {
			return err
		}
		err = tx.Raw("SELECT variants = 'pending' FROM blobs WHERE project_id = ? AND md5 = ?", projectID, c.TargetMD5).Scan(&c.TargetPending).Error
		if err != nil {
			return err
		}
		err = tx.Raw(`SELECT b.embedded_update_id AS update_uuid, a.md5
			FROM builds b `+launchAssets+`
			WHERE b.project_id = ? AND b.platform = ? AND b.runtime_version = ? AND b.embedded_update_id IS NOT NULL
			ORDER BY b.id DESC LIMIT ?`,
			projectID, r.Platform, r.RuntimeVersion, maxEmbeddedCandidates).Scan(&c.Embedded).Error
		if err != nil {
			return err
		}
		// Disabled and deleted releases are included because devices may still run them.
		return tx.Raw(`SELECT r.update_uuid, r.id AS release_id, a.md5,
				r.branch_id = ? AND r.is_enabled AND r.deleted_at IS NULL AS on_branch
			FROM releases r JOIN builds b ON b.id = r.build_id `+launchAssets+`
			WHERE r.project_id = ? AND r.platform = ? AND r.runtime_version = ? AND r.id <> ?
			ORDER BY r.created_at DESC LIMIT ?`,
			r.BranchID, projectID, r.Platform, r.RuntimeVersion, r.ID, maxPatchCandidates).Scan(&c.Releases).Error
	})
	return c, err
}

// launchOf returns the MD5 of the release's launch asset, or "" if it does not have one.
func launchOf(tx *gorm.DB, r models.Release) (md5 string, err error) {
	if r.BuildID == nil {
		return "", nil
	}
	err = tx.Raw("SELECT md5 FROM build_assets WHERE build_id = ? AND is_launch_asset", *r.BuildID).Scan(&md5).Error
	return md5, err
}

// BeginPatches records the patches to make from the bases to the target and returns the pending ones. It leaves out a
// base or target that no longer exists. It waits while a patch of the same name is being removed from the asset bucket.
func (s *Releases) BeginPatches(
	ctx context.Context, projectID int64, target string, bases []models.PatchBase,
) (jobs []models.PatchJob, err error) {
	if len(bases) == 0 {
		return nil, nil
	}
	md5s := pg.Each(bases, func(b models.PatchBase) string { return b.MD5 })
	err = s.units.Edit(ctx, projectID, models.Actor{}, func(c *unit.Change) error {
		c.Alone(unit.Files)
		c.Exec(`DELETE FROM patch_removals WHERE (project_id, target_md5, base_md5) IN (
			SELECT project_id, target_md5, base_md5 FROM patch_removals
			WHERE project_id = ? AND target_md5 = ? AND base_md5 IN ? ORDER BY base_md5 FOR UPDATE)`,
			projectID, target, md5s)
		for _, b := range bases {
			c.Exec(`INSERT INTO patches (project_id, target_md5, base_md5, base_update_uuid, base_release_id, status, reason,
					size_bytes, sha256, full_bytes, compressed_bytes, duration_millis, created_at, updated_at)
				SELECT t.project_id, t.md5, b.md5, ?, ?, ?, '', 0, '', t.size_bytes,
					least(t.size_bytes, t.gzip_bytes, t.brotli_bytes), 0, ?, ?
				FROM blobs t JOIN blobs b ON b.project_id = t.project_id AND b.md5 = ?
				WHERE t.project_id = ? AND t.md5 = ? AND b.md5 <> t.md5
				ON CONFLICT DO NOTHING`,
				b.UpdateUUID, b.ReleaseID, models.PatchPending, c.Now(), c.Now(), b.MD5, projectID, target)
		}
		jobs = []models.PatchJob{}
		return c.Tx.Raw(`SELECT p.project_id, p.target_md5, p.base_md5, t.sha256 AS target_sha256, b.sha256 AS base_sha256,
				t.size_bytes AS target_bytes, b.size_bytes AS base_bytes, p.compressed_bytes
			FROM patches p
			JOIN blobs t ON t.project_id = p.project_id AND t.md5 = p.target_md5
			JOIN blobs b ON b.project_id = p.project_id AND b.md5 = p.base_md5
			WHERE p.project_id = ? AND p.target_md5 = ? AND p.base_md5 IN ? AND p.status = ?
			ORDER BY array_position(?::text[], p.base_md5)`,
			projectID, target, md5s, models.PatchPending, pg.ArrayOf(md5s)).Scan(&jobs).Error
	})
	return jobs, err
}

// FinishPatch records the outcome of a job. An offered patch is already in the asset bucket and is served from now on.
// A second call has no effect. If one of the two files has been deleted, FinishPatch returns CodeNotFound, and the
// patch is removed from the asset bucket.
func (s *Releases) FinishPatch(ctx context.Context, j models.PatchJob, o models.PatchOutcome) error {
	gone := false
	err := s.units.Edit(ctx, j.ProjectID, models.Actor{}, func(c *unit.Change) error {
		var status []models.PatchStatus
		err := c.Tx.Table("patches").Clauses(pg.ForUpdate).Where("project_id = ? AND target_md5 = ? AND base_md5 = ?", j.ProjectID, j.TargetMD5, j.BaseMD5).
			Pluck("status", &status).Error
		if err != nil {
			return err
		}
		if gone = len(status) == 0; gone {
			c.Exec("INSERT INTO patch_removals VALUES (?, ?, ?) ON CONFLICT DO NOTHING", j.ProjectID, j.TargetMD5, j.BaseMD5)
			return nil
		}
		if status[0] != models.PatchPending {
			return nil
		}
		c.Exec(`UPDATE patches SET status = ?, reason = ?, size_bytes = ?, sha256 = ?, duration_millis = ?, updated_at = ?
			WHERE project_id = ? AND target_md5 = ? AND base_md5 = ?`,
			o.Status, o.Reason, o.SizeBytes, o.SHA256, o.DurationMillis, c.Now(), j.ProjectID, j.TargetMD5, j.BaseMD5)
		if o.Status == models.PatchOffered {
			c.BumpSnapshot()
			c.NoDeviceImpact() // a patch results in the same file
		}
		return nil
	})
	if err == nil && gone {
		return models.Errorf(models.CodeNotFound, "the files of the patch from %s to %s no longer exist", j.BaseMD5, j.TargetMD5)
	}
	return err
}

// ReleasePatches returns the patches to a live release's launch asset in the order in which they were planned.
func (s *Releases) ReleasePatches(ctx context.Context, projectID, releaseID int64) ([]models.Patch, error) {
	return pg.Reading(ctx, s.db.Read, func(tx *gorm.DB) ([]models.Patch, error) {
		r, err := liveRelease(tx, projectID, releaseID)
		if err != nil {
			return nil, err
		}
		md5, err := launchOf(tx, r)
		if err != nil {
			return nil, err
		}
		return pg.AllWith(tx, tx.Where("project_id = ? AND target_md5 = ?", projectID, md5).
			Order("created_at, base_release_id DESC NULLS FIRST, base_md5"), loadBases)
	})
}

// loadBases fills in the base releases of patches.
func loadBases(tx *gorm.DB, patches []models.Patch) error {
	ids := pg.Each(patches, func(p models.Patch) *int64 { return p.BaseReleaseID })
	bases, err := pg.All[models.Release](tx.Where("id IN ?", ids))
	at, _ := pg.Indexed(bases, func(r *models.Release) int64 { return r.ID })
	for i, p := range patches {
		if p.BaseReleaseID != nil {
			patches[i].BaseRelease = at[*p.BaseReleaseID]
		}
	}
	return err
}

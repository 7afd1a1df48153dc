package filestore

import (
	"strconv"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/models"
)

// loadAssets fills in the files of all builds with one query.
func loadAssets(tx *gorm.DB, builds []models.Build) error {
	at, ids := pg.Indexed(builds, func(b *models.Build) int64 { return b.ID })
	assets, err := pg.All[models.BuildAsset](tx.Where("build_id IN ?", ids).Order("build_id, path COLLATE \"C\""))
	for _, a := range assets {
		b := at[a.BuildID]
		b.Assets = append(b.Assets, a)
	}
	return err
}

// loadUses fills in the source maps, releases and uploaders of all builds, with one query each.
func loadUses(tx *gorm.DB, builds []models.Build) error {
	if len(builds) == 0 {
		return nil
	}
	at, ids := pg.Indexed(builds, func(b *models.Build) int64 { return b.ID })
	maps, err := pg.All[models.SourceMap](tx.Where("build_id IN ?", ids))
	if err != nil {
		return err
	}
	for _, m := range maps {
		at[m.BuildID].SourceMap = &m
	}
	if err := loadReleases(tx, builds); err != nil {
		return err
	}
	// The audit log is never deleted, so it has every upload.
	var uploads []struct {
		EntityID  string
		ActorType models.ActorType
		ActorID   string
		ActorName string
	}
	err = tx.Raw(`SELECT entity_id, actor_type, actor_id, actor_name FROM audit_log
		WHERE project_id = ? AND entity_id = ANY (?::text[]) AND entity_type = 'build' AND action = 'build.uploaded'`,
		builds[0].ProjectID, pg.ArrayOf(pg.Each(ids, func(id int64) string { return strconv.FormatInt(id, 10) }))).Scan(&uploads).Error
	if err != nil {
		return err
	}
	for _, u := range uploads {
		id, err := strconv.ParseInt(u.EntityID, 10, 64)
		if err != nil {
			return err
		}
		at[id].UploadedBy = models.Actor{Type: u.ActorType, ID: u.ActorID, Name: u.ActorName}
	}
	return nil
}

// loadReleases fills in the newest releases of all builds.
func loadReleases(tx *gorm.DB, builds []models.Build) error {
	at, ids := pg.Indexed(builds, func(b *models.Build) int64 { return b.ID })
	var found []struct {
		models.BuildRelease
		Total int
	}
	err := tx.Raw(`SELECT id, build_id, channel, branch_name, release_message, is_enabled, created_at, total FROM (
			SELECT r.id, r.build_id, r.channel, b.name AS branch_name, r.release_message, r.is_enabled, r.created_at,
				row_number() OVER newest AS place, count(*) OVER (PARTITION BY r.build_id) AS total
			FROM releases r JOIN branches b ON b.id = r.branch_id
			WHERE r.build_id IN ? AND r.deleted_at IS NULL
			WINDOW newest AS (PARTITION BY r.build_id ORDER BY r.id DESC)) AS ranked
		WHERE place <= ? ORDER BY id DESC`, ids, models.MaxBuildReleases).Scan(&found).Error
	for _, r := range found {
		b := at[r.BuildID]
		b.Releases, b.ReleaseCount = append(b.Releases, r.BuildRelease), r.Total
	}
	return err
}

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
	texts := pg.ArrayOf(pg.Each(ids, func(id int64) string { return strconv.FormatInt(id, 10) }))
	maps, err := pg.All[models.SourceMap](tx.Where("build_id IN ?", ids))
	if err != nil {
		return err
	}
	for _, m := range maps {
		at[m.BuildID].SourceMap = &m
	}
	if err := loadReleases(tx, at, texts); err != nil {
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
		builds[0].ProjectID, texts).Scan(&uploads).Error
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

// loadReleases fills in the newest releases of all builds, whose IDs are in the Postgres array. It reads at most
// MaxBuildReleases+1 releases of each build. The order by time keeps Postgres from walking through the IDs of all releases.
func loadReleases(tx *gorm.DB, at map[int64]*models.Build, ids string) error {
	found, err := pg.All[models.BuildRelease](tx.Raw(`SELECT newest.*, b.name AS branch_name FROM unnest(?::bigint[]) AS wanted (build_id)
		CROSS JOIN LATERAL (SELECT id, build_id, channel, branch_id, release_message, is_enabled, created_at FROM releases
			WHERE releases.build_id = wanted.build_id AND deleted_at IS NULL ORDER BY created_at DESC, id DESC LIMIT ?) AS newest
		JOIN branches b ON b.id = newest.branch_id
		ORDER BY newest.created_at DESC, newest.id DESC`, ids, models.MaxBuildReleases+1))
	for _, r := range found {
		b := at[r.BuildID]
		if b.HasMoreReleases = len(b.Releases) == models.MaxBuildReleases; !b.HasMoreReleases {
			b.Releases = append(b.Releases, r)
		}
	}
	return err
}

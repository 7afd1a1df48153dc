package releasestore

import (
	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/store/pg"
)

// sameFiles is a condition that selects releases of other builds with the same files and client configuration as a build. An
// upload of the same export twice creates such builds.
const sameFiles = `EXISTS (SELECT FROM builds AS b
	JOIN builds AS own ON own.id = ? AND own.asset_count = b.asset_count AND own.size_bytes = b.size_bytes
		AND own.client_config IS NOT DISTINCT FROM b.client_config
	WHERE b.id = releases.build_id AND NOT EXISTS (
		SELECT path, md5, is_launch_asset FROM build_assets WHERE build_id = b.id
		EXCEPT SELECT path, md5, is_launch_asset FROM build_assets WHERE build_id = own.id))`

// withOtherFiles narrows q to releases that differ from the release with the ID in a file or in the client configuration. found
// is false if the project does not have the release.
func withOtherFiles(tx, q *gorm.DB, projectID, id int64) (narrowed *gorm.DB, found bool, err error) {
	own, err := pg.All[struct{ BuildID *int64 }](tx.Table("releases").Select("build_id").Where("project_id = ? AND id = ?", projectID, id))
	switch {
	case err != nil || len(own) == 0:
		return q, false, err
	case own[0].BuildID == nil: // a rollback to the embedded update
		return q.Where("releases.build_id IS NOT NULL"), true, nil
	}
	return q.Where("releases.build_id IS DISTINCT FROM ? AND NOT "+sameFiles, own[0].BuildID, own[0].BuildID), true, nil
}

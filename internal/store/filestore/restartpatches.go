package filestore

import (
	"time"

	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/unit"
	"github.com/waft-ota/waft/models"
)

// planning is longer than a workflow takes from the publication of a release until it has recorded the planned patches.
const planning = time.Hour

// RestartPatches enqueues the creation of the patches that were not finished in a backup of the given time, after a restore
// with an empty Temporal. Patches that exist are not created again.
func RestartPatches(c *unit.Change, backedUpAt time.Time) error {
	releases, err := pg.All[models.Release](c.Tx.Where("project_id = ? AND kind = ? AND deleted_at IS NULL", c.Project.ID, models.KindUpdate).
		Where(`created_at > ? OR build_id IN (SELECT a.build_id FROM build_assets a
			JOIN patches p ON p.project_id = a.project_id AND p.target_md5 = a.md5 AND p.status = ?
			WHERE a.project_id = ? AND a.is_launch_asset)`, backedUpAt.Add(-planning), models.PatchPending, c.Project.ID).Order("id"))
	for _, r := range releases {
		EnqueuePatches(c, r, "")
	}
	return err
}

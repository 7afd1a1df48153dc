package store

import (
	"encoding/json"
	"fmt"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/models"
)

// insertAliases writes any number of aliases with one parameter, their JSON.
const insertAliases = `INSERT INTO release_aliases (update_uuid, project_id, release_id, original_uuid, rollback_id, created_at)
	SELECT * FROM jsonb_to_recordset(?::jsonb) AS aliases ("UpdateUUID" uuid, "ProjectID" bigint, "ReleaseID" bigint,
		"OriginalUUID" uuid, "RollbackID" bigint, "CreatedAt" timestamptz)`

// restamp writes an alias for every release that clients would refuse after r, which
// was just published, and moves the project's clock past them. It returns how many it
// wrote.
func restamp(tx *gorm.DB, project *models.Project, r *models.Release) (int, error) {
	if r.Kind == models.KindUpdate && r.PlaceAt == nil {
		return 0, nil // it is the newest and shadows none
	}
	q := tx.Model(&models.Release{}).
		Select("id", "update_uuid", "branch_id", "platform", "runtime_version", "kind", "place_at", "created_at").
		Where("project_id = ? AND platform = ? AND runtime_version = ?", r.ProjectID, r.Platform, r.RuntimeVersion).
		Where("deleted_at IS NULL AND kind = ?", models.KindUpdate)
	if r.Kind == models.KindUpdate {
		q = q.Where("branch_id = ?", r.BranchID)
	}
	live, err := all[models.Release](q)
	if err != nil {
		return 0, err
	}
	aliases := models.Restamp(r, models.Shadowed(r, live), r.CreatedAt)
	if len(aliases) == 0 {
		return 0, nil
	}
	rows, err := json.Marshal(aliases)
	if err != nil {
		return 0, fmt.Errorf("aliases of release %d: %w", r.ID, err)
	}
	if err := tx.Exec(insertAliases, string(rows)).Error; err != nil {
		return 0, err
	}
	return len(aliases), setReleaseClock(tx, project, aliases[len(aliases)-1].CreatedAt)
}

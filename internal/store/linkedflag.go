package store

import (
	"reflect"
	"slices"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/models"
)

// linkedFlagsColumn reads the flags that a row of releases links, as JSON.
const linkedFlagsColumn = `(SELECT jsonb_agg(jsonb_build_object('flagId', flags.id, 'flagKey', flags.key,
		'enabled', release_flags.enabled, 'variationId', release_flags.variation_id,
		'value', CASE WHEN flags.flag_type = 'boolean' THEN release_flags.enabled::text
			ELSE coalesce(flag_variations.value, flags.default_value) END) ORDER BY flags.id)
	FROM release_flags JOIN flags ON flags.id = release_flags.flag_id
		LEFT JOIN flag_variations ON flag_variations.id = release_flags.variation_id
	WHERE release_flags.release_id = releases.id) AS linked_flags`

// bindLinks resolves the flags that a release is to link, by flag id; nil when
// there are none.
func bindLinks(tx *gorm.DB, projectID int64, links []models.FlagLink) ([]models.LinkedFlag, error) {
	var linked []models.LinkedFlag
	for i, l := range links {
		f, err := one[models.Flag](tx.Where("project_id = ? AND id = ?", projectID, l.FlagID), "flag %d", l.FlagID)
		if err != nil {
			return nil, err
		}
		if f.Variations, err = all[models.Variation](tx.Where("flag_id = ?", f.ID).Order("position, id")); err != nil {
			return nil, err
		}
		one, err := f.BindLink(i, l)
		if err != nil {
			return nil, err
		}
		linked = append(linked, one)
	}
	slices.SortFunc(linked, func(a, b models.LinkedFlag) int { return int(a.FlagID - b.FlagID) })
	return linked, nil
}

// saveLinks writes what r links in the place of what it linked.
func saveLinks(tx *gorm.DB, r models.Release) error {
	if err := tx.Exec("DELETE FROM release_flags WHERE release_id = ?", r.ID).Error; err != nil {
		return err
	}
	for _, l := range r.LinkedFlags {
		row := models.ReleaseFlag{
			ReleaseID: r.ID, FlagID: l.FlagID, ProjectID: r.ProjectID, Enabled: l.Enabled, VariationID: l.VariationID,
		}
		if err := tx.Create(&row).Error; err != nil {
			return err
		}
	}
	return nil
}

// patchLinks gives r the flags that the patch links, writes them, and adds what changed
// to d.
func patchLinks(tx *gorm.DB, r *models.Release, links *[]models.FlagLink, d diff) error {
	if links == nil {
		return nil
	}
	before := r.LinkedFlags
	linked, err := bindLinks(tx, r.ProjectID, *links)
	if err != nil || reflect.DeepEqual(before, linked) {
		return err
	}
	r.LinkedFlags = linked
	d["linkedFlags"] = map[string]any{"before": linkDetails(before), "after": linkDetails(linked)}
	return saveLinks(tx, *r)
}

// copyLinks links r, which repeats the release from, to the flags of that release.
func copyLinks(tx *gorm.DB, r *models.Release, from int64) error {
	var source models.Release
	err := tx.Model(&models.Release{}).Select("releases.id", linkedFlagsColumn).Where("releases.id = ?", from).Take(&source).Error
	if err != nil || source.LinkedFlags == nil {
		return err
	}
	r.LinkedFlags = source.LinkedFlags
	return saveLinks(tx, *r)
}

// insertLinks writes the linked flags of a new release. One that repeats another has
// the flags of that one.
func insertLinks(tx *gorm.DB, r *models.Release) error {
	switch {
	case r.RepublishedFromID != nil && r.LinkedFlags == nil:
		return copyLinks(tx, r, *r.RepublishedFromID)
	case r.LinkedFlags != nil:
		return saveLinks(tx, *r)
	default:
		return nil
	}
}

// liveLinks are the links of releases that are not deleted.
func liveLinks(tx *gorm.DB) *gorm.DB {
	return tx.Table("release_flags").Joins("JOIN releases ON releases.id = release_flags.release_id AND releases.deleted_at IS NULL")
}

// loadOfReleases fills in what executions show of their releases: the flags that they
// link, and whether they are disabled.
func loadOfReleases(tx *gorm.DB, executions []models.RolloutExecution) error {
	ids := each(executions, func(e models.RolloutExecution) int64 { return e.UpdateID })
	releases, err := all[models.Release](tx.Model(&models.Release{}).Select("releases.id", "releases.is_enabled", linkedFlagsColumn).Where("releases.id IN ?", ids))
	if err != nil {
		return err
	}
	byID := make(map[int64]models.Release, len(releases))
	for _, r := range releases {
		byID[r.ID] = r
	}
	for i, e := range executions {
		r := byID[e.UpdateID]
		executions[i].LinkedFlags, executions[i].ReleaseDisabled = r.LinkedFlags, !r.IsEnabled
	}
	return nil
}

// linkDetails returns what the audit log records of linked flags.
func linkDetails(linked []models.LinkedFlag) []map[string]any {
	return each(linked, func(l models.LinkedFlag) map[string]any {
		return map[string]any{"flagId": l.FlagID, "flagKey": l.FlagKey, "enabled": l.Enabled, "value": l.Value}
	})
}

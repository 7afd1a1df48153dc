package releasestore

import (
	"fmt"
	"reflect"
	"slices"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/unit"
	"github.com/waft-ota/waft/models"
)

// bindLinks resolves the flags that a release is to link, ordered by flag ID. It returns nil if there are no links.
func bindLinks(tx *gorm.DB, projectID int64, links []models.FlagLink) ([]models.LinkedFlag, error) {
	var linked []models.LinkedFlag
	for i, l := range links {
		f, err := pg.One[models.Flag](tx.Where("project_id = ? AND id = ?", projectID, l.FlagID), "flag %d", l.FlagID)
		if err != nil {
			return nil, err
		}
		if f.Variations, err = pg.All[models.Variation](tx.Where("flag_id = ?", f.ID).Order("position, id")); err != nil {
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

// saveLinks replaces the stored links of r.
func saveLinks(c *unit.Change, r models.Release) {
	c.Exec("DELETE FROM release_flags WHERE release_id = ?", r.ID)
	for _, l := range r.LinkedFlags {
		c.Create(&models.ReleaseFlag{
			ReleaseID: r.ID, FlagID: l.FlagID, ProjectID: r.ProjectID, Enabled: l.Enabled, VariationID: l.VariationID,
		})
	}
}

// patchLinks links the patch's flags to r and adds the difference to d.
func patchLinks(c *unit.Change, r *models.Release, links *[]models.FlagLink, d unit.Diff) error {
	if links == nil {
		return nil
	}
	before := r.LinkedFlags
	linked, err := bindLinks(c.Tx, r.ProjectID, *links)
	if err != nil || reflect.DeepEqual(before, linked) {
		return err
	}
	c.MakeRoomFor(models.QuotaLinkedFlags, len(linked)-len(before))
	r.LinkedFlags = linked
	d["linkedFlags"] = map[string]any{"before": linkDetails(before), "after": linkDetails(linked)}
	saveLinks(c, *r)
	return nil
}

// insertLinks writes the linked flags of a new release. A release that repeats another one gets its linked flags,
// unless it has its own.
func insertLinks(c *unit.Change, r *models.Release) error {
	if r.RepublishedFromID != nil && r.LinkedFlags == nil {
		var source models.Release
		err := c.Tx.Model(&models.Release{}).Select("releases.id", unit.LinkedFlagsColumn).
			Where("releases.id = ?", *r.RepublishedFromID).Take(&source).Error
		if err != nil {
			return err
		}
		r.LinkedFlags = source.LinkedFlags
	}
	if r.LinkedFlags != nil {
		saveLinks(c, *r)
	}
	return nil
}

// LinkingReleases returns the IDs of live releases that have a link with the ID in the given column.
func LinkingReleases(tx *gorm.DB, column string, id int64) (releases []int64, err error) {
	err = tx.Table("release_flags").Joins("JOIN releases ON releases.id = release_flags.release_id AND releases.deleted_at IS NULL").
		Where("release_flags."+column+" = ?", id).Order("release_id").Limit(pg.MaxReferrers+1).Pluck("release_id", &releases).Error
	return releases, err
}

// loadOfReleases fills in the names, commits and linked flags of the rollouts' releases, and whether the releases are disabled.
func loadOfReleases(tx *gorm.DB, executions []models.RolloutExecution) error {
	ids := pg.Each(executions, func(e models.RolloutExecution) int64 { return e.UpdateID })
	releases, err := pg.All[models.Release](tx.Model(&models.Release{}).Where("releases.id IN ?", ids).Select("releases.id", "releases.is_enabled",
		"releases.release_message", "releases.git_commit_hash", "releases.git_author", unit.LinkedFlagsColumn))
	if err != nil {
		return err
	}
	at, _ := pg.Indexed(releases, func(r *models.Release) int64 { return r.ID })
	for i, e := range executions {
		r := at[e.UpdateID]
		executions[i].LinkedFlags, executions[i].ReleaseDisabled, executions[i].ReleaseMessage = r.LinkedFlags, !r.IsEnabled, r.ReleaseMessage
		executions[i].GitCommitHash, executions[i].GitAuthor = r.GitCommitHash, r.GitAuthor
	}
	return nil
}

// linkDetails returns the audit log's representation of linked flags.
func linkDetails(linked []models.LinkedFlag) []linkDetail {
	return pg.Each(linked, func(l models.LinkedFlag) linkDetail { return linkDetail{l.FlagID, l.FlagKey, l.Enabled, l.Value} })
}

// linkDetail is the audit log's representation of a linked flag.
type linkDetail struct {
	FlagID  int64  `json:"flagId"`
	FlagKey string `json:"flagKey"`
	Enabled bool   `json:"enabled"`
	Value   string `json:"value"`
}

// Sentence describes the linked flag for the people who decide on it.
func (l linkDetail) Sentence() string {
	return fmt.Sprintf("flag %s = %s", l.FlagKey, unit.Shown(l.Value))
}

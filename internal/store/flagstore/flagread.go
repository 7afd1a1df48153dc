package flagstore

import (
	"errors"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/releasestore"
	"github.com/waft-ota/waft/models"
)

// maxEnvironments is the maximum number of channels without settings of their own that a flag lists. It keeps lists of
// flags from growing with the number of channels.
const maxEnvironments = 100

// flagByID returns a complete flag.
func flagByID(tx *gorm.DB, projectID, id int64) (models.Flag, error) {
	return pg.OneWith(tx, tx.Where("project_id = ? AND id = ?", projectID, id), completeFlags, "flag %d", id)
}

// completeFlags fills in all parts of the flags of one project.
func completeFlags(tx *gorm.DB, flags []models.Flag) error {
	if len(flags) == 0 {
		return nil
	}
	at, ids := pg.Indexed(flags, flagID)
	if err := loadFlagParts(tx, at, ids); err != nil {
		return err
	}
	if err := errors.Join(loadActiveRollouts(tx, at, ids), loadNewestReleases(tx, at, ids)); err != nil {
		return err
	}
	channels, err := pg.All[models.Channel](tx.Select("id", "name").Where("project_id = ?", flags[0].ProjectID).
		Order("id").Limit(maxEnvironments))
	if err != nil {
		return err
	}
	for i := range flags {
		addEnvironments(&flags[i], channels)
	}
	return nil
}

// SnapshotFlags returns all flags of the projects with their rules, ordered by ID.
func SnapshotFlags(tx *gorm.DB, projectIDs []int64) ([]models.Flag, error) {
	flags, err := pg.All[models.Flag](tx.Where("project_id IN ?", projectIDs).Order("id"))
	if err != nil || len(flags) == 0 {
		return flags, err
	}
	at, _ := pg.Indexed(flags, flagID)
	return flags, loadFlagParts(tx, at, tx.Table("flags").Select("id").Where("project_id IN ?", projectIDs))
}

func flagID(f *models.Flag) int64 { return f.ID }

// loadFlagParts fills in the variations, rules and channel settings of all flags, with one query for each part. ids is
// a list of the flags' IDs or a query for them.
func loadFlagParts(tx *gorm.DB, at map[int64]*models.Flag, ids any) error {
	variations, err := pg.All[models.Variation](tx.Where("flag_id IN (?)", ids).Order("flag_id, position, id"))
	if err != nil {
		return err
	}
	for _, v := range variations {
		f := at[v.FlagID]
		f.Variations = append(f.Variations, v)
	}
	rules, err := readRules(tx, ids)
	if err != nil {
		return err
	}
	for _, r := range rules {
		f := at[r.FlagID]
		f.Rules = append(f.Rules, r)
	}
	environments, err := pg.All[models.FlagEnvironment](tx.Model(&models.FlagEnvironment{}).
		Select("flag_environments.*, (SELECT name FROM channels WHERE channels.id = flag_environments.channel_id) AS channel_name").
		Where("flag_environments.flag_id IN (?)", ids).Order("flag_environments.flag_id, flag_environments.channel_id"))
	if err != nil {
		return err
	}
	for _, e := range environments {
		f := at[e.FlagID]
		f.Environments = append(f.Environments, e)
	}
	return nil
}

// readRules returns rules in the order of their evaluation, with values, channels and segments.
func readRules(tx *gorm.DB, flagIDs any) ([]models.FlagRule, error) {
	rules, err := pg.All[models.FlagRule](tx.Model(&models.FlagRule{}).
		Select("flag_rules.*, "+ // not joins, for which Postgres tends to read whole tables
			"(SELECT value FROM flag_variations WHERE flag_variations.id = flag_rules.variation_id) AS variant_value, "+
			"(SELECT name FROM channels WHERE channels.id = flag_rules.channel_id) AS channel_name, "+
			"(SELECT key FROM segments WHERE segments.id = flag_rules.segment_id) AS segment_key").
		Where("flag_rules.flag_id IN (?)", flagIDs).Order("flag_rules.flag_id, flag_rules.priority, flag_rules.id"))
	if err != nil {
		return nil, err
	}
	shares, err := pg.All[models.FlagRuleShare](tx.Model(&models.FlagRuleShare{}).
		Select("flag_rule_shares.*, "+
			"(SELECT value FROM flag_variations WHERE flag_variations.id = flag_rule_shares.variation_id) AS variant_value").
		Where("flag_rule_shares.flag_id IN (?)", flagIDs).Order("flag_rule_shares.rule_id, flag_rule_shares.position"))
	if err != nil {
		return nil, err
	}
	at, _ := pg.Indexed(rules, func(r *models.FlagRule) int64 { return r.ID })
	for _, r := range at {
		models.Assign(&r.Config.SegmentKey, r.SegmentKey)
	}
	for _, s := range shares {
		r := at[s.RuleID]
		r.Config.Rollout = append(r.Config.Rollout, models.RolloutShare{
			VariationID: s.VariationID, VariantValue: s.VariantValue, HasValue: true, Weight: s.Weight,
		})
	}
	return rules, nil
}

// loadActiveRollouts fills in the open rollouts of releases that link the flags.
func loadActiveRollouts(tx *gorm.DB, at map[int64]*models.Flag, ids []int64) error {
	var open []struct{ FlagID, ID int64 }
	err := tx.Table("release_flags").Select("release_flags.flag_id, rollout_executions.id").
		Joins("JOIN rollout_executions ON rollout_executions.update_id = release_flags.release_id").
		Where("release_flags.flag_id IN ? AND rollout_executions.status IN ?", ids, releasestore.OpenStatuses).
		Order("rollout_executions.id").Find(&open).Error
	for _, f := range at {
		f.ActiveRollouts = []int64{}
	}
	for _, e := range open {
		f := at[e.FlagID]
		f.ActiveRollouts = append(f.ActiveRollouts, e.ID)
	}
	return err
}

// maxNewestReleases is the maximum number of NewestReleases of a flag.
const maxNewestReleases = 3

// loadNewestReleases fills in the newest releases that link each flag. It reads only these releases.
func loadNewestReleases(tx *gorm.DB, at map[int64]*models.Flag, ids []int64) error {
	var newest []struct {
		FlagID int64
		models.Release
	}
	err := tx.Raw(`
		SELECT flags.id AS flag_id, newest.* FROM flags CROSS JOIN LATERAL (
			SELECT live.* FROM release_flags AS l CROSS JOIN LATERAL ( -- not a join, for which Postgres may read all releases
				SELECT releases.id, update_uuid, group_id, platform, runtime_version, release_message, kind
				FROM releases WHERE releases.id = l.release_id AND releases.deleted_at IS NULL OFFSET 0) AS live
			WHERE l.flag_id = flags.id AND l.project_id = flags.project_id ORDER BY l.release_id DESC LIMIT ?) AS newest
		WHERE flags.id IN ? ORDER BY newest.id DESC`, maxNewestReleases, ids).Scan(&newest).Error
	for _, n := range newest {
		f := at[n.FlagID]
		f.NewestReleases = append(f.NewestReleases, n.Release)
	}
	return err
}

// addEnvironments adds channels for which the flag does not have settings, in the order of channel IDs.
func addEnvironments(f *models.Flag, channels []models.Channel) {
	own := f.Environments
	f.Environments = make([]models.FlagEnvironment, 0, len(channels)+len(own))
	for _, c := range channels {
		e := models.FlagEnvironment{ProjectID: f.ProjectID, FlagID: f.ID, ChannelID: c.ID, ChannelName: c.Name}
		if len(own) > 0 && own[0].ChannelID == c.ID {
			e, own = own[0], own[1:]
		}
		f.Environments = append(f.Environments, e)
	}
	f.Environments = append(f.Environments, own...)
}

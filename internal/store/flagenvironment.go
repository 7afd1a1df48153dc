package store

import (
	"context"
	"slices"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/models"
)

// UpdateFlagEnvironment changes how a flag differs on one channel, and returns the
// flag with the environment.
func (s *Store) UpdateFlagEnvironment(
	ctx context.Context, projectID int64, actor models.Actor, flagID int64, channel string, patch models.FlagEnvironmentPatch,
) (f models.Flag, e models.FlagEnvironment, err error) {
	err = s.changeFlag(ctx, projectID, flagID, func(tx *gorm.DB, flag models.Flag) error {
		f = flag
		c, err := channelNamed(tx, projectID, channel)
		if err != nil {
			return err
		}
		before := models.FlagEnvironment{ProjectID: projectID, FlagID: flagID, ChannelID: c.ID, ChannelName: c.Name}
		if i := slices.IndexFunc(f.Environments, func(e models.FlagEnvironment) bool { return e.ChannelID == c.ID }); i >= 0 {
			before = f.Environments[i]
		}
		if e, err = before.Patched(f.FlagType, patch); err != nil {
			return err
		}
		d := environmentDetails(f, c.Name)
		told := len(d)
		note(d, "enabled", before.Enabled, e.Enabled)
		note(d, "defaultValue", before.DefaultValue, e.DefaultValue)
		if len(d) == told {
			return errUnchanged
		}
		e.UpdatedAt = tx.NowFunc()
		if err := saveEnvironment(tx, &e); err != nil {
			return err
		}
		if err := touchFlag(tx, f); err != nil {
			return err
		}
		return audit(tx, projectID, actor, actionEnvSettingUpdated, entityEnvSetting, e.ID, d)
	})
	return f, e, err
}

// environmentDetails are what every audit entry of an environment says.
func environmentDetails(f models.Flag, channel string) diff {
	return diff{"flagId": f.ID, "flagKey": f.Key, "channelName": channel}
}

func saveEnvironment(tx *gorm.DB, e *models.FlagEnvironment) error {
	if e.ID == 0 {
		return tx.Create(e).Error
	}
	return tx.Model(e).Select("Enabled", "DefaultValue", "UpdatedAt").Updates(e).Error
}

// releaseChannelFromFlags takes the settings of flags on a channel that is being
// deleted with it. A rule for that channel alone keeps it.
func releaseChannelFromFlags(tx *gorm.DB, c models.Channel) error {
	var rules []int64
	if err := tx.Table("flag_rules").Where("channel_id = ?", c.ID).Order("id").Limit(maxReferrers+1).Pluck("id", &rules).Error; err != nil {
		return err
	}
	if len(rules) > 0 {
		return models.Errorf(models.CodeInUse, "channel %q is used by the flag %s", c.Name, namedIDs("rule", rules))
	}
	return tx.Exec("DELETE FROM flag_environments WHERE channel_id = ?", c.ID).Error
}

package store

import (
	"context"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/models"
)

// CreateChannel makes a channel that points to the branch n.BranchName, which is
// made as well when the project has none of that name.
func (s *Store) CreateChannel(ctx context.Context, projectID int64, actor models.Actor, n models.NewChannel) (c models.Channel, err error) {
	if err := n.Validate(); err != nil {
		return models.Channel{}, err
	}
	err = s.change(ctx, projectID, func(tx *gorm.DB, _ *models.Project) error {
		c, err = createChannel(tx, projectID, actor, n)
		return err
	})
	return c, err
}

func createChannel(tx *gorm.DB, projectID int64, actor models.Actor, n models.NewChannel) (models.Channel, error) {
	b, err := branchNamed(tx, projectID, n.BranchName)
	if models.CodeOf(err) == models.CodeNotFound {
		b, err = createBranch(tx, projectID, actor, n.BranchName)
	}
	if err != nil {
		return models.Channel{}, err
	}
	now := tx.NowFunc()
	c := models.Channel{ProjectID: projectID, Name: n.Name, BranchID: b.ID, BranchName: b.Name, CreatedAt: now, UpdatedAt: now}
	if err := tx.Create(&c).Error; err != nil {
		return c, err
	}
	details := map[string]any{"name": c.Name, "branchName": c.BranchName}
	return c, audit(tx, projectID, actor, actionChannelCreated, entityChannel, c.ID, details)
}

// ListChannels returns a page of the project's channels, newest first.
func (s *Store) ListChannels(ctx context.Context, projectID int64, page models.Page) ([]models.Channel, error) {
	return reading(ctx, s, func(tx *gorm.DB) ([]models.Channel, error) {
		return all[models.Channel](pageOf(selectChannels(tx), "channels", projectID, page))
	})
}

// UpdateChannel changes the set fields of a channel. Clearing the rollout branch
// clears its percentage, too, unless the patch says otherwise.
func (s *Store) UpdateChannel(ctx context.Context, projectID int64, actor models.Actor, name string, patch models.ChannelPatch) (c models.Channel, err error) {
	if err := patch.Validate(); err != nil {
		return models.Channel{}, err
	}
	err = s.change(ctx, projectID, func(tx *gorm.DB, _ *models.Project) error {
		before, err := channelNamed(tx, projectID, name)
		if err != nil {
			return err
		}
		if c, err = patchChannel(tx, before, patch); err != nil {
			return err
		}
		changes := channelDiff(before, c)
		if len(changes) == 0 {
			return errUnchanged
		}
		c.UpdatedAt = tx.NowFunc()
		err = tx.Model(&c).
			Select("BranchID", "RolloutBranchID", "RolloutPercentage", "MinRuntimeVersion", "IsPaused", "UpdatedAt").
			Updates(&c).Error
		if err != nil {
			return err
		}
		changes["name"] = c.Name
		return audit(tx, projectID, actor, actionChannelUpdated, entityChannel, c.ID, changes)
	})
	return c, err
}

// patchChannel returns the channel as the patch makes it, without writing it.
func patchChannel(tx *gorm.DB, c models.Channel, patch models.ChannelPatch) (models.Channel, error) {
	if patch.BranchName != nil {
		b, err := branchNamed(tx, c.ProjectID, *patch.BranchName)
		if err != nil {
			return c, err
		}
		c.BranchID, c.BranchName = b.ID, b.Name
	}
	if patch.RolloutBranchName.Set {
		c.RolloutBranchID, c.RolloutBranchName = nil, nil
		if patch.RolloutBranchName.Value != nil {
			b, err := branchNamed(tx, c.ProjectID, *patch.RolloutBranchName.Value)
			if err != nil {
				return c, err
			}
			c.RolloutBranchID, c.RolloutBranchName = &b.ID, &b.Name
		} else if !patch.RolloutPercentage.Set {
			c.RolloutPercentage = nil
		}
	}
	patch.RolloutPercentage.Apply(&c.RolloutPercentage)
	patch.MinRuntimeVersion.Apply(&c.MinRuntimeVersion)
	models.Assign(&c.IsPaused, patch.IsPaused)
	return c, c.CheckShare()
}

func channelDiff(before, after models.Channel) diff {
	d := diff{}
	note(d, "branchName", before.BranchName, after.BranchName)
	note(d, "rolloutBranchName", before.RolloutBranchName, after.RolloutBranchName)
	note(d, "rolloutPercentage", before.RolloutPercentage, after.RolloutPercentage)
	note(d, "minRuntimeVersion", before.MinRuntimeVersion, after.MinRuntimeVersion)
	note(d, "isPaused", before.IsPaused, after.IsPaused)
	return d
}

// DeleteChannel deletes a channel; what was published to it stays on its branch.
func (s *Store) DeleteChannel(ctx context.Context, projectID int64, actor models.Actor, name string) error {
	return s.change(ctx, projectID, func(tx *gorm.DB, _ *models.Project) error {
		c, err := channelNamed(tx, projectID, name)
		if err != nil {
			return err
		}
		if err := releaseChannelFromFlags(tx, c); err != nil {
			return err
		}
		if err := tx.Where("id = ?", c.ID).Delete(&models.Channel{}).Error; err != nil {
			return err
		}
		details := map[string]any{"name": c.Name, "branchName": c.BranchName}
		return audit(tx, projectID, actor, actionChannelDeleted, entityChannel, c.ID, details)
	})
}

func channelNamed(tx *gorm.DB, projectID int64, name string) (models.Channel, error) {
	return one[models.Channel](selectChannels(tx).
		Where("channels.project_id = ? AND channels.name = ?", projectID, name), "channel %q", name)
}

// selectChannels reads channels with the names of the branches they point to.
func selectChannels(tx *gorm.DB) *gorm.DB {
	return tx.Model(&models.Channel{}).
		Select("channels.*, (SELECT name FROM branches WHERE branches.id = channels.branch_id) AS branch_name, " +
			"(SELECT name FROM branches WHERE branches.id = channels.rollout_branch_id) AS rollout_branch_name")
}

package store

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/models"
)

// CreateChannel makes a channel that points to a branch, which it makes when there is none of the name.
func (s *Releases) CreateChannel(
	ctx context.Context, projectID int64, actor models.Actor, n models.NewChannel,
) (models.Channel, error) {
	return apply(ctx, s.units.change, projectID, actor, n, func(c *change) (models.Channel, error) {
		return createChannel(c, n)
	})
}

func createChannel(c *change, n models.NewChannel) (models.Channel, error) {
	b, err := branchNamed(c.tx, c.project.ID, n.BranchName)
	if models.CodeOf(err) == models.CodeNotFound {
		b, err = createBranch(c, n.BranchName), nil
	}
	now := c.now()
	channel := models.Channel{
		ProjectID: c.project.ID, Name: n.Name, BranchID: b.ID, BranchName: b.Name, CreatedAt: now, UpdatedAt: now,
	}
	if err != nil {
		return channel, err
	}
	c.makeRoom(models.QuotaChannels)
	c.create(&channel)
	c.neverWaits("a new channel has no devices", oneChannel(channel))
	details := map[string]any{"name": channel.Name, "branchName": channel.BranchName}
	c.audit("channel.created", "channel", channel.ID, details)
	return channel, nil
}

// Channel returns one channel.
func (s *Releases) Channel(ctx context.Context, projectID int64, name string) (models.Channel, error) {
	return reading(ctx, s.db.read, func(tx *gorm.DB) (models.Channel, error) { return channelNamed(tx, projectID, name) })
}

// ListChannels returns a page of the project's channels, newest first.
func (s *Releases) ListChannels(ctx context.Context, projectID int64, page models.Page) ([]models.Channel, error) {
	return reading(ctx, s.db.read, func(tx *gorm.DB) ([]models.Channel, error) {
		return all[models.Channel](pageOf(selectChannels(tx), "channels", projectID, page))
	})
}

// UpdateChannel changes the set fields of a channel. Clearing the rollout branch clears its percentage.
func (s *Releases) UpdateChannel(
	ctx context.Context, projectID int64, actor models.Actor, name string, patch models.ChannelPatch,
) (models.Channel, error) {
	return apply(ctx, s.units.change, projectID, actor, patch, func(c *change) (models.Channel, error) {
		before, err := channelNamed(c.tx, projectID, name)
		if err != nil {
			return before, err
		}
		after, err := patchChannel(c.tx, before, patch)
		if err != nil {
			return after, err
		}
		changes := mapDiff(channelFields(before), channelFields(after))
		if len(changes) == 0 {
			return after, errUnchanged
		}
		after.UpdatedAt = c.now()
		if err := checkProtection(c, changes); err != nil {
			return after, err
		}
		c.update(&after, "BranchID", "RolloutBranchID", "RolloutPercentage", "MinRuntimeVersion", "IsPaused",
			"IsProtected", "RequiredApprovals", "UpdatedAt")
		askForChannel(c, before, after, changes)
		changes["name"] = after.Name
		c.audit("channel.updated", "channel", after.ID, changes)
		return after, nil
	})
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
	models.Assign(&c.IsProtected, patch.IsProtected)
	models.Assign(&c.RequiredApprovals, patch.RequiredApprovals)
	return c, c.CheckShare()
}

// checkProtection lets only admins change how a channel is protected.
func checkProtection(c *change, changes diff) error {
	_, protected := changes["isProtected"]
	_, approvals := changes["requiredApprovals"]
	if !protected && !approvals || c.actor.Internal() || c.actor.Role == models.RoleAdmin {
		return nil
	}
	return models.Errorf(models.CodeForbidden, "only admins change isProtected and requiredApprovals of a channel")
}

// askForChannel asks for a change of a channel as it was protected before. Pausing it and a
// smaller share of a branch rollout never wait, and neither does the protection itself, which
// is for admins.
func askForChannel(c *change, before, after models.Channel, changes diff) {
	less := after.RolloutBranchID == nil
	if before.RolloutBranchID != nil && after.RolloutBranchID != nil {
		less = *before.RolloutBranchID == *after.RolloutBranchID && *after.RolloutPercentage <= *before.RolloutPercentage
	}
	served := diff{}
	for field, values := range changes {
		switch field {
		case "isProtected", "requiredApprovals":
		case "isPaused":
			if !after.IsPaused {
				served[field] = values
			}
		case "rolloutBranchName", "rolloutPercentage":
			if !less {
				served[field] = values
			}
		default:
			served[field] = values
		}
	}
	if len(served) == 0 {
		c.neverWaits("its devices get less, or what its branch delivers", oneChannel(before))
		return
	}
	c.ask(effect{
		action: "channel.update", on: oneChannel(before), basis: changes,
		summary: fmt.Sprintf("change channel %q, which points to branch %q: %s", before.Name, before.BranchName, changesSummary(changes)),
	})
}

// channelFields are the fields of a channel that a patch can change.
func channelFields(c models.Channel) map[string]any {
	return map[string]any{
		"branchName": c.BranchName, "rolloutBranchName": c.RolloutBranchName, "rolloutPercentage": c.RolloutPercentage,
		"minRuntimeVersion": c.MinRuntimeVersion, "isPaused": c.IsPaused,
		"isProtected": c.IsProtected, "requiredApprovals": c.RequiredApprovals,
	}
}

// DeleteChannel deletes a channel; what was published to it stays on its branch.
func (s *Releases) DeleteChannel(ctx context.Context, projectID int64, actor models.Actor, name string) error {
	return s.units.change(ctx, projectID, actor, func(c *change) error {
		channel, err := channelNamed(c.tx, projectID, name)
		if err != nil {
			return err
		}
		if err := checkChannelUnused(c.tx, channel); err != nil {
			return err
		}
		c.execEach(channel.ID, "DELETE FROM flag_environments WHERE channel_id = ?", "DELETE FROM channels WHERE id = ?")
		details := map[string]any{"name": channel.Name, "branchName": channel.BranchName}
		c.ask(effect{
			action: "channel.delete", on: oneChannel(channel),
			summary: fmt.Sprintf("delete channel %q, which points to branch %q: its devices get no update any more", channel.Name, channel.BranchName),
		})
		c.audit("channel.deleted", "channel", channel.ID, details)
		return nil
	})
}

// checkChannelUnused refuses a channel that a flag's rule or a trusted publisher is limited to.
func checkChannelUnused(tx *gorm.DB, c models.Channel) error {
	var rules []int64
	err := tx.Table("flag_rules").Where("channel_id = ?", c.ID).Order("id").Limit(maxReferrers+1).Pluck("id", &rules).Error
	if err == nil && len(rules) > 0 {
		err = models.Errorf(models.CodeInUse, "channel %q is used by the flag %s", c.Name, namedIDs("rule", rules))
	}
	if err != nil {
		return err
	}
	return checkNoPublisher(tx, c)
}

func channelNamed(tx *gorm.DB, projectID int64, name string) (models.Channel, error) {
	return one[models.Channel](selectChannels(tx).
		Where("channels.project_id = ? AND channels.name = ?", projectID, name), "channel %q", name)
}

package releasestore

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/store/accountstore"
	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/unit"
	"github.com/waft-ota/waft/models"
)

// CreateChannel creates a channel that points to a branch. If the branch does not exist, CreateChannel creates it.
func (s *Releases) CreateChannel(
	ctx context.Context, projectID int64, actor models.Actor, n models.NewChannel,
) (models.Channel, error) {
	return unit.Apply(ctx, s.units.ChangeServed, projectID, actor, n, func(c *unit.Change) (models.Channel, error) {
		return AddChannel(c, n)
	})
}

// AddChannel creates a channel as part of a change: see Releases.CreateChannel.
func AddChannel(c *unit.Change, n models.NewChannel) (models.Channel, error) {
	b, err := branchNamed(c.Tx, c.Project.ID, n.BranchName)
	if models.CodeOf(err) == models.CodeNotFound {
		b, err = createBranch(c, n.BranchName), nil
	}
	now := c.Now()
	channel := models.Channel{
		ProjectID: c.Project.ID, Name: n.Name, BranchID: b.ID, BranchName: b.Name, CreatedAt: now, UpdatedAt: now,
	}
	if err != nil {
		return channel, err
	}
	c.MakeRoom(models.QuotaChannels)
	c.Create(&channel)
	c.ExemptFromApproval(unit.OneChannel(channel)) // a new channel does not have devices
	details := map[string]any{"name": channel.Name, "branchName": channel.BranchName}
	c.Audit("channel.created", "channel", channel.ID, details)
	return channel, nil
}

// Channel returns one channel.
func (s *Releases) Channel(ctx context.Context, projectID int64, name string) (models.Channel, error) {
	return pg.Reading(ctx, s.db.Read, func(tx *gorm.DB) (models.Channel, error) { return ChannelNamed(tx, projectID, name) })
}

var channelList = pg.List{
	Table: "channels", Owner: "project_id",
	Sorts: map[string]pg.SortBy{
		"branchName": pg.ByText("(SELECT name FROM branches WHERE branches.id = channels.branch_id)"), "createdAt": pg.ByTime("channels.created_at"),
		"isPaused": pg.ByBool("channels.is_paused"), "isProtected": pg.ByBool("channels.is_protected"),
		"minRuntimeVersion": pg.ByText("coalesce(channels.min_runtime_version, '')"), "name": pg.ByText("channels.name"),
		"rolloutPercentage": pg.ByNumber("coalesce(channels.rollout_percentage, -1)"), "updatedAt": pg.ByTime("channels.updated_at"),
	},
	Matches: "search_words(channels.project_id, '{}', channels.name) @@ search_query(?, ?)",
	Texts:   []string{"channels.name"},
}

// ListChannels returns a page of the project's channels, newest first.
func (s *Releases) ListChannels(ctx context.Context, projectID int64, page models.Page) ([]models.Channel, error) {
	return pg.Reading(ctx, s.db.Read, func(tx *gorm.DB) ([]models.Channel, error) {
		return pg.Rows[models.Channel](unit.SelectChannels(tx), channelList, projectID, page)
	})
}

// UpdateChannel changes the fields of a channel that the patch sets. Clearing the rollout branch also clears its
// percentage.
func (s *Releases) UpdateChannel(
	ctx context.Context, projectID int64, actor models.Actor, name string, patch models.ChannelPatch,
) (models.Channel, error) {
	return unit.Apply(ctx, s.units.ChangeServed, projectID, actor, patch, func(c *unit.Change) (models.Channel, error) {
		before, err := ChannelNamed(c.Tx, projectID, name)
		if err != nil {
			return before, err
		}
		c.Match(before.ID, before)
		after, err := patchChannel(c.Tx, before, patch)
		if err != nil {
			return after, err
		}
		changes := unit.MapDiff(channelFields(before), channelFields(after))
		if len(changes) == 0 {
			return after, unit.ErrUnchanged
		}
		after.UpdatedAt = c.Now()
		if err := checkProtection(c, changes); err != nil {
			return after, err
		}
		c.Update(&after, "BranchID", "RolloutBranchID", "RolloutPercentage", "MinRuntimeVersion", "IsPaused",
			"IsProtected", "RequiredApprovals", "UpdatedAt")
		askForChannel(c, before, after, changes)
		if before.IsProtected != after.IsProtected || before.RequiredApprovals != after.RequiredApprovals {
			c.RecountApprovals(after.Name)
		}
		changes["name"] = after.Name
		c.Audit("channel.updated", "channel", after.ID, changes)
		return after, nil
	})
}

// patchChannel returns the patched channel without writing it.
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

// checkProtection refuses a change of a channel's protection unless the actor is an admin.
func checkProtection(c *unit.Change, changes unit.Diff) error {
	_, protected := changes["isProtected"]
	_, approvals := changes["requiredApprovals"]
	if !protected && !approvals || c.Actor.Internal() || c.Actor.Role == models.RoleAdmin {
		return nil
	}
	return models.Errorf(models.CodeForbidden, "only admins can change isProtected and requiredApprovals of a channel")
}

// askForChannel requires approval for a change of a channel, according to its protection before the change. Pausing the
// channel or lowering the percentage of its branch rollout never waits for approval. Neither does a change of the
// protection itself, which is reserved for admins.
func askForChannel(c *unit.Change, before, after models.Channel, changes unit.Diff) {
	less := after.RolloutBranchID == nil
	if before.RolloutBranchID != nil && after.RolloutBranchID != nil {
		less = *before.RolloutBranchID == *after.RolloutBranchID && *after.RolloutPercentage <= *before.RolloutPercentage
	}
	served := unit.Diff{}
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
	e := unit.Effect{
		On: unit.OneChannel(before), Basis: []any{before.ID, before.BranchID, after.BranchID, after.RolloutBranchID, changes},
		Summary: fmt.Sprintf("change channel %q, which points to branch %q: %s", before.Name, before.BranchName, unit.ChangesSummary(changes)),
	}
	if len(served) == 0 {
		c.RequireApprovalOfNew(e) // devices of the channel get less, or what its branch delivers
		return
	}
	c.RequireApproval(e)
}

// channelFields returns the fields of a channel that a patch can change.
func channelFields(c models.Channel) map[string]any {
	return map[string]any{
		"branchName": c.BranchName, "rolloutBranchName": c.RolloutBranchName, "rolloutPercentage": c.RolloutPercentage,
		"minRuntimeVersion": c.MinRuntimeVersion, "isPaused": c.IsPaused,
		"isProtected": c.IsProtected, "requiredApprovals": c.RequiredApprovals,
	}
}

// DeleteChannel deletes a channel. Releases published to it stay on its branch.
func (s *Releases) DeleteChannel(ctx context.Context, projectID int64, actor models.Actor, name string) error {
	return s.units.ChangeServed(ctx, projectID, actor, func(c *unit.Change) error {
		channel, err := ChannelNamed(c.Tx, projectID, name)
		if err != nil {
			return err
		}
		c.Match(channel.ID, channel)
		c.Alone(unit.Publishers)
		if err := checkChannelUnused(c.Tx, channel); err != nil {
			return err
		}
		c.Exec("UPDATE flags SET updated_at = ? WHERE id IN (SELECT flag_id FROM flag_environments WHERE channel_id = ?)", c.Now(), channel.ID)
		c.ExecEach(channel.ID, "DELETE FROM flag_environments WHERE channel_id = ?", "DELETE FROM channels WHERE id = ?")
		details := map[string]any{"name": channel.Name, "branchName": channel.BranchName}
		c.RequireApproval(unit.Effect{
			On: unit.OneChannel(channel), Basis: []any{channel.ID, channel.BranchID, channel.RolloutBranchID},
			Summary: fmt.Sprintf("delete channel %q, which points to branch %q: its devices will not get updates any more",
				channel.Name, channel.BranchName),
		})
		c.Audit("channel.deleted", "channel", channel.ID, details)
		return nil
	})
}

// checkChannelUnused refuses a channel that a flag rule or a trusted publisher refers to.
func checkChannelUnused(tx *gorm.DB, c models.Channel) error {
	var rules []int64
	err := tx.Table("flag_rules").Where("channel_id = ?", c.ID).Order("id").Limit(pg.MaxReferrers+1).Pluck("id", &rules).Error
	if err == nil && len(rules) > 0 {
		err = models.Errorf(models.CodeInUse, "channel %q is used by the flag %s", c.Name, pg.NamedIDs("rule", rules))
	}
	if err != nil {
		return err
	}
	return accountstore.CheckNoPublisher(tx, c)
}

// ChannelNamed returns the project's channel with the name.
func ChannelNamed(tx *gorm.DB, projectID int64, name string) (models.Channel, error) {
	return pg.One[models.Channel](unit.SelectChannels(tx).
		Where("channels.project_id = ? AND channels.name = ?", projectID, name), "channel %q", name)
}

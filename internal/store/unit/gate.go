package unit

import (
	"errors"
	"fmt"
	"slices"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/models"
)

// Every transaction that gives a project a new snapshot must declare its effect on devices with one of these calls, or it fails:
//
//   - RequireApproval: devices of these channels get something more or different. On a protected channel,
//     the change waits for approvals or is reserved for admins.
//   - RequireApprovalOfNew: devices of these channels get less, or what they had before. The change needs approval only if
//     it uncovers a release that the channel has never offered.
//   - ExemptFromApproval: devices of these channels get less, or what they had before.
//   - NoDeviceImpact: devices get the same as before.
//
// A comment at each call of ExemptFromApproval and NoDeviceImpact gives the reason.
//
// The first three calls go through affects, which checks the actor's channels.

// Effect describes how a change affects what devices get.
type Effect struct {
	// Summary is a sentence that describes the change, with the facts that a person needs to decide on it. Its wording
	// does not matter for an approval.
	Summary string
	// Basis contains all facts that the change depends on, including the facts in the summary, except the input of the
	// call. An approval is valid only for the facts that it was given for.
	Basis any
	// On returns the channels whose devices are affected.
	On Reach
	// ByRollout says that the change is a command to a rollout. Its summary names the release and the rollout
	// percentages.
	ByRollout bool
}

// Reach returns the channels whose devices a change affects. It is called only if the result matters.
type Reach func(c *Change) []models.Channel

// errNotAsked fails a transaction that changes what devices get without declaring its effect.
var errNotAsked = errors.New("store: a change of what devices get calls neither RequireApproval nor ExemptFromApproval nor NoDeviceImpact")

// RequireApproval lets a change pass if its effect does not need approval. Otherwise the change fails: with forbidden
// if only admins may make it, or with *models.ApprovalNeeded if people must approve it first.
func (c *Change) RequireApproval(e Effect) { c.ask(e, c.affects(e.On)) }

// ask does the work of RequireApproval for a change whose channels are known.
func (c *Change) ask(e Effect, on []models.Channel) {
	c.Do(func() error {
		protected := protectedOf(on)
		if len(protected) == 0 || c.Actor.Internal() {
			return nil
		}
		required := 0
		for _, channel := range protected {
			required = max(required, channel.RequiredApprovals)
		}
		basis, err := hashOf(e.Basis)
		if err != nil {
			return err
		}
		needed := &models.ApprovalNeeded{
			Summary: e.Summary, Basis: basis, Required: required,
			Channels: pg.Each(protected, func(c models.Channel) string { return c.Name }),
		}
		if required > 0 && c.preview == nil && !e.ByRollout {
			needed.Receives = c.changedOffers(protected)
		}
		switch {
		case c.preview != nil:
			if required > 0 || c.Actor.Role != models.RoleAdmin {
				c.preview.Needed = append(c.preview.Needed, *needed)
			}
			return nil
		case c.Actor.ApprovalID != 0:
			return c.checkApproved(needed, e.Basis)
		case required > 0:
			return needed
		case c.Actor.Role == models.RoleAdmin:
			return nil
		default:
			return models.Errorf(models.CodeForbidden, "%s protected: only admins can change what devices get there", namedChannels(needed.Channels))
		}
	})
}

// ExemptFromApproval declares that devices of the channels get less, or what they had before. Everyone with write
// access may make such a change without approval.
func (c *Change) ExemptFromApproval(on Reach) { c.affects(on) }

// NoDeviceImpact declares that devices get the same after the change as before.
func (c *Change) NoDeviceImpact() { c.asked = true }

// affects records that the change has declared its effect and checks the actor's channels. It returns the affected
// channels, or nil if neither protection nor the actor's scope depends on them.
func (c *Change) affects(on Reach) []models.Channel {
	c.asked = true
	if !c.Project.HasProtected && c.Actor.Channels == nil {
		return nil
	}
	channels := on(c)
	c.checkScope(channels)
	return channels
}

// checkAsked fails a change of what devices get that has not declared its effect.
func (c *Change) checkAsked() {
	c.Do(func() error { return Refusal(c.bumped && !c.asked, errNotAsked) })
}

func protectedOf(channels []models.Channel) []models.Channel {
	return slices.DeleteFunc(slices.Clone(channels), func(c models.Channel) bool { return !c.IsProtected })
}

// namedChannels returns the beginning of a sentence: `channel "a" is`, `channels "a" and "b" are`.
func namedChannels(names []string) string {
	if len(names) == 1 {
		return fmt.Sprintf("channel %q is", names[0])
	}
	return "the channels " + pg.SomeOf(pg.Each(names, func(n string) string { return fmt.Sprintf("%q", n) })) + " are"
}

// NoChannel returns nil: it is the reach of a change that devices cannot notice on any channel.
func NoChannel(*Change) []models.Channel { return nil }

// EveryChannel returns all channels. It is the reach of flags without a channel and of user overrides.
func EveryChannel(c *Change) (channels []models.Channel) {
	c.Do(func() (err error) {
		channels, err = pg.All[models.Channel](SelectChannels(c.Tx).Where("channels.project_id = ?", c.Project.ID).Order("channels.name"))
		return err
	})
	return channels
}

// ChannelsWithIDs returns a reach of the channels with the IDs.
func ChannelsWithIDs(ids []int64) Reach {
	return func(c *Change) []models.Channel {
		return slices.DeleteFunc(EveryChannel(c), func(channel models.Channel) bool { return !slices.Contains(ids, channel.ID) })
	}
}

// OneChannel returns a reach of only the given channel.
func OneChannel(channel models.Channel) Reach {
	return func(*Change) []models.Channel { return []models.Channel{channel} }
}

// ChannelsOfBranches returns a reach of the channels that serve releases from the branches. These are the channels that
// point to one of the branches, or all channels if a user override does.
func ChannelsOfBranches(ids ...int64) Reach {
	return func(c *Change) (channels []models.Channel) {
		c.Do(func() (err error) {
			channels, err = pg.All[models.Channel](SelectChannels(c.Tx).Where("channels.project_id = ?", c.Project.ID).
				Where("channels.branch_id IN @ids OR channels.rollout_branch_id IN @ids OR "+
					"EXISTS (SELECT FROM user_overrides WHERE user_overrides.branch_id IN @ids)", map[string]any{"ids": ids}).
				Order("channels.name"))
			return err
		})
		return channels
	}
}

// ChannelsWithBranch returns a reach of the channels that send devices to the branch. It ignores user overrides.
func ChannelsWithBranch(id int64) Reach {
	return func(c *Change) []models.Channel {
		return slices.DeleteFunc(EveryChannel(c), func(channel models.Channel) bool {
			return channel.BranchID != id && (channel.RolloutBranchID == nil || *channel.RolloutBranchID != id)
		})
	}
}

// ChannelsNamed returns a reach of the named channels, or of all channels if a name is nil.
func ChannelsNamed(names ...*string) Reach {
	return func(c *Change) []models.Channel {
		return slices.DeleteFunc(EveryChannel(c), func(channel models.Channel) bool {
			return !slices.ContainsFunc(names, func(n *string) bool { return n == nil || *n == channel.Name })
		})
	}
}

// SelectChannels returns a query for channels with the names of the branches they point to.
func SelectChannels(tx *gorm.DB) *gorm.DB {
	return tx.Model(&models.Channel{}).
		Select("channels.*, (SELECT name FROM branches WHERE branches.id = channels.branch_id) AS branch_name, " +
			"(SELECT name FROM branches WHERE branches.id = channels.rollout_branch_id) AS rollout_branch_name")
}

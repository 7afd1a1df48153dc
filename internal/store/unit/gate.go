package unit

import (
	"errors"
	"fmt"
	"slices"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/models"
)

// Every transaction that gives a project a new snapshot says what it means for devices, by
// one of four calls, or it fails:
//
//   - RequireApproval: devices of these channels get something more or different. On a protected channel
//     that waits for approvals, or is for admins only.
//   - RequireApprovalOfNew: devices of these channels get less, or what they had before, unless that uncovers a release which
//     the channel has never offered.
//   - ExemptFromApproval: devices of these channels get less, or what they had before.
//   - NoDeviceImpact: devices get the same as before.
//
// A comment at a call of the last two gives the reason.
//
// Calls of the first two kinds go through affects, which sees the actor and the channels.

// Effect is what a change makes of what devices get.
type Effect struct {
	// Summary says in a sentence what happens, with the facts that a person judges by.
	Summary string
	// Basis are further facts that the summary has no room for, nil for none. An approval does
	// not hold for other facts than those it was given for.
	Basis any
	// On finds the channels whose devices get something else.
	On Reach
	// ByRollout says that the change is a command to a rollout, whose summary names the release and the shares.
	ByRollout bool
}

// Reach finds the channels whose devices a change affects. It is called only where that matters.
type Reach func(c *Change) []models.Channel

// errNotAsked ends a change of what devices get that has not said whom it affects.
var errNotAsked = errors.New("store: a change of what devices get calls neither RequireApproval nor ExemptFromApproval nor NoDeviceImpact")

// RequireApproval passes a change whose effect waits for nobody, and otherwise fails: with forbidden
// when only admins may make it, with *models.ApprovalNeeded when people must approve first.
func (c *Change) RequireApproval(e Effect) { c.ask(e, c.affects(e.On)) }

// ask is RequireApproval for a change whose reach is known.
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
		basis, err := hashOf(e.Summary, e.Basis)
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
			return c.checkApproved(needed)
		case required > 0:
			return needed
		case c.Actor.Role == models.RoleAdmin:
			return nil
		default:
			return models.Errorf(models.CodeForbidden, "%s protected: only admins change what devices get there", namedChannels(needed.Channels))
		}
	})
}

// ExemptFromApproval says that devices of the channels get less, or what they had before; everybody who may write makes such a
// change without approvals.
func (c *Change) ExemptFromApproval(on Reach) { c.affects(on) }

// NoDeviceImpact says that devices get the same after the change.
func (c *Change) NoDeviceImpact() { c.asked = true }

// affects sees every change that devices can notice, by whomever it is made, and returns the
// channels whose devices are affected; nil while nothing depends on them.
func (c *Change) affects(on Reach) []models.Channel {
	c.asked = true
	if !c.Project.HasProtected && c.Actor.Channels == nil {
		return nil
	}
	channels := on(c)
	c.checkScope(channels)
	return channels
}

// checkAsked fails a change of what devices get that has not said whom it affects.
func (c *Change) checkAsked() {
	c.Do(func() error { return Refusal(c.bumped && !c.asked, errNotAsked) })
}

func protectedOf(channels []models.Channel) []models.Channel {
	return slices.DeleteFunc(slices.Clone(channels), func(c models.Channel) bool { return !c.IsProtected })
}

// namedChannels begins a sentence: `channel "a" is`, `channels "a" and "b" are`.
func namedChannels(names []string) string {
	if len(names) == 1 {
		return fmt.Sprintf("channel %q is", names[0])
	}
	return "the channels " + pg.SomeOf(pg.Each(names, func(n string) string { return fmt.Sprintf("%q", n) })) + " are"
}

// NoChannel is the reach of a change that no device can notice on any channel.
func NoChannel(*Change) []models.Channel { return nil }

// EveryChannel is the reach of flags without a channel and of user overrides.
func EveryChannel(c *Change) (channels []models.Channel) {
	c.Do(func() (err error) {
		channels, err = pg.All[models.Channel](SelectChannels(c.Tx).Where("channels.project_id = ?", c.Project.ID).Order("channels.name"))
		return err
	})
	return channels
}

// ChannelsWithIDs reaches the channels with the ids.
func ChannelsWithIDs(ids []int64) Reach {
	return func(c *Change) []models.Channel {
		return slices.DeleteFunc(EveryChannel(c), func(channel models.Channel) bool { return !slices.Contains(ids, channel.ID) })
	}
}

// OneChannel reaches the channel alone.
func OneChannel(channel models.Channel) Reach {
	return func(*Change) []models.Channel { return []models.Channel{channel} }
}

// ChannelsOfBranches reaches the devices that get releases of the branches: of the channels that point to
// one, or of all channels when a user override does.
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

// ChannelsWithBranch reaches the channels that send devices to the branch, without user overrides.
func ChannelsWithBranch(id int64) Reach {
	return func(c *Change) []models.Channel {
		return slices.DeleteFunc(EveryChannel(c), func(channel models.Channel) bool {
			return channel.BranchID != id && (channel.RolloutBranchID == nil || *channel.RolloutBranchID != id)
		})
	}
}

// ChannelsNamed reaches the named channels, or all when a name is nil.
func ChannelsNamed(names ...*string) Reach {
	return func(c *Change) []models.Channel {
		return slices.DeleteFunc(EveryChannel(c), func(channel models.Channel) bool {
			return !slices.ContainsFunc(names, func(n *string) bool { return n == nil || *n == channel.Name })
		})
	}
}

// SelectChannels reads channels with the names of the branches they point to.
func SelectChannels(tx *gorm.DB) *gorm.DB {
	return tx.Model(&models.Channel{}).
		Select("channels.*, (SELECT name FROM branches WHERE branches.id = channels.branch_id) AS branch_name, " +
			"(SELECT name FROM branches WHERE branches.id = channels.rollout_branch_id) AS rollout_branch_name")
}

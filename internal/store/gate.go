package store

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/models"
)

// Every transaction that gives a project a new snapshot says what it means for devices, by
// one of three calls, or it fails:
//
//   - ask: devices of these channels get something more or different. On a protected channel
//     that waits for approvals, or is for admins only.
//   - neverWaits: devices of these channels get less, or what they had before.
//   - sameForDevices: devices get the same as before.
//
// Calls of the first two kinds go through affects, which sees the actor and the channels.

// effect is what a change makes of what devices get.
type effect struct {
	// action is a stable word, such as "update.publish".
	action string
	// summary says in a sentence what happens, with the facts that a person judges by.
	summary string
	// basis are further facts that the summary has no room for, nil for none. An approval does
	// not hold for other facts than those it was given for.
	basis any
	on    reach
}

// reach finds the channels whose devices a change affects. It is called only where that matters.
type reach func(c *change) []models.Channel

// errNotAsked ends a change of what devices get that has not said whom it affects.
var errNotAsked = errors.New("store: a change of what devices get calls neither ask nor neverWaits nor sameForDevices")

// ask passes a change whose effect waits for nobody, and otherwise fails: with forbidden
// when only admins may make it, with *models.ApprovalNeeded when people must approve first.
func (c *change) ask(e effect) {
	on := c.affects(e.on)
	c.do(func() error {
		protected := protectedOf(on)
		if len(protected) == 0 || c.actor.Internal() {
			return nil
		}
		required := 0
		for _, channel := range protected {
			required = max(required, channel.RequiredApprovals)
		}
		basis, err := e.fingerprint()
		if err != nil {
			return err
		}
		needed := &models.ApprovalNeeded{
			Action: e.action, Summary: e.summary, Basis: basis, Required: required,
			Channels: each(protected, func(c models.Channel) string { return c.Name }),
		}
		switch {
		case c.preview != nil:
			if required > 0 || c.actor.Role != models.RoleAdmin {
				c.preview.Needed = append(c.preview.Needed, *needed)
			}
			return nil
		case c.actor.ApprovalID != 0:
			return c.checkApproved(needed)
		case required > 0:
			return needed
		case c.actor.Role == models.RoleAdmin:
			return nil
		default:
			return models.Errorf(models.CodeForbidden, "%s protected: only admins change what devices get there", namedChannels(needed.Channels))
		}
	})
}

// neverWaits says that devices of the channels get less, or what they had before, and why
// such a change is open to everybody who may write.
func (c *change) neverWaits(_ string, on reach) { c.affects(on) }

// sameForDevices says why devices get the same after the change.
func (c *change) sameForDevices(string) { c.asked = true }

// affects sees every change that devices can notice, by whomever it is made, and returns the
// channels whose devices are affected; nil while nothing depends on them.
func (c *change) affects(on reach) []models.Channel {
	c.asked = true
	c.loadScope()
	if !c.project.HasProtected && c.actor.Channels == nil {
		return nil
	}
	channels := on(c)
	c.checkScope(channels)
	return channels
}

// checkAsked fails a change of what devices get that has not said whom it affects.
func (c *change) checkAsked() {
	c.do(func() error { return refusal(c.bumped && !c.asked, errNotAsked) })
}

func (e effect) fingerprint() ([]byte, error) {
	facts, err := json.Marshal([]any{e.action, e.summary, e.basis})
	if err != nil {
		return nil, fmt.Errorf("facts of %s: %w", e.action, err)
	}
	sum := sha256.Sum256(facts)
	return sum[:], nil
}

func protectedOf(channels []models.Channel) []models.Channel {
	return slices.DeleteFunc(slices.Clone(channels), func(c models.Channel) bool { return !c.IsProtected })
}

// namedChannels begins a sentence: `channel "a" is`, `channels "a" and "b" are`.
func namedChannels(names []string) string {
	if len(names) == 1 {
		return fmt.Sprintf("channel %q is", names[0])
	}
	return "the channels " + someOf(each(names, func(n string) string { return fmt.Sprintf("%q", n) })) + " are"
}

// noChannel is the reach of a change that no device can notice on any channel.
func noChannel(*change) []models.Channel { return nil }

// everyChannel is the reach of flags without a channel and of user overrides.
func everyChannel(c *change) (channels []models.Channel) {
	c.do(func() (err error) {
		channels, err = all[models.Channel](selectChannels(c.tx).Where("channels.project_id = ?", c.project.ID).Order("channels.name"))
		return err
	})
	return channels
}

func channelsWithIDs(ids []int64) reach {
	return func(c *change) []models.Channel {
		return slices.DeleteFunc(everyChannel(c), func(channel models.Channel) bool { return !slices.Contains(ids, channel.ID) })
	}
}

func oneChannel(channel models.Channel) reach {
	return func(*change) []models.Channel { return []models.Channel{channel} }
}

// branches reaches the devices that get releases of the branches: of the channels that point to
// one, or of all channels when a user override does.
func branches(ids ...int64) reach {
	return func(c *change) (channels []models.Channel) {
		c.do(func() (err error) {
			channels, err = all[models.Channel](selectChannels(c.tx).Where("channels.project_id = ?", c.project.ID).
				Where("channels.branch_id IN @ids OR channels.rollout_branch_id IN @ids OR "+
					"EXISTS (SELECT FROM user_overrides WHERE user_overrides.branch_id IN @ids)", map[string]any{"ids": ids}).
				Order("channels.name"))
			return err
		})
		return channels
	}
}

// channelsNamed reaches the named channels, or all when a name is nil.
func channelsNamed(names ...*string) reach {
	return func(c *change) []models.Channel {
		return slices.DeleteFunc(everyChannel(c), func(channel models.Channel) bool {
			return !slices.ContainsFunc(names, func(n *string) bool { return n == nil || *n == channel.Name })
		})
	}
}

// selectChannels reads channels with the names of the branches they point to.
func selectChannels(tx *gorm.DB) *gorm.DB {
	return tx.Model(&models.Channel{}).
		Select("channels.*, (SELECT name FROM branches WHERE branches.id = channels.branch_id) AS branch_name, " +
			"(SELECT name FROM branches WHERE branches.id = channels.rollout_branch_id) AS rollout_branch_name")
}

package store

import (
	"slices"
	"strings"

	"github.com/waft-ota/waft/models"
)

// loadScope finds the channels of the key whose stored call is carried out. The approval does not keep them.
func (c *change) loadScope() {
	if c.actor.ApprovalID == 0 || c.actor.Type != models.ActorAPIKey || c.actor.Channels != nil {
		return
	}
	c.do(func() error {
		keys, err := all[models.APIKey](c.tx.Where("project_id = ? AND id::text = ?", c.project.ID, c.actor.ID))
		if err == nil && len(keys) > 0 {
			c.actor.Channels = keys[0].Channels
		}
		return err
	})
}

// checkScope fails a change by a key for some channels whose effect is on other channels too, or on none.
func (c *change) checkScope(on []models.Channel) {
	if c.actor.Channels == nil {
		return
	}
	outside := slices.ContainsFunc(on, func(channel models.Channel) bool { return !slices.Contains(c.actor.Channels, channel.Name) })
	c.do(func() error { return refusal(len(on) == 0 || outside, errOutOfScope(c.actor)) })
}

// checkScoped fails a change by a key for some channels that has not said whom it affects. To ask for approval changes
// nothing yet.
func (c *change) checkScoped() {
	c.do(func() error { return refusal(c.actor.Channels != nil && c.audited && !c.asked, errOutOfScope(c.actor)) })
}

func errOutOfScope(actor models.Actor) error {
	return models.Errorf(models.CodeForbidden, "this key may only upload builds and change what the channels %s get; this would "+
		"change something else, or what other channels get, too", strings.Join(actor.Channels, ", "))
}

package store

import (
	"slices"
	"strings"

	"github.com/waft-ota/waft/models"
)

// checkScope fails a change by a key for some channels whose effect is on other channels too, or on none.
func (c *change) checkScope(on []models.Channel) {
	if c.actor.Channels == nil {
		return
	}
	outside := slices.ContainsFunc(on, func(channel models.Channel) bool { return !slices.Contains(c.actor.Channels, channel.Name) })
	c.do(func() error { return refusal(len(on) == 0 || outside, errOutOfScope(c.actor)) })
}

// checkScoped fails a change by a key for some channels that has not said whom it affects.
func (c *change) checkScoped() {
	c.do(func() error { return refusal(c.actor.Channels != nil && c.audited && !c.asked, errOutOfScope(c.actor)) })
}

func errOutOfScope(actor models.Actor) error {
	return models.Errorf(models.CodeForbidden, "this key may only upload builds and change what the channels %s get; this would "+
		"change something else, or what other channels get, too", strings.Join(actor.Channels, ", "))
}

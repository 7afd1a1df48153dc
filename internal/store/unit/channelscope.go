package unit

import (
	"slices"
	"strings"

	"github.com/waft-ota/waft/models"
)

// checkScope fails a change by a key for some channels whose effect is on other channels too, or on none.
func (c *Change) checkScope(on []models.Channel) {
	if c.Actor.Channels == nil {
		return
	}
	outside := slices.ContainsFunc(on, func(channel models.Channel) bool { return !slices.Contains(c.Actor.Channels, channel.Name) })
	c.Do(func() error { return Refusal(len(on) == 0 || outside, errOutOfScope(c.Actor)) })
}

// checkScoped fails a change by a key for some channels that has not said whom it affects. To ask for approval changes
// nothing yet.
func (c *Change) checkScoped() {
	c.Do(func() error { return Refusal(c.Actor.Channels != nil && c.audited && !c.asked, errOutOfScope(c.Actor)) })
}

func errOutOfScope(actor models.Actor) error {
	return models.Errorf(models.CodeForbidden, "this key may only upload builds and change what the channels %s get; this would "+
		"change something else, or what other channels get, too", strings.Join(actor.Channels, ", "))
}

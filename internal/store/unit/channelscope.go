package unit

import (
	"slices"
	"strings"

	"github.com/waft-ota/waft/models"
)

// checkScope fails a change by a key limited to some channels if the change affects other channels or no channel at
// all.
func (c *Change) checkScope(on []models.Channel) {
	if c.Actor.Channels == nil {
		return
	}
	outside := slices.ContainsFunc(on, func(channel models.Channel) bool { return !slices.Contains(c.Actor.Channels, channel.Name) })
	c.Do(func() error { return Refusal(len(on) == 0 || outside, errOutOfScope(c.Actor)) })
}

// checkScoped fails a change by a key limited to some channels if the change has not declared which channels it
// affects. A request for approval passes because it does not change anything yet.
func (c *Change) checkScoped() {
	c.Do(func() error { return Refusal(c.Actor.Channels != nil && c.audited && !c.asked, errOutOfScope(c.Actor)) })
}

func errOutOfScope(actor models.Actor) error {
	return models.Errorf(models.CodeForbidden, "this key may only upload builds and change the channels %s; this request also "+
		"affects other channels or settings", strings.Join(actor.Channels, ", "))
}

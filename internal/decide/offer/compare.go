package offer

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/waft-ota/waft/models"
)

// same reports whether two offers are equal for devices.
func same(a, b models.Offer) bool {
	if len(a.LinkedFlags)+len(b.LinkedFlags) == 0 {
		a.LinkedFlags, b.LinkedFlags = nil, nil
	}
	return reflect.DeepEqual(a, b)
}

// Difference returns a sentence about how the effect of a call now differs from the approved effect, or "" if they are
// equal. Both lists are results of Changes. The only difference that it ignores is the progress of a rollout that was itself
// approved.
func Difference(approved, now []models.OfferChange) string {
	was, is := lists(approved), lists(now)
	for _, c := range slices.Concat(approved, now) {
		place := c.Place()
		before, after := was[place], is[place]
		if before == nil || after == nil || !agree(before.After, after.After) {
			return differs(c, before, after)
		}
	}
	return ""
}

func lists(changes []models.OfferChange) map[models.Place]*models.OfferChange {
	found := make(map[models.Place]*models.OfferChange, len(changes))
	for i, c := range changes {
		found[c.Place()] = &changes[i]
	}
	return found
}

// agree reports whether devices of one place would get the approved offers.
func agree(approved, now []models.Offer) bool {
	return slices.EqualFunc(reached(approved, now), reached(now, nil), func(a, b models.Offer) bool {
		if a.Moves && a.ReleaseID == b.ReleaseID {
			b.ReleasePercentage, b.Reach, b.RolloutID, b.Moves = a.ReleasePercentage, a.Reach, a.RolloutID, a.Moves
		}
		return same(a, b)
	})
}

// reached returns the offers of a list that devices can still get. Once an approved rollout has reached every device, devices
// cannot get the releases that follow its release on the same branch.
func reached(list, now []models.Offer) []models.Offer {
	ended := map[string]bool{}
	return slices.DeleteFunc(slices.Clone(list), func(o models.Offer) bool {
		if ended[o.BranchName] {
			return true
		}
		ended[o.BranchName] = o.Moves && slices.ContainsFunc(now, func(n models.Offer) bool {
			return n.ReleaseID == o.ReleaseID && n.ReleasePercentage == everybody
		})
		return false
	})
}

// differs describes how the offers of a place differ from the approved offers. nil means that the call does not change the
// place.
func differs(c models.OfferChange, approved, now *models.OfferChange) string {
	channel, platform, runtimeVersion := c.Of()
	of := fmt.Sprintf("channel %q (%s, runtime version %s)", channel, platform.Shown(), runtimeVersion)
	switch {
	case approved == nil:
		return fmt.Sprintf("the call would now also change %s, which was not approved. The channel would offer: %s", of, List(now.After))
	case now == nil:
		return fmt.Sprintf("the call would no longer change %s. Approved was: %s", of, List(approved.After))
	}
	return fmt.Sprintf("%s would now offer: %s. Approved was: %s", of, List(now.After), List(approved.After))
}

// maxListed is the maximum number of offers that a sentence lists.
const maxListed = 5

// List describes the offers of one place, in their order.
func List(offers []models.Offer) string {
	if len(offers) == 0 {
		return "nothing"
	}
	var parts []string
	for i, o := range offers {
		if i == maxListed {
			parts = append(parts, fmt.Sprintf("and %d more", len(offers)-i))
			break
		}
		parts = append(parts, describe(o))
	}
	return strings.Join(parts, ", then ")
}

// describe returns the release of an offer with its percentages.
func describe(o models.Offer) string {
	var text strings.Builder
	text.WriteString(Name(o))
	if o.BranchPercentage < everybody {
		fmt.Fprintf(&text, " of branch %q, which gets %g%% of the devices,", o.BranchName, o.BranchPercentage)
	}
	switch {
	case !o.IsEnabled:
		text.WriteString(" (disabled)")
	case o.RolloutID != 0:
		fmt.Fprintf(&text, " to %g%% (rolling out)", o.ReleasePercentage)
	default:
		fmt.Fprintf(&text, " to %g%%", o.ReleasePercentage)
	}
	if o.IsCritical {
		text.WriteString(", critical")
	}
	for _, l := range o.LinkedFlags {
		fmt.Fprintf(&text, ", with flag %s = %s", l.FlagKey, l.Value)
	}
	return text.String()
}

// Name returns the name of an offer's release.
func Name(o models.Offer) string {
	switch {
	case o.Kind == models.KindRollbackToEmbedded:
		return "the embedded update"
	case o.OriginID == 0 && o.BuildID != nil:
		return fmt.Sprintf("a new release of build %d", *o.BuildID)
	case o.ReleaseID == 0:
		return models.ReleasePhrase(o.OriginID, o.ReleaseMessage) + ", published again,"
	}
	return models.ReleasePhrase(o.ReleaseID, o.ReleaseMessage)
}

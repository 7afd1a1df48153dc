package offer_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/decide/offer"
	"github.com/waft-ota/waft/models"
)

// head returns an enabled release for iOS on a branch.
func head(id, branch int64, share float64, change ...func(*offer.Head)) offer.Head {
	h := offer.Head{OriginID: id}
	h.ID, h.BranchID, h.BranchName = id, branch, map[int64]string{1: "main", 2: "next"}[branch]
	h.Platform, h.RuntimeVersion, h.Kind = models.IOS, "1.0.0", models.KindUpdate
	h.BuildID, h.IsEnabled, h.RolloutPercentage = new(id*10), true, share
	for _, c := range change {
		c(&h)
	}
	return h
}

func rolling(h *offer.Head) { h.RolloutExecutionID = new(h.ID + 1000) }

func repeating(id int64) func(*offer.Head) { return func(h *offer.Head) { h.OriginID = id } }

// channel returns a channel that points to branch 1.
func channel(change ...func(*models.Channel)) models.Channel {
	c := models.Channel{ID: 5, Name: "production", BranchID: 1}
	for _, each := range change {
		each(&c)
	}
	return c
}

func half(c *models.Channel) { c.RolloutBranchID, c.RolloutPercentage = new(int64(2)), new(50.0) }

func offers(call offer.Call, c models.Channel, heads ...offer.Head) []models.Offer {
	return call.Of(c, heads)
}

func TestAChannelOffersTheReleasesOfItsBranches(t *testing.T) {
	t.Parallel()
	list := offers(offer.Call{}, channel(half), head(3, 2, 40), head(2, 1, 10), head(1, 1, 100), head(9, 7, 100))
	require.Len(t, list, 3)
	var ids []int64
	var branch, reach []float64
	for _, o := range list {
		ids, branch, reach = append(ids, o.ReleaseID), append(branch, o.BranchPercentage), append(reach, o.Reach)
	}
	require.Equal(t, []int64{3, 2, 1}, ids)
	require.Equal(t, []float64{50, 50, 50}, branch)
	require.Equal(t, []float64{20, 10, 100}, reach, "the second branch ends without approval, so the first one counts as a whole")

	old := func(c *models.Channel) { c.MinRuntimeVersion = new("2.0.0") }
	require.Empty(t, offers(offer.Call{}, channel(old), head(1, 1, 100)), "its devices are sent to the app store")
	disabled := func(h *offer.Head) { h.IsEnabled = false }
	require.Zero(t, offers(offer.Call{Made: []int64{4}}, channel(), head(4, 1, 100, disabled))[0].Reach)
}

func TestChangesAreTheListsThatDiffer(t *testing.T) {
	t.Parallel()
	android := func(h *offer.Head) { h.Platform = models.Android }
	before := offers(offer.Call{}, channel(), head(1, 1, 100), head(2, 1, 100, android))
	after := offers(offer.Call{Made: []int64{3}}, channel(), head(3, 1, 100), head(2, 1, 100, android))
	changes := offer.Changes(before, after)
	require.Len(t, changes, 1)
	require.EqualValues(t, 1, changes[0].Before[0].ReleaseID)
	require.Zero(t, changes[0].After[0].ReleaseID, "a second run of the call gives another id")
	require.Equal(t, "a new release of build 30 to 100%", offer.List(changes[0].After))

	gone := offer.Changes(before, nil)
	require.Len(t, gone, 2)
	require.Equal(t, "nothing", offer.List(gone[0].After))

	paused := func(c *models.Channel) { c.IsPaused = true }
	resumed := offer.Changes(offers(offer.Call{}, channel(paused), head(1, 1, 100)), offers(offer.Call{}, channel(), head(1, 1, 100)))
	require.Len(t, resumed, 1)
	require.Empty(t, resumed[0].Before)
	still := offer.Changes(offers(offer.Call{}, channel(paused), head(1, 1, 100)), offers(offer.Call{}, channel(paused), head(3, 1, 100)))
	require.Len(t, still[0].Before, 1, "what a paused channel will offer counts")
}

func TestOnlyApprovedRolloutsMoveWhatWasApproved(t *testing.T) {
	t.Parallel()
	guarded := offer.Call{Made: []int64{9}, Guarded: []int64{1}}
	change := func(call offer.Call, heads ...offer.Head) []models.OfferChange {
		return offer.Changes(nil, offers(call, channel(), heads...))
	}
	approved := change(guarded, head(9, 1, 20), head(2, 1, 10, rolling), head(1, 1, 100))
	for name, c := range map[string]struct {
		call  offer.Call
		heads []offer.Head
		holds bool
	}{
		"as it was":              {guarded, []offer.Head{head(9, 1, 20), head(2, 1, 10, rolling), head(1, 1, 100)}, true},
		"the rollout went on":    {guarded, []offer.Head{head(9, 1, 20), head(2, 1, 50, rolling), head(1, 1, 100)}, true},
		"the rollout has ended":  {guarded, []offer.Head{head(9, 1, 20), head(2, 1, 100)}, true},
		"another share":          {guarded, []offer.Head{head(9, 1, 30), head(2, 1, 10, rolling), head(1, 1, 100)}, false},
		"another release":        {guarded, []offer.Head{head(9, 1, 20), head(3, 1, 10, rolling), head(1, 1, 100)}, false},
		"it was rolled back":     {guarded, []offer.Head{head(9, 1, 20), head(1, 1, 100)}, false},
		"another release before": {guarded, []offer.Head{head(9, 1, 20), head(4, 1, 5), head(2, 1, 10, rolling), head(1, 1, 100)}, false},
		"nothing":                {guarded, nil, false},
	} {
		difference := offer.Difference(approved, change(c.call, c.heads...))
		require.Equal(t, c.holds, difference == "", "%s: %s", name, difference)
	}

	free := offer.Call{}
	unapproved := change(free, head(2, 1, 10, rolling), head(1, 1, 100))
	require.Contains(t, offer.Difference(unapproved, change(free, head(2, 1, 50, rolling), head(1, 1, 100))),
		`channel "production" (iOS, runtime version 1.0.0) would now offer: release 2 to 50% (rolling out), `+
			`then release 1 to 100%. Approved was: `)
}

func TestWhatAChannelHasNeverOfferedIsNew(t *testing.T) {
	t.Parallel()
	ever := []models.LargestOffer{{ChannelID: 5, ReleaseID: 1, OriginID: 1, Percentage: 100}, {ChannelID: 5, ReleaseID: 2, OriginID: 2, Percentage: 33.3}}
	embedded := func(h *offer.Head) { h.Kind = models.KindRollbackToEmbedded }
	for name, c := range map[string]struct {
		head  offer.Head
		isNew bool
	}{
		"offered":                    {head(1, 1, 100), false},
		"a repetition":               {head(8, 1, 100, repeating(1)), false},
		"to as many devices":         {head(2, 1, 33.3), false},
		"to more devices":            {head(2, 1, 33.301), true},
		"never offered":              {head(3, 1, 1), true},
		"to no device":               {head(3, 1, 0), false},
		"to the embedded update":     {head(4, 1, 100, embedded), false},
		"repeats what never was":     {head(8, 1, 100, repeating(3)), true},
		"offered by another channel": {head(7, 1, 100), true},
	} {
		found := offer.New(offers(offer.Call{}, channel(), c.head), append(ever, models.LargestOffer{ChannelID: 6, OriginID: 7, Percentage: 100}))
		require.Equal(t, c.isNew, len(found) == 1, name)
	}
}

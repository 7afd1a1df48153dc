package delivery

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/waft-ota/waft/models"
)

// settles is the maximum number of cold starts until a phone must run the expected release. A phone first finishes
// what it has begun.
const settles = 3

// TestStockClientsEndUpOnWhatTheyAreServed drives phones through any sequence of changes. Whatever a phone has
// stored, and even if a change happens between a check and the next start, the phone soon runs the expected release
// and keeps running it.
func TestStockClientsEndUpOnWhatTheyAreServed(t *testing.T) {
	t.Parallel()
	for i := range 8 { // one run is short, and failures need a few coincidences
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, driveStockClients)
		})
	}
}

func driveStockClients(t *rapid.T) {
	tp := newTestProject()
	tp.branch("next")
	var phones []*stockClient
	for i := range 4 {
		phone := newStockClient(fmt.Sprintf("device-%d-%s", i, anyDevice.Draw(t, "device")))
		phone.user = rapid.SampledFrom([]string{"", "vip", "somebody"}).Draw(t, "user")
		phone.keeps = rapid.SampledFrom([]int{keepsNewest, keepsRunnable, keepsAll}).Draw(t, "keeps")
		phones = append(phones, phone)
	}
	for range rapid.IntRange(1, 60).Draw(t, "changes") {
		changes[someChange.Draw(t, "change")](t, tp)
		s := snapshotOf(t, tp)
		for _, phone := range phones {
			if !tp.holds() || phone.heldOn != nil && tp.isGone(*phone.heldOn) {
				phone.heldOn = nil
			}
			phone.use(t, tp, s, rapid.SampledFrom([]string{"not", "check", "start", "crash", "settle", "settle"}).Draw(t, "use"))
		}
	}
	s := snapshotOf(t, tp)
	for _, phone := range phones {
		phone.settle(t, tp, s)
	}
}

// use imitates a person who uses the phone.
func (c *stockClient) use(t *rapid.T, tp *testProject, s *Snapshot, how string) {
	switch how {
	case "check":
		c.checkCalmly(t, tp, s)
	case "start":
		c.launch()
		c.checkCalmly(t, tp, s)
		c.launch()
	case "crash":
		c.launchCrashing()
		c.check(t, s)
	case "settle":
		c.settle(t, tp, s)
	}
}

// checkCalmly checks like check. If the response says that the phone is up to date, the phone must run the same
// update after the next start, whatever it has downloaded. The only exception is an earlier directive to return to
// the embedded update, which cannot be withdrawn.
func (c *stockClient) checkCalmly(t *rapid.T, tp *testProject, s *Snapshot) {
	running, rule := c.running, rules(tp, c.asks(t))
	c.check(t, s)
	stays := rule.outcome == OutcomeUpToDate || tp.holds() && !tp.isGone(running.release)
	if !stays || c.stored[0].committed.After(running.committed) {
		return
	}
	c.choose()
	require.Equal(t, running.release, c.running.release, "the phone starts the same update again")
	c.running = running
}

// settle requires that the phone follows the rules after enough starts.
func (c *stockClient) settle(t *rapid.T, tp *testProject, s *Snapshot) {
	held := c.held(tp)
	for range settles {
		c.coldStart(t, s)
	}
	rule := rules(tp, c.asks(t))
	want := rule.runs()
	switch {
	case held != nil:
		want = held()
	case rule.outcome == OutcomeNoUpdate && rule.release != nil:
		want = c.fallback(t, tp, rule)
	}
	for range 3 {
		require.Equal(t, want, c.running.release, "the phone follows the rules and stays")
		c.coldStart(t, s)
	}
}

// fallback returns the release that a phone runs if the expected release failed on it: an older release of the branch
// that was not withdrawn, or the embedded update.
func (c *stockClient) fallback(t *rapid.T, tp *testProject, failed rule) int64 {
	if now := c.running.release; now != embedded {
		require.False(t, tp.isGone(now))
		require.Equal(t, failed.branch, tp.release(now).BranchID)
		require.Positive(t, models.NewestFirst(tp.release(now), failed.release))
	}
	return c.running.release
}

// asks returns the phone's request.
func (c *stockClient) asks(t *rapid.T) Request {
	r, err := ParseRequest(c.headers(t), "")
	require.NoError(t, err)
	return r
}

// held returns nil if the channel serves the phone. Otherwise it returns a function for the release that the phone
// must run: the release it ran when it first started after the channel stopped serving it. If that release is
// withdrawn, the phone runs an older release that it has stored.
func (c *stockClient) held(tp *testProject) func() int64 {
	if !tp.holds() {
		return nil
	}
	return func() int64 {
		now := c.running.release
		before := c.heldOn
		c.heldOn = &now
		if before == nil {
			return now
		}
		return *before
	}
}

// isGone reports whether the release is withdrawn from all devices.
func (tp *testProject) isGone(id int64) bool {
	return id != embedded && (!tp.release(id).IsEnabled || tp.release(id).DeletedAt != nil)
}

// holds reports whether the channel does not serve releases at the moment.
func (tp *testProject) holds() bool {
	return tp.production().IsPaused || tp.production().MinRuntimeVersion != nil
}

// someChange generates one of changes. Some changes are listed repeatedly so that they often meet.
var someChange = rapid.SampledFrom(append(slices.Sorted(maps.Keys(changes)),
	"publish in part", "publish in part", "set a share", "set a share", "switch on or off", "revert", "revert", "serve again"))

// changes are the changes that engineers make to a project.
var changes = map[string]func(t *rapid.T, tp *testProject){
	"publish in part": func(t *rapid.T, tp *testProject) {
		tp.publish(anyBranch.Draw(t, "branch"), percentage(anyPercentage.Draw(t, "percentage")), func(r *models.Release) {
			r.IsCritical = rapid.Bool().Draw(t, "critical")
		})
	},
	"publish": func(t *rapid.T, tp *testProject) { tp.publish(anyBranch.Draw(t, "branch")) },
	"switch on or off": func(t *rapid.T, tp *testProject) {
		if r := anyRelease(t, tp); r != nil {
			tp.change(r, func(r *models.Release) { r.IsEnabled = !r.IsEnabled })
		}
	},
	"set a share": func(t *rapid.T, tp *testProject) {
		if r := anyRelease(t, tp); r != nil {
			p := anyPercentage.Draw(t, "percentage")
			tp.change(r, func(r *models.Release) { r.RolloutPercentage = p })
		}
	},
	"mark as critical": func(t *rapid.T, tp *testProject) {
		if r := anyRelease(t, tp); r != nil {
			tp.change(r, func(r *models.Release) { r.IsCritical = !r.IsCritical })
		}
	},
	"delete": func(t *rapid.T, tp *testProject) {
		if r := anyRelease(t, tp); r != nil && r.DeletedAt == nil {
			tp.remove(r.ID)
		}
	},
	"revert": func(t *rapid.T, tp *testProject) {
		if r := anyRelease(t, tp); r != nil && r.IsEnabled && r.DeletedAt == nil && r.Kind == models.KindUpdate {
			tp.revert(r.ID)
		}
	},
	"roll back to embedded": func(t *rapid.T, tp *testProject) { tp.rollBack(anyBranch.Draw(t, "branch"), 0) },
	"roll back to a release": func(t *rapid.T, tp *testProject) {
		if r := anyRelease(t, tp); r != nil && r.DeletedAt == nil && r.Kind == models.KindUpdate {
			tp.rollBack(r.BranchName, r.ID)
		}
	},
	"republish": func(t *rapid.T, tp *testProject) {
		if r := anyRelease(t, tp); r != nil && r.DeletedAt == nil {
			branch := anyBranch.Draw(t, "branch")
			again := models.Release{
				ProjectID: 7, BranchID: tp.branchID(branch), BranchName: branch, Platform: r.Platform, RuntimeVersion: r.RuntimeVersion,
				IsEnabled: true, RolloutPercentage: 100, Kind: r.Kind,
			}
			again.Repeat(r)
			tp.insert(&again)
		}
	},
	// Changes that must not affect the phones: another platform, another runtime version.
	"roll back others": func(_ *rapid.T, tp *testProject) {
		tp.publish("production", toEmbedded, func(r *models.Release) { r.Platform = models.IOS })
		tp.publish("production", toEmbedded, func(r *models.Release) { r.RuntimeVersion = "2.0.0" })
	},
	"point the channel elsewhere": func(t *rapid.T, tp *testProject) {
		tp.production().BranchID = tp.branchID(anyBranch.Draw(t, "points to"))
	},
	"roll a branch out": func(t *rapid.T, tp *testProject) { tp.rollOut("next", anyPercentage.Draw(t, "channel percentage")) },
	"end the branch rollout": func(_ *rapid.T, tp *testProject) {
		tp.production().RolloutBranchID, tp.production().RolloutPercentage = nil, nil
	},
	"pause or resume": func(_ *rapid.T, tp *testProject) { tp.production().IsPaused = !tp.production().IsPaused },
	"set or clear a minimum version": func(_ *rapid.T, tp *testProject) {
		minimum := "2"
		if tp.production().MinRuntimeVersion != nil {
			tp.production().MinRuntimeVersion = nil
		} else {
			tp.production().MinRuntimeVersion = &minimum
		}
	},
	"serve again": func(_ *rapid.T, tp *testProject) {
		tp.production().IsPaused, tp.production().MinRuntimeVersion = false, nil
	},
	"override":         func(t *rapid.T, tp *testProject) { tp.send("vip", anyBranch.Draw(t, "override")) },
	"end the override": func(_ *rapid.T, tp *testProject) { tp.unsend("vip") },
}

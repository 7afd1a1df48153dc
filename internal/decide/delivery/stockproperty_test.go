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

// settles is how many cold starts a phone may need until it runs what the rules
// say: one that is in the middle of something finishes that first.
const settles = 3

// TestStockClientsEndUpOnWhatTheyAreServed drives phones through any sequence of
// changes. Whatever a phone stored before, and wherever a change meets it between a
// check and the next start, it soon runs what the rules say, and goes on to.
func TestStockClientsEndUpOnWhatTheyAreServed(t *testing.T) {
	t.Parallel()
	for i := range 8 { // one run is short, and what can go wrong takes a few coincidences
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

// use is what a person does with the phone.
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

// checkCalmly is check, and requires that a phone which is told to stay where it is
// does so at the next start: whatever it downloaded meanwhile. Only an order to
// return to the embedded update that came before cannot be taken back.
func (c *stockClient) checkCalmly(t *rapid.T, tp *testProject, s *Snapshot) {
	running, rule := c.running, rules(tp, c.asks(t))
	c.check(t, s)
	stays := rule.outcome == OutcomeUpToDate || tp.holds() && !tp.isGone(running.release)
	if !stays || c.stored[0].committed.After(running.committed) {
		return
	}
	c.choose()
	require.Equal(t, running.release, c.running.release, "starts next what it runs")
	c.running = running
}

// settle requires that the phone follows the rules once it had the time to.
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
		require.Equal(t, want, c.running.release, "runs by the rules and does not flip")
		c.coldStart(t, s)
	}
}

// fallback is what a phone runs that failed on what it should: some older release
// of the branch that nobody took from it, or the embedded update.
func (c *stockClient) fallback(t *rapid.T, tp *testProject, failed rule) int64 {
	if now := c.running.release; now != embedded {
		require.False(t, tp.isGone(now))
		require.Equal(t, failed.branch, tp.release(now).BranchID)
		require.Positive(t, models.NewestFirst(tp.release(now), failed.release))
	}
	return c.running.release
}

// asks is the phone's request.
func (c *stockClient) asks(t *rapid.T) Request {
	r, err := ParseRequest(c.headers(t), "")
	require.NoError(t, err)
	return r
}

// held is nil when the channel serves the phone. Otherwise it says what the phone
// is to run: what it ran when it started after the channel first held it, unless
// that is taken from it; then some older one, as it happens to have.
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

// isGone reports whether the release is taken from devices wherever they are.
func (tp *testProject) isGone(id int64) bool {
	return id != embedded && (!tp.release(id).IsEnabled || tp.release(id).DeletedAt != nil)
}

// holds reports whether the channel serves nothing new.
func (tp *testProject) holds() bool {
	return tp.production().IsPaused || tp.production().MinRuntimeVersion != nil
}

// someChange is one of changes; some are there to meet each other often.
var someChange = rapid.SampledFrom(append(slices.Sorted(maps.Keys(changes)),
	"publish in part", "publish in part", "set a share", "set a share", "switch on or off", "revert", "revert", "serve again"))

// changes are what engineers do to a project.
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
	// Of no concern to the phones: another platform, another runtime version.
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

package delivery

import (
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/waft-ota/waft/models"
)

// insert adds a release as the store does and returns its ID. The release gets the next tick of the project's clock.
// Releases that devices would refuse because of it get new commit times, and successors that are no longer needed
// end.
func (tp *testProject) insert(r *models.Release, change ...func(*models.Release)) int64 {
	tp.clock = tp.clock.Add(time.Hour)
	r.ID = tp.id()
	r.UpdateUUID = uuid.NewSHA1(uuid.Nil, fmt.Appendf(nil, "update-%d", r.ID))
	r.GroupID = uuid.NewSHA1(uuid.Nil, fmt.Appendf(nil, "group-%d", r.ID))
	r.CreatedAt, r.UpdatedAt = tp.clock, tp.clock
	if r.ShareSalt == "" {
		r.ShareSalt = models.ReleaseSalt(r.GroupID)
	}
	for _, c := range change {
		c(r)
	}
	if r.Kind == models.KindRollbackToEmbedded || r.PlaceAt != nil {
		tp.restamp(r)
	}
	tp.state.Releases = append([]*models.Release{r}, tp.state.Releases...)
	if r.PlaceAt != nil {
		slices.SortFunc(tp.state.Releases, models.NewestFirst)
	}
	tp.settle(r)
	return r.ID
}

func (tp *testProject) restamp(r *models.Release) {
	live := []models.Release{}
	for _, l := range tp.state.Releases {
		if l.DeletedAt == nil {
			live = append(live, *l)
		}
	}
	aliases := models.Restamp(r, models.Shadowed(r, live), tp.clock)
	if len(aliases) > 0 {
		tp.clock = aliases[len(aliases)-1].CreatedAt
	}
	tp.state.Aliases = append(tp.state.Aliases, aliases...)
}

// change changes a release as a PATCH request does.
func (tp *testProject) change(r *models.Release, change func(*models.Release)) {
	tp.reached()
	everybody := reachesEverybody(r)
	change(r)
	r.UpdatedAt = r.UpdatedAt.Add(time.Millisecond)
	if !everybody {
		tp.settle(r)
	}
}

// reached records the greatest rollout percentages of releases, because tests change percentages freely.
func (tp *testProject) reached() {
	for _, r := range tp.state.Releases {
		if r.IsEnabled && r.DeletedAt == nil {
			r.ReachedPercentage = max(r.ReachedPercentage, r.RolloutPercentage)
		}
	}
}

// settle does what the store does when a release is created or changed.
func (tp *testProject) settle(r *models.Release) {
	tp.reached()
	if !reachesEverybody(r) || len(r.RolledBackUpdateIDs) > 0 {
		return
	}
	for _, s := range tp.state.Releases {
		if s == r {
			return
		}
		if s.DeletedAt == nil && s.BranchID == r.BranchID && s.Platform == r.Platform && s.RuntimeVersion == r.RuntimeVersion && s.IsEnabled && s.RolloutPercentage < 100 && s.ShareSalt != models.ReleaseSalt(s.GroupID) &&
			(s.Kind == models.KindRollbackToEmbedded || models.NewestFirst(tp.release(*s.RepublishedFromID), r) > 0) {
			s.IsEnabled = false
		}
	}
}

func reachesEverybody(r *models.Release) bool {
	return r.IsEnabled && r.DeletedAt == nil && r.RolloutPercentage == 100
}

// stream returns the releases with r's branch, platform and runtime version that are not deleted, newest first.
func (tp *testProject) stream(r *models.Release) []*models.Release {
	return slices.DeleteFunc(slices.Clone(tp.state.Releases), func(o *models.Release) bool {
		return o.DeletedAt != nil || o.BranchID != r.BranchID || o.Platform != r.Platform || o.RuntimeVersion != r.RuntimeVersion
	})
}

// revert rolls a release back as an automatic rollback does. It returns the ID of the successor, or 0 if no successor
// is needed.
func (tp *testProject) revert(id int64) int64 {
	tp.reached()
	bad := tp.release(id)
	bad.IsEnabled = false
	if bad.ReachedPercentage == 0 {
		return 0
	}
	var older *models.Release
	for _, r := range tp.stream(bad) {
		switch {
		case !reachesEverybody(r):
		case models.NewestFirst(r, bad) < 0:
			return 0
		case older == nil:
			older = r
		}
	}
	r := models.Successor(bad, older, uuid.Nil)
	return tp.insert(&r)
}

// rollBack rolls a branch back manually to one of its releases, or with 0 to the embedded update. It returns the ID
// of the new release.
func (tp *testProject) rollBack(branch string, to int64) int64 {
	r := models.Release{
		ProjectID: 7, BranchID: tp.branchID(branch), BranchName: branch, Platform: models.Android, RuntimeVersion: testRuntime,
		IsEnabled: true, RolloutPercentage: 100, Kind: models.KindRollbackToEmbedded,
	}
	if to != 0 {
		r.Kind = models.KindUpdate
		r.Repeat(tp.release(to))
	}
	for _, newer := range tp.stream(&r) {
		if newer.ID == to {
			break
		}
		if newer.IsEnabled {
			newer.IsEnabled = false
			r.RolledBackUpdateIDs = append(r.RolledBackUpdateIDs, newer.ID)
		}
	}
	return tp.insert(&r)
}

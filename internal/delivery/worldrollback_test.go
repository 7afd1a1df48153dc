package delivery

import (
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/waft-ota/waft/models"
)

// insert adds a release as the store does: at the next tick of the project's clock,
// with new commit times of those that it would keep from devices, and the end of
// successors that it makes needless. It returns the release's id.
func (w *world) insert(r *models.Release, change ...func(*models.Release)) int64 {
	w.clock = w.clock.Add(time.Hour)
	r.ID = w.id()
	r.UpdateUUID = uuid.NewSHA1(uuid.Nil, fmt.Appendf(nil, "update-%d", r.ID))
	r.GroupID = uuid.NewSHA1(uuid.Nil, fmt.Appendf(nil, "group-%d", r.ID))
	r.CreatedAt, r.UpdatedAt = w.clock, w.clock
	if r.ShareSalt == "" {
		r.ShareSalt = models.ReleaseSalt(r.GroupID)
	}
	for _, c := range change {
		c(r)
	}
	if r.Kind == models.KindRollbackToEmbedded || r.PlaceAt != nil {
		w.restamp(r)
	}
	w.state.Releases = append([]*models.Release{r}, w.state.Releases...)
	if r.PlaceAt != nil {
		slices.SortFunc(w.state.Releases, models.NewestFirst)
	}
	w.settle(r)
	return r.ID
}

func (w *world) restamp(r *models.Release) {
	live := []models.Release{}
	for _, l := range w.state.Releases {
		if l.DeletedAt == nil {
			live = append(live, *l)
		}
	}
	aliases := models.Restamp(r, models.Shadowed(r, live), w.clock)
	if len(aliases) > 0 {
		w.clock = aliases[len(aliases)-1].CreatedAt
	}
	w.state.Aliases = append(w.state.Aliases, aliases...)
}

// change alters a release as a patch does.
func (w *world) change(r *models.Release, change func(*models.Release)) {
	w.reached()
	everybody := reachesEverybody(r)
	change(r)
	r.UpdatedAt = r.UpdatedAt.Add(time.Millisecond)
	if !everybody {
		w.settle(r)
	}
}

// reached notes the greatest shares that releases had; tests change these at will.
func (w *world) reached() {
	for _, r := range w.state.Releases {
		if r.IsEnabled && r.DeletedAt == nil {
			r.ReachedPercentage = max(r.ReachedPercentage, r.RolloutPercentage)
		}
	}
}

// settle does as the store when a release was made or changed.
func (w *world) settle(r *models.Release) {
	w.reached()
	if !reachesEverybody(r) || len(r.RolledBackUpdateIDs) > 0 {
		return
	}
	for _, s := range w.state.Releases {
		if s == r {
			return
		}
		if s.DeletedAt == nil && s.BranchID == r.BranchID && s.Platform == r.Platform && s.RuntimeVersion == r.RuntimeVersion && s.IsEnabled && s.RolloutPercentage < 100 && s.ShareSalt != models.ReleaseSalt(s.GroupID) &&
			(s.Kind == models.KindRollbackToEmbedded || models.NewestFirst(w.release(*s.RepublishedFromID), r) > 0) {
			s.IsEnabled = false
		}
	}
}

func reachesEverybody(r *models.Release) bool {
	return r.IsEnabled && r.DeletedAt == nil && r.RolloutPercentage == 100
}

// stream is the live releases with r's branch, platform and runtime version, newest
// first.
func (w *world) stream(r *models.Release) []*models.Release {
	return slices.DeleteFunc(slices.Clone(w.state.Releases), func(o *models.Release) bool {
		return o.DeletedAt != nil || o.BranchID != r.BranchID || o.Platform != r.Platform || o.RuntimeVersion != r.RuntimeVersion
	})
}

// revert takes a release back as an automatic rollback does, and returns the id of
// its successor, 0 when none is needed.
func (w *world) revert(id int64) int64 {
	w.reached()
	bad := w.release(id)
	bad.IsEnabled = false
	if bad.ReachedPercentage == 0 {
		return 0
	}
	var older *models.Release
	for _, r := range w.stream(bad) {
		switch {
		case !reachesEverybody(r):
		case models.NewestFirst(r, bad) < 0:
			return 0
		case older == nil:
			older = r
		}
	}
	r := models.Successor(bad, older)
	return w.insert(&r)
}

// rollBack goes back by hand on a branch to a release of it, or with 0 to the
// embedded update, and returns the id of the release that does so.
func (w *world) rollBack(branch string, to int64) int64 {
	r := models.Release{
		ProjectID: 7, BranchID: w.branchID(branch), BranchName: branch, Platform: models.Android, RuntimeVersion: testRuntime,
		IsEnabled: true, RolloutPercentage: 100, Kind: models.KindRollbackToEmbedded,
	}
	if to != 0 {
		r.Kind = models.KindUpdate
		r.Repeat(w.release(to))
	}
	for _, newer := range w.stream(&r) {
		if newer.ID == to {
			break
		}
		if newer.IsEnabled {
			newer.IsEnabled = false
			r.RolledBackUpdateIDs = append(r.RolledBackUpdateIDs, newer.ID)
		}
	}
	return w.insert(&r)
}

package errorgroup

import (
	"slices"
	"time"

	"github.com/waft-ota/waft/models"
)

// Releases are the releases of a project in the order of their creation.
type Releases struct {
	byUpdate map[string]models.ReleasePlace
	streams  map[stream][]models.ReleasePlace // oldest first, only releases that devices ran
}

// stream identifies releases that follow each other on devices.
type stream struct {
	branchID       int64
	platform       models.Platform
	runtimeVersion string
}

func streamOf(r models.ReleasePlace) stream { return stream{r.BranchID, r.Platform, r.RuntimeVersion} }

// NewReleases returns the releases in order. ran are the update IDs that devices reported.
func NewReleases(all []models.ReleasePlace, ran []string) Releases {
	r := Releases{map[string]models.ReleasePlace{}, map[stream][]models.ReleasePlace{}}
	for _, release := range all {
		r.byUpdate[release.UpdateUUID] = release
	}
	for _, update := range ran {
		if release, ok := r.byUpdate[update]; ok {
			r.streams[streamOf(release)] = append(r.streams[streamOf(release)], release)
		}
	}
	for _, releases := range r.streams {
		slices.SortFunc(releases, func(a, b models.ReleasePlace) int { return a.CreatedAt.Compare(b.CreatedAt) })
	}
	return r
}

// age returns the time by which updates are ordered. The embedded update is older than every release. An update that
// is not a release of the project is as old as its first event.
func (r Releases) age(s models.GroupSighting) time.Time {
	if release, ok := r.byUpdate[s.UpdateUUID]; ok {
		return release.CreatedAt
	}
	if s.UpdateUUID == "" {
		return time.Time{}
	}
	return s.FirstAt
}

// Ends returns the oldest and the newest update that had a group. The embedded update is "".
func (r Releases) Ends(seen []models.GroupSighting) (first, last string) {
	if len(seen) == 0 {
		return "", ""
	}
	byAge := func(a, b models.GroupSighting) int { return r.age(a).Compare(r.age(b)) }
	return slices.MinFunc(seen, byAge).UpdateUUID, slices.MaxFunc(seen, byAge).UpdateUUID
}

// Newest returns the creation time of the newest release of each platform that had a group. The embedded update and updates
// that are not releases of the project do not count.
func (r Releases) Newest(seen []models.GroupSighting) map[models.Platform]time.Time {
	newest := map[models.Platform]time.Time{}
	for _, s := range seen {
		if release, ok := r.byUpdate[s.UpdateUUID]; ok && release.CreatedAt.After(newest[s.Platform]) {
			newest[s.Platform] = release.CreatedAt
		}
	}
	return newest
}

// State returns the state of a group. It takes the newest selected release of each platform that had the group. The
// state is new if the group is new on one of them, otherwise regressed if it is regressed on one of them.
func (r Releases) State(seen []models.GroupSighting) models.GroupState {
	order := map[models.GroupState]int{models.GroupOngoing: 0, models.GroupRegressed: 1, models.GroupNew: 2}
	newest := map[models.Platform]models.GroupSighting{}
	for _, s := range seen {
		if known, ok := newest[s.Platform]; s.Selected && (!ok || r.age(s).After(r.age(known))) {
			newest[s.Platform] = s
		}
	}
	state := models.GroupOngoing
	for _, s := range newest {
		if on := r.stateOn(s, seen); order[on] > order[state] {
			state = on
		}
	}
	return state
}

// stateOn returns the state on one update.
func (r Releases) stateOn(on models.GroupSighting, seen []models.GroupSighting) models.GroupState {
	before := map[string]bool{}
	for _, s := range seen {
		if s.Platform == on.Platform && s.UpdateUUID != on.UpdateUUID && r.age(s).Before(r.age(on)) {
			before[s.UpdateUUID] = true
		}
	}
	if len(before) == 0 {
		return models.GroupNew
	}
	release, ok := r.byUpdate[on.UpdateUUID]
	if !ok {
		return models.GroupOngoing
	}
	earlier := r.streams[streamOf(release)]
	n, _ := slices.BinarySearchFunc(earlier, release.CreatedAt, func(e models.ReleasePlace, at time.Time) int {
		return e.CreatedAt.Compare(at)
	})
	if n > 0 && !before[earlier[n-1].UpdateUUID] {
		return models.GroupRegressed
	}
	return models.GroupOngoing
}

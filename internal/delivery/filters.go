package delivery

import (
	"fmt"
	"slices"
	"strconv"
	"sync/atomic"

	"github.com/dunglas/httpsfv"

	"github.com/waft-ota/waft/models"
)

// A client remembers the filters of the last answer and runs no stored update that
// fails them. An update fails a filter when its metadata has the filter's key (in
// any case) with another value. Every update's metadata names its branch and has
// one key of its own, so "branchname" excludes other branches, and the own key
// with another value excludes that one update alone. That is how a release is
// taken back from devices that hold it, while the one before it, still stored,
// stays good to fall back on. The key releaseKey, whose value is the release's id,
// serves where there is too much to exclude.
const (
	branchMetadata = "branchName"
	branchKey      = "branchname"
	releaseKey     = "releaseid"
	ownValue       = "1"
	denyValue      = "0"
)

// maxDenied is how many releases of a stream a header names for being gone or
// disabled, and how many more for not being meant for the device: it has to stay
// small.
const maxDenied = 50

// ownKey is the metadata key that only this release's updates have.
func ownKey(releaseID int64) string { return "r" + strconv.FormatInt(releaseID, 10) }

// denial is a branch's part of the filters: the releases of one platform and
// runtime version that a device may have stored.
type denial struct {
	branch *branch
	// withheld are the newest releases that are gone or disabled, stored the newest
	// of all.
	withheld, stored []*release
	// moreWithheld and moreStored are set when these are not all.
	moreWithheld, moreStored bool
	// all is what withAll made.
	all atomic.Pointer[[]string]
}

// newDenial takes every release of the platform and runtime version, newest first.
func newDenial(b *branch, releases []*release) *denial {
	d := &denial{branch: b}
	for _, r := range releases {
		// A release of another branch fails the branch filter already. One whose
		// branch is gone and forgotten might have had this branch's name.
		if !r.updates() || r.branchName != b.name && r.branchName != "" {
			continue
		}
		if len(d.stored) < maxDenied {
			d.stored = append(d.stored, r)
		} else {
			d.moreStored = true
		}
		if r.on(b) && r.IsEnabled {
			continue
		}
		if len(d.withheld) < maxDenied {
			d.withheld = append(d.withheld, r)
		} else {
			d.moreWithheld = true
		}
	}
	return d
}

// with are the filters that deny the given releases, newest first, and all that are
// withheld, so that a device can run keep, or with nil only the embedded update.
// What is older than keep does not matter: the client starts the newest that may
// run.
func (d *denial) with(denied []*release, keep *release) []string {
	if len(denied) > maxDenied || d.moreWithheld && allNewer(d.withheld, keep) {
		return d.only(keep)
	}
	value := append(make([]byte, 0, 128), d.branch.filter...)
	for _, r := range denied {
		value = append(value, r.deny...)
	}
	for _, r := range d.withheld {
		if !slices.Contains(denied, r) {
			value = append(value, r.deny...)
		}
	}
	return []string{string(value)}
}

// allNewer reports whether all releases of the list, which is the newest first, are
// newer than keep, so that those after them may be as well.
func allNewer(list []*release, keep *release) bool {
	return keep == nil || len(list) > 0 && models.NewestFirst(list[len(list)-1].Release, keep.Release) < 0
}

// only are filters for when too many releases would have to be named: they let the
// one update run besides the embedded one, so that a client has no other to fall
// back on. With nil, and when keep itself is withheld, they let none.
func (d *denial) only(keep *release) []string {
	if keep == nil || !keep.on(d.branch) || !keep.IsEnabled {
		return nothingFilters
	}
	return []string{d.branch.filter + ", " + releaseKey + `="` + strconv.FormatInt(keep.ID, 10) + `"`}
}

// nothingFilters let only the embedded update run: no branch has that name.
var nothingFilters = []string{branchKey + `=""`}

// withAll are the filters under which only the embedded update runs. It goes with
// the order to return to that one: a device that runs it already gets no order, but
// must not start a stored update next time either.
func (d *denial) withAll() []string {
	if d.moreStored {
		return nothingFilters
	}
	filters := d.all.Load()
	if filters == nil {
		made := d.with(d.stored, nil)
		filters = &made
		d.all.Store(filters)
	}
	return *filters
}

// withNewer are the filters under which nothing newer than the running release
// starts.
func (d *denial) withNewer(running *release) []string {
	filters := running.held.Load()
	if filters == nil {
		made := d.except(running, func(r *release) bool { return models.NewestFirst(r.Release, running.Release) < 0 })
		filters = &made
		running.held.Store(filters)
	}
	return *filters
}

// withOthers are the filters under which nothing but the running release starts. A
// device that has it by a name from before its newest alias may have stored an
// older release by a newer one, with a later commit time.
func (d *denial) withOthers(running *release) []string {
	filters := running.alone.Load()
	if filters == nil {
		made := d.except(running, func(r *release) bool { return r != running })
		filters = &made
		running.alone.Store(filters)
	}
	return *filters
}

// except are the filters that deny those of the stored releases that denied picks.
func (d *denial) except(keep *release, denied func(*release) bool) []string {
	list := []*release{}
	for _, r := range d.stored {
		if denied(r) {
			list = append(list, r)
		}
	}
	if d.moreStored && denied(d.stored[len(d.stored)-1]) {
		return d.only(keep)
	}
	return d.with(list, keep)
}

// branchFilter is the dictionary member that lets only updates of the branch run.
func branchFilter(branchName string) (string, error) {
	d := httpsfv.NewDictionary()
	d.Add(branchKey, httpsfv.NewItem(branchName))
	value, err := httpsfv.Marshal(d)
	if err != nil {
		return "", fmt.Errorf("filter for branch %q: %w", branchName, err)
	}
	return value, nil
}

// denyFilter is the dictionary member, after others, that excludes one release.
func denyFilter(releaseID int64) string {
	return ", " + ownKey(releaseID) + `="` + denyValue + `"`
}

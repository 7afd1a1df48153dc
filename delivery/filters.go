package delivery

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/dunglas/httpsfv"
)

// A client remembers the filters of the last answer and runs no stored update that
// fails them. An update fails a filter when its metadata has the filter's key (in
// any case) with another value. Every update's metadata names its branch and has
// one key of its own, so "branchname" excludes other branches, and the own key
// with another value excludes that one update alone. That is how a release is
// taken back from devices that hold it, while the one before it, still stored,
// stays good to fall back on.
const (
	branchMetadata = "branchName"
	branchKey      = "branchname"
	ownValue       = "1"
	denyValue      = "0"
)

// maxDenied is how many releases of a stream a header denies for being gone or
// disabled, and how many more for not being meant for the device, newest first: a
// device keeps the update that it runs and one or two more, and the header has to
// stay small.
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
}

// newDenial takes every release of the platform and runtime version, newest first.
func newDenial(b *branch, releases []*release) denial {
	d := denial{branch: b}
	for _, r := range releases {
		// A release of another branch fails the branch filter already. One whose
		// branch is gone and forgotten might have had this branch's name.
		if !r.updates() || r.branchName != b.name && r.branchName != "" {
			continue
		}
		if len(d.stored) < maxDenied {
			d.stored = append(d.stored, r)
		}
		if len(d.withheld) < maxDenied && (!r.on(b) || !r.IsEnabled) {
			d.withheld = append(d.withheld, r)
		}
	}
	return d
}

// with are the filters that deny the given releases, the newest of them, and all
// that are withheld.
func (d denial) with(denied []*release) []string {
	value := append(make([]byte, 0, 128), d.branch.filter...)
	denied = denied[:min(len(denied), maxDenied)]
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

// withAll are the filters under which only the embedded update runs. It goes with
// the order to return to that one: a device that runs it already gets no order, but
// must not start a stored update next time either.
func (d denial) withAll() []string { return d.with(d.stored) }

// withNewer are the filters under which nothing newer than the running release
// starts, and with nil nothing at all.
func (d denial) withNewer(running *release) []string {
	if running == nil {
		return d.withAll()
	}
	older := slices.IndexFunc(d.stored, func(r *release) bool { return !r.CreatedAt.After(running.CreatedAt) })
	if older < 0 {
		return d.withAll()
	}
	return d.with(d.stored[:older])
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

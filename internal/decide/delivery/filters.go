package delivery

import (
	"fmt"
	"slices"
	"strconv"
	"sync/atomic"

	"github.com/dunglas/httpsfv"

	"github.com/waft-ota/waft/models"
)

// A client stores the filters of the last response and does not run a stored update that fails them. An update fails
// a filter if its metadata has the filter's key, in any case, with a different value. The metadata of every update
// has its branch and a key of its own. The filter "branchname" excludes other branches, and an update's own key with
// a different value excludes one release. So a device drops a rolled-back release and can return to the previous
// release, which it still has. The key releaseKey has the release's ID as its value. It is used if there are too many
// releases to exclude them one by one.
const (
	branchMetadata = "branchName"
	branchKey      = "branchname"
	releaseKey     = "releaseid"
	ownValue       = "1"
	excludeValue   = "0"
)

// maxExcluded limits the size of the header. At most this many releases of a list are excluded because they are
// deleted or disabled, and at most this many because the device is outside their rollout percentage.
const maxExcluded = 50

// ownKey returns the metadata key that only this release's updates have.
func ownKey(releaseID int64) string { return "r" + strconv.FormatInt(releaseID, 10) }

// filterSet builds the filters for one branch, platform and runtime version.
type filterSet struct {
	branch *branch
	// stored are the newest releases that a device may have stored, newest first. withheld are the deleted and
	// disabled releases. Both have at most maxExcluded releases; moreStored and moreWithheld report whether there are
	// more.
	stored, withheld         []*release
	moreStored, moreWithheld bool
	all                      cachedFilters // cache of embeddedOnly
}

// cachedFilters are filters that are built when they are first used.
type cachedFilters struct{ atomic.Pointer[[]string] }

func (c *cachedFilters) get(newFilters func() []string) []string {
	if filters := c.Load(); filters != nil {
		return *filters
	}
	filters := newFilters()
	c.Store(&filters)
	return filters
}

// newFilterSet returns the filter set for a branch. releases are all releases of the platform and runtime version,
// newest first.
func newFilterSet(b *branch, releases []*release) *filterSet {
	f := &filterSet{branch: b}
	for _, r := range releases {
		// A release of another branch fails the branch filter. A release without a branch name may have been
		// published under this branch's name.
		if !r.updates() || r.branchName != b.name && r.branchName != "" {
			continue
		}
		f.moreStored = appendUpTo(&f.stored, r) || f.moreStored
		if !r.on(b) || !r.IsEnabled {
			f.moreWithheld = appendUpTo(&f.withheld, r) || f.moreWithheld
		}
	}
	return f
}

// appendUpTo appends to a list of at most maxExcluded releases and reports whether it was full.
func appendUpTo(list *[]*release, r *release) (full bool) {
	if len(*list) == maxExcluded {
		return true
	}
	*list = append(*list, r)
	return false
}

// excluding returns filters that exclude the given releases, newest first, and the withheld releases, so that a
// device can run keep. If keep is nil, it can run only the embedded update. Releases older than keep do not matter,
// because a client starts the newest update that may run.
func (f *filterSet) excluding(excluded []*release, keep *release) []string {
	if len(excluded) > maxExcluded || f.moreWithheld && allNewer(f.withheld, keep) {
		return f.allowing(keep)
	}
	value := append(make([]byte, 0, 128), f.branch.filter...)
	for _, r := range excluded {
		value = r.appendExclusion(value)
	}
	for _, r := range f.withheld {
		if !slices.Contains(excluded, r) {
			value = r.appendExclusion(value)
		}
	}
	return []string{string(value)}
}

// appendExclusion appends the dictionary member that excludes this release.
func (r *release) appendExclusion(value []byte) []byte {
	return append(value, ", "+ownKey(r.ID)+`="`+excludeValue+`"`...)
}

// allNewer reports whether all releases of the list, newest first, are newer than keep. If so, releases beyond the
// end of the list may be newer too.
func allNewer(list []*release, keep *release) bool {
	return keep == nil || len(list) > 0 && models.NewestFirst(list[len(list)-1].Release, keep.Release) < 0
}

// allowing returns filters that allow only keep and the embedded update to run. It is used if there are too many
// releases to exclude. If keep is nil or withheld, only the embedded update may run.
func (f *filterSet) allowing(keep *release) []string {
	if keep == nil || !keep.on(f.branch) || !keep.IsEnabled {
		return noUpdateFilters
	}
	return []string{f.branch.filter + ", " + releaseKey + `="` + strconv.FormatInt(keep.ID, 10) + `"`}
}

// noUpdateFilters allow only the embedded update to run, because every branch has a name.
var noUpdateFilters = []string{branchKey + `=""`}

// embeddedOnly returns filters that allow only the embedded update to run. A rollback to the embedded update needs
// them: a device that already runs the embedded update does not get a directive, but must not start a stored update
// next time.
func (f *filterSet) embeddedOnly() []string {
	if f.moreStored {
		return noUpdateFilters
	}
	return f.all.get(func() []string { return f.excluding(f.stored, nil) })
}

// excludingNewer returns filters that exclude all releases newer than the running release.
func (f *filterSet) excludingNewer(running *release) []string {
	return running.newerExcluded.get(func() []string {
		return f.excludingStored(running, func(r *release) bool { return models.NewestFirst(r.Release, running.Release) < 0 })
	})
}

// excludingOthers returns filters that exclude all releases except the running release. A device that runs it under
// an earlier alias may have stored an older release under an alias with a later commit time.
func (f *filterSet) excludingOthers(running *release) []string {
	return running.othersExcluded.get(func() []string {
		return f.excludingStored(running, func(r *release) bool { return r != running })
	})
}

// excludingStored returns filters that exclude the stored releases for which excluded returns true.
func (f *filterSet) excludingStored(keep *release, excluded func(*release) bool) []string {
	if f.moreStored && excluded(f.stored[len(f.stored)-1]) {
		return f.allowing(keep)
	}
	list := slices.DeleteFunc(slices.Clone(f.stored), func(r *release) bool { return !excluded(r) })
	return f.excluding(list, keep)
}

// branchFilter returns the dictionary member that allows only updates of the branch to run.
func branchFilter(branchName string) (string, error) {
	d := httpsfv.NewDictionary()
	d.Add(branchKey, httpsfv.NewItem(branchName))
	value, err := httpsfv.Marshal(d)
	if err != nil {
		return "", fmt.Errorf("filter for branch %q: %w", branchName, err)
	}
	return value, nil
}

package delivery

import (
	"fmt"
	"slices"

	"github.com/waft-ota/waft/models"
)

// listKey identifies the devices that get their release from the same list.
type listKey struct {
	branch         *branch
	platform       models.Platform
	runtimeVersion string
}

// releaseList contains a branch's releases for one platform and runtime version.
type releaseList struct {
	*filterSet
	// releases are the releases that are not deleted, newest first. answers are the releases that a device can get:
	// the enabled releases down to the first release whose rollout percentage includes every device.
	releases, answers []*release
	// filters are the filters for a device that does not get a release.
	filters []string
	// changedAt is the Unix time in nanoseconds of the last change to a release of the list, including its deletion.
	changedAt int64
}

// groupReleases returns the release lists. A branch has a list if it has or had a release, or if a release was
// published under the branch's name.
func groupReleases(all []*release, branches map[int64]*branch) map[listKey]*releaseList {
	byName := make(map[string]*branch, len(branches))
	for _, b := range branches {
		byName[b.name] = b
	}
	newestFirst := func(a, b *release) int { return models.NewestFirst(a.Release, b.Release) }
	if !slices.IsSortedFunc(all, newestFirst) {
		all = slices.SortedFunc(slices.Values(all), newestFirst)
	}
	// Devices may have stored every release with the branch's name, deleted or not. A release without a branch name
	// may have had any name, so it is in every group.
	groups, nameless := map[listKey][]*release{}, []*release{}
	for _, r := range all {
		if r.branchName == "" {
			nameless = append(nameless, r)
		} else if b := byName[r.branchName]; b != nil {
			key := listKey{b, r.Platform, r.RuntimeVersion}
			groups[key] = append(groups[key], r)
		}
	}
	lists := make(map[listKey]*releaseList, len(groups))
	for key, group := range groups {
		l := &releaseList{}
		for _, r := range group {
			if r.on(key.branch) {
				l.releases = append(l.releases, r)
			}
			l.changedAt = max(l.changedAt, r.UpdatedAt.UnixNano())
			if r.DeletedAt != nil {
				l.changedAt = max(l.changedAt, r.DeletedAt.UnixNano())
			}
		}
		for _, r := range nameless {
			if r.Platform == key.platform && r.RuntimeVersion == key.runtimeVersion {
				group = append(group, r)
			}
		}
		if len(nameless) > 0 {
			slices.SortFunc(group, newestFirst)
		}
		l.filterSet = newFilterSet(key.branch, group)
		lists[key] = l
	}
	return lists
}

// choose sets answers. It stops at the first release for every device, which hides all older releases.
func (l *releaseList) choose() {
	for _, r := range l.releases {
		if !r.IsEnabled {
			continue
		}
		l.answers = append(l.answers, r)
		if r.share.everyDevice() {
			return
		}
	}
}

// render renders every response that a device can get from the list. Its cost does not grow with the number of older
// releases.
func (l *releaseList) render(m *renderer) (err error) {
	l.choose()
	var passed []*release // newer than r, for devices outside their rollout percentage
	for _, r := range l.answers {
		if r.body, err = m.rendered(r); err != nil {
			return fmt.Errorf("release %d: %w", r.ID, err)
		}
		if !r.updates() {
			r.filters = l.embeddedOnly()
		} else {
			r.filters = l.excluding(passed, r)
			passed = append(passed, r)
		}
		if r.share.everyDevice() {
			return nil
		}
	}
	l.filters = l.embeddedOnly()
	return nil
}

// newest returns the newest release that the device may have, or nil.
func (l *releaseList) newest(deviceID string, t *trace) *release {
	releases := l.answers
	if t != nil { // an explanation also lists disabled releases
		releases = l.releases
	}
	for _, r := range releases {
		share := r.share
		if t != nil {
			share = t.shareOf(r)
		}
		switch {
		case !r.IsEnabled:
			if t != nil {
				t.add(StepRelease, "skipped", "%s is disabled", r.Phrase())
			}
		case !share.includes(deviceID):
			if t != nil {
				t.add(StepRelease, "skipped", "%s: %s", r.Phrase(), share.explain(deviceID))
			}
		default:
			if t != nil {
				t.add(StepRelease, "chosen", "%s: %s", r.Phrase(), share.explain(deviceID))
			}
			return r
		}
	}
	if t != nil {
		t.add(StepRelease, "none", "branch %s has no release for this device", l.branch.name)
	}
	return nil
}

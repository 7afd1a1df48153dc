package delivery

import (
	"fmt"
	"slices"

	"github.com/waft-ota/waft/models"
)

// listKey names the devices that get their release from the same list.
type listKey struct {
	branch         *branch
	platform       models.Platform
	runtimeVersion string
}

// releaseList has a branch's releases for one platform and runtime version.
type releaseList struct {
	*filterSet
	// releases are those that are not deleted, newest first. answers are those of them that a
	// device can get: the enabled ones down to the first whose share includes every device.
	releases, answers []*release
	// filters belong to the answer to a device that gets no release.
	filters []string
}

// groupReleases makes the lists. There is one where a branch has a release, or had one, itself or
// under its name.
func groupReleases(all []*release, branches map[int64]*branch) map[listKey]*releaseList {
	byName := make(map[string]*branch, len(branches))
	for _, b := range branches {
		byName[b.name] = b
	}
	newestFirst := func(a, b *release) int { return models.NewestFirst(a.Release, b.Release) }
	if !slices.IsSortedFunc(all, newestFirst) {
		all = slices.SortedFunc(slices.Values(all), newestFirst)
	}
	// Devices may have stored every release under the branch's name, deleted or not. One without
	// a branch name may have had any name, so it is in every group.
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

// choose finds the answers. It stops at the first release for every device, which hides all older ones.
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

// render makes every answer that a device can get from the list. Its cost does not grow with the number of older releases.
func (l *releaseList) render(m *renderer) (err error) {
	l.choose()
	var passed []*release // newer than the answer, and not for the device
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

// newest is the newest release that the device may have, nil when there is none.
func (l *releaseList) newest(deviceID string, t *trace) *release {
	releases := l.answers
	if t != nil { // an explanation names the disabled ones, too
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
				t.add(StepRelease, "skipped", "release %d is disabled", r.ID)
			}
		case !share.includes(deviceID):
			if t != nil {
				t.add(StepRelease, "skipped", "release %d: %s", r.ID, share.explain(deviceID))
			}
		default:
			if t != nil {
				t.add(StepRelease, "chosen", "release %d: %s", r.ID, share.explain(deviceID))
			}
			return r
		}
	}
	if t != nil {
		t.add(StepRelease, "none", "no release of branch %s is for this device", l.branch.name)
	}
	return nil
}

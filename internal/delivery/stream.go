package delivery

import (
	"fmt"
	"slices"

	"github.com/waft-ota/waft/models"
)

// streamKey names the devices that draw from the same releases.
type streamKey struct {
	branch         *branch
	platform       models.Platform
	runtimeVersion string
}

// stream is a branch's releases for one platform and runtime version.
type stream struct {
	*denial
	// releases are live, newest first, disabled ones included. answers are those of
	// them that a device can get: the enabled ones down to the first that everybody
	// gets.
	releases, answers []*release
	// filters go with the answer that no release is for the device.
	filters []string
}

// groupStreams makes the streams of all releases. A stream exists where a branch
// has a release, or once had one, itself or under its name.
func groupStreams(all []*release, branches map[int64]*branch) map[streamKey]*stream {
	byName := make(map[string]*branch, len(branches))
	for _, b := range branches {
		byName[b.name] = b
	}
	newestFirst := func(a, b *release) int { return models.NewestFirst(a.Release, b.Release) }
	if !slices.IsSortedFunc(all, newestFirst) {
		all = slices.SortedFunc(slices.Values(all), newestFirst)
	}
	// Releases that a device of the stream may have stored: a group knows those under
	// its branch's name, nameless belong to every group.
	groups, nameless := map[streamKey][]*release{}, []*release{}
	for _, r := range all {
		if r.branchName == "" {
			nameless = append(nameless, r)
		} else if b := byName[r.branchName]; b != nil {
			key := streamKey{b, r.Platform, r.RuntimeVersion}
			groups[key] = append(groups[key], r)
		}
	}
	streams := make(map[streamKey]*stream, len(groups))
	for key, group := range groups {
		st := &stream{}
		for _, r := range group {
			if r.on(key.branch) {
				st.releases = append(st.releases, r)
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
		st.denial = newDenial(key.branch, group)
		streams[key] = st
	}
	return streams
}

// render prepares every answer that a device can get from the stream: releases
// from the newest down to the first enabled one whose share holds everybody, which
// hides all that is older. So the work does not grow with the branch's history.
func (st *stream) render(m *renderer) (err error) {
	var passed []*release // enabled, newer than the answer, and not for the device
	for _, r := range st.releases {
		if !r.IsEnabled {
			continue
		}
		if r.body, err = m.rendered(r); err != nil {
			return fmt.Errorf("release %d: %w", r.ID, err)
		}
		st.answers = append(st.answers, r)
		if !r.updates() {
			r.filters = st.withAll()
		} else {
			r.filters = st.with(passed, r)
			passed = append(passed, r)
		}
		if r.share.everybody() {
			return nil
		}
	}
	st.filters = st.withAll()
	return nil
}

// newest is the newest release that the device may have, nil when there is none.
func (st *stream) newest(deviceID string, t *trace) *release {
	releases := st.answers
	if t != nil { // whoever asks why is told of the others, too
		releases = st.releases
	}
	for _, r := range releases {
		share := t.shareOf(r)
		switch {
		case !r.IsEnabled:
			if t != nil {
				t.add(StepRelease, "skipped", "release %d is disabled", r.ID)
			}
		case !share.holds(deviceID):
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
		t.add(StepRelease, "none", "no release of branch %s is for this device", st.branch.name)
	}
	return nil
}

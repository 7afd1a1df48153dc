package delivery

import (
	"cmp"
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
	denial
	// releases are live, newest first, disabled ones included.
	releases []*release
	// filters go with the answer that no release is for the device.
	filters []string
}

// groupStreams makes the streams of all releases. A stream exists where a branch
// has a release, or once had one, itself or under its name.
func groupStreams(all []*release, branches map[int64]*branch) map[streamKey]*stream {
	type target struct {
		platform       models.Platform
		runtimeVersion string
	}
	byName := make(map[string]*branch, len(branches))
	for _, b := range branches {
		byName[b.name] = b
	}
	newestFirst := slices.SortedFunc(slices.Values(all), func(a, b *release) int {
		return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), cmp.Compare(b.ID, a.ID))
	})
	groups := map[target][]*release{}
	for _, r := range newestFirst {
		t := target{r.Platform, r.RuntimeVersion}
		groups[t] = append(groups[t], r)
	}
	streams := map[streamKey]*stream{}
	for t, group := range groups {
		for _, r := range group {
			b := byName[r.branchName]
			if b == nil {
				continue
			}
			key := streamKey{b, t.platform, t.runtimeVersion}
			st := streams[key]
			if st == nil {
				st = &stream{denial: newDenial(b, group)}
				streams[key] = st
			}
			if r.on(b) {
				st.releases = append(st.releases, r)
			}
		}
	}
	return streams
}

// render prepares every answer that a device can get from the stream: releases
// from the newest down to the first enabled one whose share holds everybody, which
// hides all that is older. So the work does not grow with the branch's history.
func (st *stream) render(m manifests) error {
	var passed []*release // enabled, newer than the answer, and not for the device
	for _, r := range st.releases {
		if !r.IsEnabled {
			continue
		}
		if err := r.render(m); err != nil {
			return fmt.Errorf("release %d: %w", r.ID, err)
		}
		if !r.updates() {
			r.filters = st.withAll()
		} else {
			r.filters = st.with(passed)
			passed = append(passed, r)
		}
		if r.share.everybody() {
			return nil
		}
	}
	st.filters = st.with(passed)
	return nil
}

// newest is the newest release that the device may have, nil when there is none.
func (st *stream) newest(deviceID string, t *trace) *release {
	for _, r := range st.releases {
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

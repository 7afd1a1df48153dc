package delivery

import (
	"cmp"
	"maps"
	"slices"

	"github.com/waft-ota/waft/models"
)

// Streams returns the releases that the project serves for each target with a release, sorted by target. Every call returns the same
// order, so that queries about the same targets can share a result.
func (s *Snapshot) Streams() []models.ServedStream {
	of := map[*branch][]*channel{}
	for _, ch := range s.channels {
		of[ch.branch] = append(of[ch.branch], ch)
		if ch.rollout != nil && ch.rollout != ch.branch {
			of[ch.rollout] = append(of[ch.rollout], ch)
		}
	}
	at := map[models.Stream]int{}
	var streams []models.ServedStream
	for key, list := range s.lists {
		if len(list.releases) == 0 {
			continue
		}
		for _, ch := range of[key.branch] {
			name := models.Stream{Channel: ch.name, Platform: key.platform, RuntimeVersion: key.runtimeVersion}
			i, known := at[name]
			if !known {
				i, at[name] = len(streams), len(streams)
				streams = append(streams, models.ServedStream{Stream: name, IsPaused: ch.paused})
			}
			streams[i].Served = append(streams[i].Served, list.served()...)
			rolling := list.rollingOut(s.workflows)
			if key.branch == ch.branch {
				streams[i].Newest, streams[i].FirstID = list.newestForEverybody(), list.first()
				streams[i].RollingOut = append(rolling, streams[i].RollingOut...)
			} else {
				streams[i].RollingOut = append(streams[i].RollingOut, rolling...)
			}
		}
	}
	for i := range streams {
		// Newest first and the embedded update, which has the ID 0, last. Both branches of a channel may serve it.
		slices.SortFunc(streams[i].Served, func(a, b models.ServedUpdate) int { return cmp.Compare(b.ReleaseID, a.ReleaseID) })
		streams[i].Served = slices.Compact(streams[i].Served)
	}
	slices.SortFunc(streams, func(a, b models.ServedStream) int { return a.Compare(b.Stream) })
	return streams
}

// served returns the updates that devices get from the list. Devices that do not get a release, and devices that get
// the directive to roll back, run the embedded update.
func (l *releaseList) served() (updates []models.ServedUpdate) {
	isForAll := false
	for _, r := range l.answers {
		served := models.ServedUpdate{}
		if r.updates() {
			served = models.ServedUpdate{ReleaseID: r.ID, UpdateUUID: r.uuid}
		}
		updates = append(updates, served)
		isForAll = r.share.everyDevice()
	}
	if !isForAll {
		updates = append(updates, models.ServedUpdate{})
	}
	return updates
}

// UpdateID returns the ID of the release with the given update ID (lower case), its own or an alias. Deleted releases
// are included.
func (s *Snapshot) UpdateID(updateUUID string) (id int64, ok bool) {
	rel := s.releases[updateUUID]
	if rel == nil {
		return 0, false
	}
	return rel.ID, true
}

// Release returns the release with the given update ID (lower case), its own or an alias, or nil. Deleted releases are included.
// The caller must not change it.
func (s *Snapshot) Release(updateUUID string) *models.Release {
	if rel := s.releases[updateUUID]; rel != nil {
		return rel.Release
	}
	return nil
}

// Withdrawn reports whether no device of the target gets the release with the given update ID from the channel's
// branches. It returns false for an update that is not a release. own reports whether the release is on one of these
// branches.
func (s *Snapshot) Withdrawn(target models.Stream, updateUUID string) (withdrawn, own bool) {
	rel := s.releases[updateUUID]
	if rel == nil {
		return false, false
	}
	ch := s.channels[target.Channel]
	if ch == nil {
		return true, false
	}
	for _, b := range []*branch{ch.branch, ch.rollout} {
		if b == nil {
			continue
		}
		own = own || rel.branch == b
		list := s.lists[listKey{b, target.Platform, target.RuntimeVersion}]
		if list != nil && slices.Contains(list.answers, rel) {
			return false, true
		}
	}
	return true, own
}

// newestForEverybody returns the newest release for every device, or nil.
func (l *releaseList) newestForEverybody() *models.Release {
	if n := len(l.answers); n > 0 && l.answers[n-1].share.everyDevice() {
		return l.answers[n-1].Release
	}
	return nil
}

// first returns the ID of the newest release that some devices get, or 0. A copy of the release that every device gets, as a rollback
// publishes it, does not count as newer.
func (l *releaseList) first() int64 {
	newest := l.newestForEverybody()
	for _, r := range l.answers {
		if newest == nil || r.RepublishedFromID == nil || *r.RepublishedFromID != newest.ID {
			return r.ID
		}
	}
	return 0
}

// rollingOut returns the IDs of the releases that have an open rollout, newest first.
func (l *releaseList) rollingOut(workflows map[string]string) (ids []int64) {
	for _, r := range l.releases {
		if _, open := workflows[r.uuid]; open {
			ids = append(ids, r.ID)
		}
	}
	return ids
}

// NewestUpdates returns the update IDs of the newest releases, at most limit. Deleted releases are included.
func (s *Snapshot) NewestUpdates(limit int) []string {
	newest := slices.SortedFunc(maps.Values(s.releases), func(a, b *release) int { return b.CreatedAt.Compare(a.CreatedAt) })
	newest = slices.CompactFunc(newest, func(a, b *release) bool { return a == b }) // aliases repeat their release
	var ids []string
	for _, r := range newest[:min(limit, len(newest))] {
		ids = append(ids, r.uuid)
	}
	return ids
}

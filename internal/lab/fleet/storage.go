package fleet

import (
	"slices"
	"time"
)

// maxRecentFailed is how many failed updates a device sends the ids of.
const maxRecentFailed = 5

// stored is an update on a device. The embedded one has no manifest.
type stored struct {
	manifest   *Manifest
	embeddedID string
	commitTime time.Time
	good       int
	failed     int
}

func (s *stored) id() string {
	if s.manifest == nil {
		return s.embeddedID
	}
	return s.manifest.ID
}

func (s *stored) metadata() map[string]string {
	if s.manifest == nil {
		return nil
	}
	return s.manifest.Metadata
}

// launchable reports whether the client would start the update again.
func (s *stored) launchable() bool { return s.failed == 0 || s.good > 0 }

// storage is what a device's client keeps between starts. Its rules are those of the
// stock client.
type storage struct {
	embedded   *stored
	downloaded []*stored
	filters    Filters
}

func newStorage(i Identity) *storage {
	return &storage{embedded: &stored{embeddedID: i.EmbeddedID, commitTime: embeddedAt}}
}

// choose returns the update that a cold start runs: of those that may run, the one with
// the latest commit time, or nil.
func (s *storage) choose() *stored {
	return latest(append([]*stored{s.embedded}, s.downloaded...), s.mayRun)
}

// latest returns the update with the latest commit time of those that may be chosen.
func latest(updates []*stored, may func(*stored) bool) (best *stored) {
	for _, u := range updates {
		if may(u) && (best == nil || u.commitTime.After(best.commitTime)) {
			best = u
		}
	}
	return best
}

func (s *storage) mayRun(u *stored) bool {
	return u.launchable() && s.filters.Pass(u.metadata())
}

// wants reports whether the device takes m while running runs, with the filters of the
// answer that has m.
func (s *storage) wants(m *Manifest, running *stored) bool {
	return s.filters.Pass(m.Metadata) && (!s.filters.Pass(running.metadata()) || m.CommitTime.After(running.commitTime))
}

// add stores m, unless there is an update with its id.
func (s *storage) add(m *Manifest) {
	if s.find(m.ID) == nil {
		s.downloaded = append(s.downloaded, &stored{manifest: m, commitTime: m.CommitTime})
	}
}

func (s *storage) find(id string) *stored {
	for _, u := range s.downloaded {
		if u.id() == id {
			return u
		}
	}
	return nil
}

// rollBackToEmbedded applies the directive if the embedded update would then run, and
// reports whether it did.
func (s *storage) rollBackToEmbedded(commitTime time.Time, running *stored) bool {
	apply := !s.filters.Pass(running.metadata()) || commitTime.After(running.commitTime)
	if apply {
		s.embedded.commitTime = commitTime
	}
	return apply
}

// reap deletes updates after a good start of running: of those older than it only the
// newest stays, preferably the newest that passes the filters.
func (s *storage) reap(running *stored) {
	older := func(u *stored) bool { return u.commitTime.Before(running.commitTime) }
	keep := latest(s.downloaded, func(u *stored) bool { return older(u) && s.filters.Pass(u.metadata()) })
	if keep == nil {
		keep = latest(s.downloaded, older)
	}
	s.downloaded = slices.DeleteFunc(s.downloaded, func(u *stored) bool { return older(u) && u != keep })
}

// holds reports whether the asset with the key is part of a stored update.
func (s *storage) holds(key string) bool {
	for _, u := range s.downloaded {
		assets := append([]Asset{u.manifest.Launch}, u.manifest.Assets...)
		if slices.ContainsFunc(assets, func(a Asset) bool { return a.Key == key }) {
			return true
		}
	}
	return false
}

// recentFailed are the ids of updates that failed to start and never started, latest
// commit time first.
func (s *storage) recentFailed() []string {
	failed := slices.DeleteFunc(slices.Clone(s.downloaded), (*stored).launchable)
	slices.SortFunc(failed, func(a, b *stored) int { return b.commitTime.Compare(a.commitTime) })
	var ids []string
	for _, u := range failed[:min(len(failed), maxRecentFailed)] {
		ids = append(ids, u.id())
	}
	return ids
}

package fleet

import (
	"slices"
	"time"
)

// maxRecentFailed is the maximum number of failed updates whose IDs a device sends.
const maxRecentFailed = 5

// stored is an update on a device. The embedded update has no manifest.
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

// storage holds the data that a device's client keeps between starts. It follows the rules of the stock client.
type storage struct {
	embedded   *stored
	downloaded []*stored
	filters    Filters
}

func newStorage(i Identity) *storage {
	return &storage{embedded: &stored{embeddedID: i.EmbeddedID, commitTime: embeddedAt}}
}

// choose returns the update that a cold start runs: the runnable update with the latest commit time, or nil.
func (s *storage) choose() *stored {
	return latest(append([]*stored{s.embedded}, s.downloaded...), s.mayRun)
}

// latest returns the update with the latest commit time for which may returns true, or nil.
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

// wants reports whether the device downloads m while running runs. The filters come from the same response as m.
func (s *storage) wants(m *Manifest, running *stored) bool {
	return s.filters.Pass(m.Metadata) && (!s.filters.Pass(running.metadata()) || m.CommitTime.After(running.commitTime))
}

// add stores m, unless an update with its ID is already stored.
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

// rollBackToEmbedded applies the directive if the embedded update would then run, and reports whether it did.
func (s *storage) rollBackToEmbedded(commitTime time.Time, running *stored) bool {
	apply := !s.filters.Pass(running.metadata()) || commitTime.After(running.commitTime)
	if apply {
		s.embedded.commitTime = commitTime
	}
	return apply
}

// reap deletes older updates after a good start of running. It keeps only the newest of them that passes the filters,
// or the newest if none passes.
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

// recentFailed returns the IDs of updates that failed at every start, latest commit time first.
func (s *storage) recentFailed() []string {
	failed := slices.DeleteFunc(slices.Clone(s.downloaded), (*stored).launchable)
	slices.SortFunc(failed, func(a, b *stored) int { return b.commitTime.Compare(a.commitTime) })
	var ids []string
	for _, u := range failed[:min(len(failed), maxRecentFailed)] {
		ids = append(ids, u.id())
	}
	return ids
}

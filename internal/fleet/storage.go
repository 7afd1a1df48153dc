package fleet

import (
	"slices"
	"time"
)

// maxRecentFailed is how many failed updates a device tells the server of.
const maxRecentFailed = 5

// stored is an update on a device. The embedded one has no manifest.
type stored struct {
	manifest   *Manifest
	embeddedID string
	commitTime time.Time
	good       int
	failed     int
}

// id is the update's UUID, the embedded one's included.
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

// storage is what a device's client keeps between starts. Its rules are the stock
// client's: whatever a server wants of a device must come about through them.
type storage struct {
	runtimeVersion string
	embedded       *stored
	downloaded     []*stored
	filters        Filters
}

func newStorage(i Identity) *storage {
	return &storage{
		runtimeVersion: i.RuntimeVersion,
		embedded:       &stored{embeddedID: i.EmbeddedID, commitTime: embeddedAt},
	}
}

// choose is the update that a cold start runs: of those that may, the one with
// the latest commit time. Nil when none may.
func (s *storage) choose() *stored {
	var best *stored
	for _, u := range append([]*stored{s.embedded}, s.downloaded...) {
		if !s.mayRun(u) || best != nil && !u.commitTime.After(best.commitTime) {
			continue
		}
		best = u
	}
	return best
}

func (s *storage) mayRun(u *stored) bool {
	sameRuntime := u.manifest == nil || u.manifest.RuntimeVersion == s.runtimeVersion
	return u.launchable() && sameRuntime && s.filters.Pass(u.metadata())
}

// wants reports whether the device takes m while running runs, under the filters
// of the answer that m came with.
func (s *storage) wants(m *Manifest, running *stored) bool {
	switch {
	case !s.filters.Pass(m.Metadata):
		return false
	case running == nil, !s.filters.Pass(running.metadata()):
		return true
	default:
		return m.CommitTime.After(running.commitTime)
	}
}

// add keeps m, which is complete; an id that is there already stays as it was.
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

// rollBackToEmbedded applies the directive and reports whether the client did: it
// does when the embedded update would thereby come to run.
func (s *storage) rollBackToEmbedded(commitTime time.Time, running *stored) bool {
	apply := running == nil || !s.filters.Pass(running.metadata()) || commitTime.After(running.commitTime)
	if apply {
		s.embedded.commitTime = commitTime
	}
	return apply
}

// reap drops what a good start of running makes dispensable: of the updates older
// than it only the newest stays, by preference the newest that passes the filters.
func (s *storage) reap(running *stored) {
	older := func(u *stored) bool { return u.commitTime.Before(running.commitTime) }
	var newest, newestPassing *stored
	for _, u := range s.downloaded {
		if !older(u) {
			continue
		}
		if newest == nil || u.commitTime.After(newest.commitTime) {
			newest = u
		}
		if s.filters.Pass(u.metadata()) && (newestPassing == nil || u.commitTime.After(newestPassing.commitTime)) {
			newestPassing = u
		}
	}
	keep := newest
	if newestPassing != nil {
		keep = newestPassing
	}
	s.downloaded = slices.DeleteFunc(s.downloaded, func(u *stored) bool { return older(u) && u != keep })
}

// holds reports whether a stored update has the asset with the key, which then is
// on disk.
func (s *storage) holds(key string) bool {
	for _, u := range s.downloaded {
		if u.manifest.Launch.Key == key {
			return true
		}
		for _, a := range u.manifest.Assets {
			if a.Key == key {
				return true
			}
		}
	}
	return false
}

// recentFailed are the ids of updates that only ever failed to start, latest
// commit time first.
func (s *storage) recentFailed() []string {
	var failed []*stored
	for _, u := range s.downloaded {
		if !u.launchable() {
			failed = append(failed, u)
		}
	}
	slices.SortFunc(failed, func(a, b *stored) int { return b.commitTime.Compare(a.commitTime) })
	ids := make([]string, 0, maxRecentFailed)
	for _, u := range failed {
		if len(ids) < maxRecentFailed {
			ids = append(ids, u.id())
		}
	}
	return ids
}

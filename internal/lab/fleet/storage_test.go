package fleet

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// at returns the commit time n minutes after the beginning of the test's day.
func at(n int) time.Time {
	return time.Date(2026, time.March, 1, 0, n, 0, 0, time.UTC)
}

func update(id string, minute int, metadata map[string]string) *Manifest {
	return &Manifest{ID: id, CommitTime: at(minute), RuntimeVersion: "1.0.0", Metadata: metadata}
}

func onBranch(name string) map[string]string { return map[string]string{"branchName": name} }

func newTestStorage(updates ...*Manifest) *storage {
	s := newStorage(Identity{RuntimeVersion: "1.0.0", EmbeddedID: "embedded"})
	for _, m := range updates {
		s.add(m)
	}
	return s
}

func TestColdStartChoosesTheLatestThatMayRun(t *testing.T) {
	t.Parallel()
	one, two := update("one", 1, onBranch("main")), update("two", 2, onBranch("next"))
	for name, c := range map[string]struct {
		have  []*Manifest
		setup func(*storage)
		runs  string
	}{
		"nothing but the embedded update": {runs: "embedded"},
		"the latest commit time wins":     {have: []*Manifest{two, one}, runs: "two"},
		"a filter excludes the latest": {
			have: []*Manifest{one, two}, runs: "one",
			setup: func(s *storage) { s.filters = Filters{"branchname": "main"} },
		},
		"filters exclude all, and the embedded update has nothing to filter": {
			have: []*Manifest{one, two}, runs: "embedded",
			setup: func(s *storage) { s.filters = Filters{"branchname": "third"} },
		},
		"one failed start is enough": {
			have: []*Manifest{one, two}, runs: "one",
			setup: func(s *storage) { s.find("two").failed = 1 },
		},
		"a failed start after a good one is forgiven": {
			have: []*Manifest{one, two}, runs: "two",
			setup: func(s *storage) { s.find("two").failed, s.find("two").good = 1, 1 },
		},
		"a rollback gives the embedded update a later commit time": {
			have: []*Manifest{one, two}, runs: "embedded",
			setup: func(s *storage) { s.rollBackToEmbedded(at(3), s.find("two")) },
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newTestStorage(c.have...)
			if c.setup != nil {
				c.setup(s)
			}
			require.Equal(t, c.runs, s.choose().id())
		})
	}
}

func TestLoadingFollowsTheClientsOrderOfRules(t *testing.T) {
	t.Parallel()
	running := update("running", 5, onBranch("main"))
	for name, c := range map[string]struct {
		filters Filters
		offered *Manifest
		wants   bool
	}{
		"a later update is taken":    {Filters{}, update("new", 6, nil), true},
		"an older one is refused":    {Filters{}, update("old", 4, nil), false},
		"an equal time is not later": {Filters{}, update("same", 5, nil), false},
		"what fails its own filters": {Filters{"branchname": "main"}, update("new", 6, onBranch("x")), false},
		"older, but the running one is filtered out": {
			Filters{"branchname": "hotfix"}, update("old", 1, onBranch("hotfix")), true,
		},
		"older, and the running one passes": {
			Filters{"branchname": "main"}, update("old", 1, onBranch("main")), false,
		},
		"a deny entry for the running one lets an older one in": {
			Filters{"r7": "0"}, update("old", 1, onBranch("main")), true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			withKey := update(running.ID, 5, map[string]string{"branchName": "main", "r7": "1"})
			s := newTestStorage(withKey)
			s.filters = c.filters
			require.Equal(t, c.wants, s.wants(c.offered, s.find("running")))
		})
	}
}

func TestRollBackToEmbeddedAppliesOnlyWhenItWouldComeToRun(t *testing.T) {
	t.Parallel()
	s := newTestStorage(update("running", 5, onBranch("main")))
	running := s.find("running")
	require.False(t, s.rollBackToEmbedded(at(4), running), "older than what runs")
	require.Equal(t, embeddedAt, s.embedded.commitTime)

	s.filters = Filters{"branchname": "other"}
	require.True(t, s.rollBackToEmbedded(at(4), running), "what runs is filtered out")
	s.filters = nil
	require.True(t, s.rollBackToEmbedded(at(6), running))
	require.Equal(t, at(6), s.embedded.commitTime)
	require.False(t, s.wants(update("between", 6, nil), s.choose()), "the embedded update now shadows older releases")
}

func TestReapingKeepsOneOlderUpdate(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		filters Filters
		kept    []string
	}{
		"the newest of the older":                     {nil, []string{"three", "four", "five"}},
		"or the newest of them that passes":           {Filters{"branchname": "main"}, []string{"two", "four", "five"}},
		"or the newest at all when none of them pass": {Filters{"branchname": "x"}, []string{"three", "four", "five"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newTestStorage(
				update("one", 1, onBranch("main")), update("two", 2, onBranch("main")),
				update("three", 3, onBranch("next")), update("four", 4, onBranch("main")),
				update("five", 5, onBranch("main")))
			s.filters = c.filters
			s.reap(s.find("four"))
			var left []string
			for _, u := range s.downloaded {
				left = append(left, u.id())
			}
			require.Equal(t, c.kept, left)
		})
	}
}

func TestRecentFailedAreTheFiveNewestThatNeverRan(t *testing.T) {
	t.Parallel()
	s := newTestStorage()
	for i, id := range []string{"a", "b", "c", "d", "e", "f", "g"} {
		s.add(update(id, i, nil))
		s.find(id).failed = 1
	}
	s.find("f").good = 1
	require.Equal(t, []string{"g", "e", "d", "c", "b"}, s.recentFailed())
}

func TestAKnownUpdateIsNeverReadAgain(t *testing.T) {
	t.Parallel()
	s := newTestStorage(update("one", 1, nil))
	s.add(update("one", 9, nil))
	require.Len(t, s.downloaded, 1)
	require.Equal(t, at(1), s.choose().commitTime)
}

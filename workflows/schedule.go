package workflows

import (
	"time"

	"github.com/waft-ota/waft/models"
)

// When a rollout looks at its release. Between looks it sleeps, and signals wake
// it, so that the slow pace costs no time when something happens.
const (
	// minLookGap is the least time between a look and one that a signal asks for: a
	// burst of reports costs few looks. After quiet it begins as firstLookGap and doubles
	// with every such look: the first reports of a crash spike come in several batches,
	// and the first look has seen one of them.
	minLookGap   = 500 * time.Millisecond
	firstLookGap = 100 * time.Millisecond
	// A stage is looked at every 1/lookAgeRatio of its age, so that a young one is
	// watched closely and a day-old one costs next to nothing.
	lookAgeRatio = 8
	minLookEvery = time.Second
	maxLookEvery = 30 * time.Second
	// A calm rollout is looked at every 1/calmAgeRatio of its stage's age; when that is
	// young and has to run for long, every 1/lookTimeRatio of that time, or as often as the
	// row is written. A thousand rollouts may wait at once, and each look is work for
	// ClickHouse, Temporal and the worker, see docs/benchmarks.md.
	calmAgeRatio      = 4
	lookTimeRatio     = 240
	maxYoungLookEvery = showEvery
	maxCalmLookEvery  = time.Minute
	// blindLookEvery is the least time until the next look after one that failed.
	blindLookEvery = 5 * time.Second
	// showEvery is how old the row's health may grow when newer numbers are known,
	// and proveEvery when they are the same, so that a reader sees it is watched.
	showEvery  = 5 * time.Second
	proveEvery = time.Minute
)

// nextLook is when to look again after a look at now; deadline is when the stage
// will have run long enough, or zero.
func (s RolloutState) nextLook(now, deadline time.Time, blind bool) time.Time {
	ratio, youngest, oldest := s.lookPace()
	every := min(max(now.Sub(s.StageStartedAt)/ratio, youngest), oldest)
	if blind {
		every = max(every, blindLookEvery)
	}
	at := now.Add(every)
	if !deadline.IsZero() {
		at = earlier(at, deadline)
	}
	if s.unshown() {
		at = earlier(at, s.Shown.CheckedAt.Add(showEvery))
	}
	return s.promptedLook(at)
}

// lookPace is which part of its age the stage is looked at every, and how often when it
// has just begun and when it is old.
func (s RolloutState) lookPace() (ratio, youngest, oldest time.Duration) {
	if !s.Calm {
		return lookAgeRatio, minLookEvery, maxLookEvery
	}
	needs := s.Stages[s.StageIndex].MinDuration()
	return calmAgeRatio, min(max(needs/lookTimeRatio, minLookEvery), maxYoungLookEvery), maxCalmLookEvery
}

// promptedLook is at, or the earliest moment that a signal may move it to.
func (s RolloutState) promptedLook(at time.Time) time.Time {
	if !s.HealthChanged {
		return at
	}
	return earlier(at, s.LookedAt.Add(s.lookGap()))
}

// lookGap is the least time until a look that a signal asks for.
func (s RolloutState) lookGap() time.Duration {
	gap := firstLookGap
	if !s.Quick {
		return minLookGap
	}
	for range s.Prompted - 1 {
		if gap *= 2; gap >= minLookGap {
			return minLookGap
		}
	}
	return gap
}

// showDue reports whether the health in the row is to be replaced although nothing
// else changes.
func (s RolloutState) showDue(now time.Time) bool {
	switch {
	case s.Health == nil:
		return false
	case s.Shown == nil:
		return true
	case s.unshown():
		return now.Sub(s.Shown.CheckedAt) >= showEvery
	default:
		return s.Health.CheckedAt.Sub(s.Shown.CheckedAt) >= proveEvery
	}
}

// unshown reports whether other numbers are known than the row has.
func (s RolloutState) unshown() bool {
	return s.Health != nil && s.Shown != nil && numbers(s.Health) != numbers(s.Shown)
}

func numbers(h *models.HealthLook) models.ReleaseHealth { return h.ReleaseHealth }

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

package auth

import (
	"slices"
	"time"
)

const (
	// failureWindow is the time for which a failure delays later attempts.
	failureWindow = 15 * time.Minute
	// firstDelay is the delay after the first failure that is not free. Each further failure doubles the delay, up to
	// maxDelay.
	firstDelay = 5 * time.Second
	maxDelay   = time.Minute
	// maxDoublings is the number of doublings after which the delay is maxDelay.
	maxDoublings = 4
)

// failures holds the times of the latest failed attempts of one subject, oldest first. A nil *failures is empty.
type failures struct{ at []time.Time }

// wait returns the time that the next attempt must wait, if the given number of failures is free.
func (f *failures) wait(free int, now time.Time) time.Duration {
	above := f.above(free, now)
	if above <= 0 {
		return 0
	}
	delay := min(maxDelay, firstDelay<<min(above-1, maxDoublings))
	return max(0, f.at[len(f.at)-1].Add(delay).Sub(now))
}

// above returns the number of attempts that have failed during failureWindow, without the free ones. The number is
// limited by the failures that are kept.
func (f *failures) above(free int, now time.Time) int {
	if f == nil {
		return 0
	}
	counted := 0
	for _, at := range f.at {
		if now.Sub(at) < failureWindow {
			counted++
		}
	}
	return counted - free
}

// any reports whether an attempt has failed since the given time.
func (f *failures) any(since time.Time) bool {
	return f != nil && len(f.at) > 0 && f.at[len(f.at)-1].After(since)
}

// add adds a failure. It keeps only the failures that affect the delay, if the given number is free.
func (f *failures) add(free int, at time.Time) {
	f.at = append(f.at, at)
	if most := free + maxDoublings + 1; len(f.at) > most {
		f.at = slices.Clone(f.at[len(f.at)-most:])
	}
}

// remove removes one failure of the given time.
func (f *failures) remove(at time.Time) {
	if i := slices.IndexFunc(f.at, at.Equal); i >= 0 {
		f.at = slices.Delete(f.at, i, i+1)
	}
}

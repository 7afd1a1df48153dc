package e2e

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// eventually returns once the condition holds, and fails the test after waitLimit. The message, if any, is a format with its
// arguments.
func eventually(t testing.TB, condition func() bool, message ...any) {
	t.Helper()
	await(t, waitLimit, pollEvery, condition, message...)
}

// longestPoll is the longest time between two polls. A poll is often a request whose response is checked, and many
// tests poll at the same time. Below this maximum, await pauses for a sixteenth of the time that it has waited, so that
// polling does not make a wait much longer.
const longestPoll = 250 * time.Millisecond

// await calls the condition until it holds, and fails the test after limit. The time between two calls begins with
// every and grows to longestPoll.
//
// Unlike require.Eventually, await runs the condition on the test's own goroutine, so the condition may use require. It
// also does not run after the test has ended, which would end the tests of the whole package.
func await(t testing.TB, limit, every time.Duration, condition func() bool, message ...any) {
	t.Helper()
	over := time.NewTimer(limit)
	defer over.Stop()
	began := time.Now()
	next := time.NewTimer(every)
	defer next.Stop()
	for !condition() {
		next.Reset(max(every, min(longestPoll, time.Since(began)/16)))
		select {
		case <-over.C:
			require.FailNow(t, fmt.Sprintf("the condition did not hold within %s", limit), message...)
		case <-t.Context().Done():
			require.FailNow(t, "the test ended before the condition held", message...)
		case <-next.C:
		}
	}
}

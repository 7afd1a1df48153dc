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

// longestPoll is between polls of what takes long. A poll is often a request whose answer is checked, and many tests poll at
// once: polls each 10 ms took a large part of the processors.
const longestPoll = 50 * time.Millisecond

// await calls the condition until it holds, and fails the test after limit. It calls it every so often, and less often the
// longer it waits, up to longestPoll. Unlike that of require.Eventually the condition runs on the test's own goroutine: it may
// use require, and does not go on when the test has ended, which would end the tests of the whole package.
func await(t testing.TB, limit, every time.Duration, condition func() bool, message ...any) {
	t.Helper()
	over := time.NewTimer(limit)
	defer over.Stop()
	began := time.Now()
	for !condition() {
		select {
		case <-over.C:
			require.FailNow(t, fmt.Sprintf("the condition did not hold within %s", limit), message...)
		case <-t.Context().Done():
			require.FailNow(t, "the test ended before the condition held", message...)
		case <-time.After(max(every, min(longestPoll, time.Since(began)/16))):
		}
	}
}

package enginetest

import (
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// Scale returns WAFT_TEST_SCALE, or 1 if it is not set. A test multiplies amounts that could be any number by it, such
// as the number of events that it sends. `make soak-tests` sets it.
func Scale(t testing.TB) int {
	t.Helper()
	text := os.Getenv("WAFT_TEST_SCALE")
	if text == "" {
		return 1
	}
	scale, err := strconv.Atoi(text)
	require.NoError(t, err, "WAFT_TEST_SCALE is not a number")
	require.Positive(t, scale, "WAFT_TEST_SCALE")
	return scale
}

// Sized returns full, or short in a run with -short. `make test` runs the short form of each test that calls Sized, and another
// target of the Makefile runs the test in full.
func Sized[T any](full, short T) T {
	if testing.Short() {
		return short
	}
	return full
}

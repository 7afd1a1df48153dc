package enginetest

import (
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// Scale returns WAFT_TEST_SCALE, or else 1: how many times as much a test does whose amount could
// be any, such as the events that it sends. `make soak-tests` sets it.
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

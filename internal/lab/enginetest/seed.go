package enginetest

import (
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// seedVariable is the environment variable with the seed of an earlier run that is to be repeated.
const seedVariable = "WAFT_TEST_SEED"

// Seed returns the seed for a test that makes random choices: WAFT_TEST_SEED, or usual if that is not set. It logs how
// to repeat the run.
func Seed(t testing.TB, usual uint64) uint64 {
	t.Helper()
	seed := usual
	if text := os.Getenv(seedVariable); text != "" {
		var err error
		seed, err = strconv.ParseUint(text, 10, 64)
		require.NoError(t, err, "%s is not a seed", seedVariable)
	}
	t.Logf("seed %d: repeat with %s=%d", seed, seedVariable, seed)
	return seed
}

// FreshSeed works like Seed, but with a new default in each run.
func FreshSeed(t testing.TB) uint64 {
	t.Helper()
	return Seed(t, uint64(rand.Uint32()))
}

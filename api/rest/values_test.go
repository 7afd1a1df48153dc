package rest

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPercentRoundsToThreeDecimals(t *testing.T) {
	t.Parallel()
	require.Equal(t, 33.333, Percent(100.0/3))
	require.False(t, math.Signbit(Percent(-0.0001)), "-0 is no percentage")
}

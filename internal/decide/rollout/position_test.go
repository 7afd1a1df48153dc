package rollout

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAPositionNeverContradictsItsShare(t *testing.T) {
	t.Parallel()
	for want, at := range map[string][2]uint32{
		"81.5%": {81_488, 5_000}, "4.999%": {4_999, 5_000}, "5.001%": {5_001, 5_000}, "5%": {5_000, 5_000}, "0.1%": {120, 0}, "0%": {0, 5_000},
	} {
		require.Equal(t, want, Position(at[0], at[1]))
	}
	require.Equal(t, "12.345%", ShareEnd(12_345))
	require.Equal(t, "100%", ShareEnd(Buckets))
}

package count

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNumbersHaveTheRightNoun(t *testing.T) {
	t.Parallel()
	for want, got := range map[string]string{
		"0 devices": Of(0, "device"), "1 device": Of(1, "device"), "2 devices": Of(int64(2), "device"),
		"1 crash": Of(1, "crash"), "3 crashes": Of(3, "crash"), "2 branches": Of(2, "branch"), "2 addresses": Of(2, "address"),
		"2 days": Of(2, "day"), "2 policies": Of(2, "policy"), "1 failed request": Of(1, "failed request"),
		"are": Choose(0, "is", "are"), "is": Choose(1, "is", "are"),
	} {
		require.Equal(t, want, got)
	}
}

package benchratio

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// workload returns a function that advances the clock now by takes. In three of four batches it advances the clock by
// ten times as much, as if another process had used the CPU.
func workload(now *time.Time, takes time.Duration) func() {
	calls := 0
	return func() {
		calls++
		if calls/1000%4 != 0 {
			*now = now.Add(9 * takes)
		}
		*now = now.Add(takes)
	}
}

func TestRatioIsThatOfTheUndisturbedBatches(t *testing.T) {
	t.Parallel()
	for _, takes := range []time.Duration{time.Microsecond, 3 * time.Microsecond, 50 * time.Microsecond} {
		now := time.Unix(0, 0)
		clock := func() time.Time { return now }
		got := measure(clock, workload(&now, time.Microsecond), workload(&now, takes))
		require.InEpsilon(t, takes.Seconds()*1e6, got, 0.01)
	}
}

func TestBaselineIsRead(t *testing.T) {
	t.Parallel()
	var ratios map[string]float64
	require.NoError(t, json.Unmarshal(baseline, &ratios))
	for name, ratio := range ratios {
		require.Positive(t, ratio, name)
	}
}

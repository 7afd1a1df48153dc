package fleet

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestPercentilesAreAtMostASixteenthTooHigh(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		micros := rapid.SliceOfN(rapid.Int64Range(0, 60_000_000), 1, 200).Draw(t, "micros")
		var l latencies
		for _, m := range micros {
			l.add(time.Duration(m) * time.Microsecond)
		}
		slices.Sort(micros)
		got := l.snapshot()
		for q, have := range map[float64]time.Duration{0.50: got.P50, 0.99: got.P99} {
			exact := micros[int(q*float64(len(micros)))]
			if have.Microseconds() < exact || have.Microseconds() > exact+exact/16 {
				t.Fatalf("quantile %v is %v, exactly %dµs", q, have, exact)
			}
		}
		if got.Count != int64(len(micros)) || got.Max.Microseconds() != micros[len(micros)-1] {
			t.Fatalf("count or maximum is wrong: %+v", got)
		}
	})
}

func TestBucketsCoverEveryDurationInOrder(t *testing.T) {
	t.Parallel()
	require.Zero(t, (&latencies{}).snapshot())
	for i := 1; i < bucketCount; i++ {
		require.Greater(t, upperBound(i), upperBound(i-1))
		require.Equal(t, i, bucketOf(upperBound(i)))
		require.Equal(t, i, bucketOf(upperBound(i-1)+1))
	}
	require.Equal(t, bucketCount-1, bucketOf(1<<63), "longer than any run")
}

package fleet

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestPercentilesAreThoseOfTheLastRequests(t *testing.T) {
	t.Parallel()
	require.Zero(t, (&latencies{}).summary())
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Int64Range(0, 60_000_000), 1, 200).Draw(t, "values")
		var l latencies
		for range rapid.SampledFrom([]int{0, 100, len(l.last)}).Draw(t, "earlier") {
			l.add(0)
		}
		earlier := l.count
		for _, v := range values {
			l.add(time.Duration(v))
		}
		kept := append(make([]int64, min(earlier, int64(len(l.last)-len(values)))), values...)
		slices.Sort(kept)
		got := l.summary()
		want := Latency{
			Count: earlier + int64(len(values)),
			P50:   time.Duration(kept[len(kept)/2]), P99: time.Duration(kept[len(kept)*99/100]),
		}
		if got != want {
			t.Fatalf("got %+v, want %+v", got, want)
		}
	})
}

package ingest

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The cost of an insert in ClickHouse hardly depends on its rows. So there are fewer inserts if more reports arrive
// or inserts take longer, but no report waits long.
func TestWhenARangeIsDue(t *testing.T) {
	t.Parallel()
	o := testOptions(t, newMemorySink())
	o.FlushInterval = 200 * time.Millisecond
	i := openTestIngest(t, o)
	const ms = time.Millisecond
	for name, c := range map[string]struct {
		rows int
		// last is the time after the first row. ended and took describe the previous insert.
		last, ended, took time.Duration
		// failed is the time of the first error, or 0. calm is the time without an inserted error before the first
		// row.
		failed, calm, want time.Duration
	}{
		"few rows":                             {rows: 5, last: 200 * ms, want: 200*ms + 5*rowGather},
		"many rows":                            {rows: 10_000, last: 390 * ms, want: 400 * ms},
		"very many rows":                       {rows: 90_000, last: 990 * ms, want: time.Second},
		"nothing more comes, early":            {rows: 5000, last: 10 * ms, want: 200 * ms},
		"nothing more comes, late":             {rows: 90_000, last: 300 * ms, want: 400 * ms},
		"an insert that has just ended":        {rows: 5, last: 200 * ms, ended: 150 * ms, took: 50 * ms, want: 250 * ms},
		"an insert that took long":             {rows: 90_000, last: 1190 * ms, ended: 800 * ms, took: 200 * ms, want: 1200 * ms},
		"the end of a burst after an insert":   {rows: 5000, last: 200 * ms, ended: 290 * ms, took: 500 * ms, want: 300 * ms},
		"a trickle after an insert":            {rows: 4999, last: 100 * ms, ended: 100 * ms, took: 200 * ms, want: 500 * ms},
		"an insert that took very long":        {rows: 90_000, last: 1290 * ms, ended: 800 * ms, took: time.Minute, want: 1300 * ms},
		"an insert that ended long ago enough": {rows: 5, last: 200 * ms, ended: -200 * ms, took: 200 * ms, want: 200*ms + 5*rowGather},
		"an error":                             {rows: 5, last: 40 * ms, ended: -time.Hour, failed: 40 * ms, want: 40*ms + errorGather},
		"the first error, after an insert": {
			rows: 5, last: 10 * ms, ended: -20 * ms, took: 300 * ms, failed: 10 * ms, calm: time.Second, want: 10*ms + errorGather,
		},
		"an error after an insert":       {rows: 5, last: 10 * ms, ended: -20 * ms, took: 50 * ms, failed: 10 * ms, want: 130 * ms},
		"an error after a slow insert":   {rows: 5, last: 10 * ms, ended: -20 * ms, took: 300 * ms, failed: 10 * ms, want: 280 * ms},
		"an error at the end of a range": {rows: 5, last: 190 * ms, ended: -time.Hour, failed: 190 * ms, want: 200*ms + 5*rowGather},
	} {
		first := time.Now()
		i.insertEnded, i.insertTook, i.errorEnded = first.Add(c.ended), c.took, first.Add(-c.calm)
		g := gathered{rows: c.rows, first: first, last: first.Add(c.last)}
		if c.failed > 0 {
			g.failed = first.Add(c.failed)
		}
		require.Equal(t, c.want, i.due(g).Sub(first), name)
	}
	i.options.FlushInterval, i.insertEnded = time.Hour, time.Time{}
	first := time.Now()
	require.Equal(t, time.Hour, i.due(gathered{rows: 90_000, first: first, last: first}).Sub(first), "FlushInterval is the minimum")
}

func TestIntakeKnowsSinceWhenARangeGathers(t *testing.T) {
	t.Parallel()
	in := newIntake(1 << 20)
	before := time.Now()
	in.settle(&commitGroup{rows: 3}, nil)
	first := in.gathered()
	require.Equal(t, 3, first.rows)
	require.False(t, first.first.Before(before))
	require.Equal(t, first.first, first.last)

	in.settle(&commitGroup{rows: 2}, errAway)
	require.Equal(t, first, in.gathered(), "a rejected report does not wait")
	in.settle(&commitGroup{rows: 2}, nil)
	next := in.gathered()
	require.Equal(t, 5, next.rows)
	require.Equal(t, first.first, next.first)
	require.False(t, next.last.Before(first.last))

	in.begin(time.Time{})
	in.settle(&commitGroup{rows: 1}, nil)
	require.Equal(t, 1, in.gathered().rows)
	require.False(t, in.gathered().first.Before(next.last), "the next range starts empty")
}

func TestRunKnowsHowLongItsInsertTook(t *testing.T) {
	t.Parallel()
	sink := newMemorySink()
	i := openTestIngest(t, testOptions(t, sink))
	ids := appendReports(t, i, 1)
	before := time.Now()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.NoError(t, i.Run(ctx), "Run makes a single, last attempt")
	requireOnce(t, sink, ids)
	require.Positive(t, i.insertTook)
	require.False(t, i.insertEnded.Before(before))
}

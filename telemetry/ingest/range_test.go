package ingest

import (
	"fmt"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

func TestARangeIsWhatWasAppended(t *testing.T) {
	t.Parallel()
	i := openTestIngest(t, testOptions(t, newMemorySink()))
	bucket := uint32(7)
	var want []models.HealthReport
	for n := range 5 {
		r := testReport(fmt.Sprintf("device-%d", n), models.EventCrash, models.EventCustom)
		r.ReceivedAt = time.Now() // with its monotonic clock, nanoseconds and zone
		r.ShareBucket, r.Keyed = &bucket, n%2 == 0
		r.Events[0].Tags = models.TextsOf(map[string]string{"a": "b", "c": ""})
		require.NoError(t, i.Append(t.Context(), r))
		r.ReceivedAt = r.ReceivedAt.UTC().Truncate(time.Millisecond)
		want = append(want, r)
	}
	for _, from := range []string{"memory", "the log"} {
		got, err := i.nextRange()
		require.NoError(t, err)
		require.Equal(t, want, got.reports, "from %s", from)
		require.Empty(t, i.recent.kept, "the next time, the report is read from the log")
		require.Zero(t, i.recent.bytes)
	}
}

func TestRecentReportsAreBounded(t *testing.T) {
	t.Parallel()
	var r recentReports
	report := &models.HealthReport{}
	r.add(11, []recentReport{{report, recentBytes - 10}, {nil, 5}, {report, 11}, {report, 10}})
	for entry, kept := range map[uint64]bool{10: false, 11: true, 12: false, 13: false, 14: true} {
		_, ok := r.take(entry)
		require.Equal(t, kept, ok, entry)
	}
	require.Zero(t, r.bytes)
}

func TestARangeCountsADamagedEntry(t *testing.T) {
	t.Parallel()
	i := openTestIngest(t, testOptions(t, newMemorySink()))
	ids := appendReports(t, i, 3)
	entry := entryOf(t, testReport("d", models.EventCrash))
	entry[len(entry)-1] ^= 1
	require.NoError(t, i.segments.append([][]byte{entry}))
	ids = append(ids, appendReports(t, i, 2)...)

	got, err := i.nextRange()
	require.NoError(t, err)
	require.Equal(t, 6, got.entries)
	require.Len(t, got.reports, len(ids))
	require.InDelta(t, 1, testutil.ToFloat64(i.metrics.damaged), 0)
}

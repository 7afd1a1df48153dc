package ingest

import (
	"fmt"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

func TestRecentEntries(t *testing.T) {
	t.Parallel()
	entries := func(n, bytes int) (made []recentEntry) {
		for range n {
			made = append(made, recentEntry{&models.HealthReport{}, bytes})
		}
		return made
	}
	var r recentEntries
	require.Empty(t, r.from(1))
	r.add(11, entries(3, 10))
	r.add(14, entries(2, 10))
	require.Empty(t, r.from(10))
	require.Len(t, r.from(11), 5)
	require.Len(t, r.from(15), 1)
	require.Empty(t, r.from(16))

	r.drop(11)
	require.Len(t, r.from(11), 5)
	held := r.from(12)
	r.drop(13)
	require.Empty(t, r.from(12))
	require.Len(t, r.from(13), 3)
	require.Nil(t, held[0].report, "what was dropped is given back")
	require.NotNil(t, held[1].report)
	require.Equal(t, 30, r.bytes)
	r.drop(100)
	require.Empty(t, r.from(16))
	require.Zero(t, r.bytes)

	r.add(20, entries(1, 10))
	require.Len(t, r.from(20), 1)
	r.add(30, entries(1, recentBytes))
	require.Empty(t, r.from(20), "there is a gap behind it")
	require.Len(t, r.from(30), 1)
	r.add(31, entries(1, 1))
	require.Len(t, r.from(30), 2)
	r.add(32, entries(1, 1))
	require.Empty(t, r.from(30), "it is too much")
	require.Len(t, r.from(32), 1)
}

// What is inserted is the same whether the log is read or not.
func TestARangeFromMemoryIsWhatTheLogHolds(t *testing.T) {
	t.Parallel()
	i := openTestIngest(t, testOptions(t, newMemorySink()))
	bucket := uint32(7)
	for n := range 5 {
		r := testReport(fmt.Sprintf("device-%d", n), models.EventCrash, models.EventCustom)
		r.ReceivedAt = time.Now() // with its monotonic clock, nanoseconds and zone
		r.ShareBucket, r.Keyed = &bucket, n%2 == 0
		r.Events[0].Tags = models.TextsOf(map[string]string{"a": "b", "c": ""})
		i.Served(testExposure(r.DeviceID))
		require.NoError(t, i.Append(t.Context(), r))
	}
	require.NotEmpty(t, i.recent.from(1))
	fromMemory, err := i.nextRange()
	require.NoError(t, err)
	i.recent.drop(1000)
	fromLog, err := i.nextRange()
	require.NoError(t, err)
	require.Len(t, fromLog.reports, 5)
	require.Equal(t, fromLog, fromMemory)
}

// A log that was damaged is noticed by whoever reads it.
func TestARangeThatIsNotInMemoryIsReadFromTheLog(t *testing.T) {
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

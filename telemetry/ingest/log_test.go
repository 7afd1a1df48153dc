package ingest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

func TestIngestMovesWhatWasAppended(t *testing.T) {
	t.Parallel()
	sink := newMemorySink()
	o := testOptions(t, sink)
	told := make(chan []models.HealthReport, 1)
	o.Inserted = []func([]models.HealthReport){func(reports []models.HealthReport) { told <- reports }}
	i := openTestIngest(t, o)
	startRun(t, i)

	sent := testReport("d", models.EventCrash)
	require.NoError(t, i.Append(t.Context(), sent))
	require.Equal(t, []models.HealthReport{sent}, <-told)
	requireOnce(t, sink, []string{sent.ID})
}

func TestIngestGivesAReportItsIDAndTime(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	o := testOptions(t, newMemorySink())
	told := make(chan []models.HealthReport, 1)
	o.Inserted = []func([]models.HealthReport){func(reports []models.HealthReport) { told <- reports }}
	o.Now = func() time.Time { return now }
	i := openTestIngest(t, o)
	startRun(t, i)

	require.NoError(t, i.Append(t.Context(), models.HealthReport{DeviceID: "d"}))
	inserted := <-told
	require.Len(t, inserted, 1)
	require.Len(t, inserted[0].ID, 36)
	require.Equal(t, now, inserted[0].ReceivedAt)
}

func TestIngestKeepsReportsForTheNextStart(t *testing.T) {
	t.Parallel()
	sink := newMemorySink()
	o := testOptions(t, sink)
	i := openTestIngest(t, o)
	ids := appendReports(t, i, 20)
	require.NoError(t, i.Close())
	require.Empty(t, sink.seen(t))

	drain(t, o.Dir, sink)
	requireOnce(t, sink, ids)
	drain(t, o.Dir, sink)
	requireOnce(t, sink, ids)
}

func TestIngestCommitsGroups(t *testing.T) {
	t.Parallel()
	const reports = 100
	sink := newMemorySink()
	o := testOptions(t, sink)
	i := openTestIngest(t, o)

	// While the writer is blocked, for example by a slow disk, the other senders gather. The writer may have begun
	// with some of them, and finds all the rest in the next group.
	entry := entryOf(t, testReport("device-100", models.EventAppLaunch))
	i.segments.files.Lock()
	resume := sync.OnceFunc(i.segments.files.Unlock)
	defer resume()
	var appending sync.WaitGroup
	for n := range reports {
		appending.Go(func() {
			r := testReport(fmt.Sprintf("device-%d", 100+n), models.EventAppLaunch)
			require.NoError(t, i.Append(t.Context(), r))
		})
	}
	require.Eventually(t, func() bool {
		_, bytes, _ := i.intake.waiting()
		return bytes == int64(reports*len(entry))
	}, testTimeout, time.Millisecond)
	resume()
	appending.Wait()

	require.InDelta(t, reports, testutil.ToFloat64(i.metrics.accepted), 0)
	require.LessOrEqual(t, testutil.ToFloat64(i.metrics.commits), 2.0)
	waiting, _, _ := i.intake.waiting()
	require.Equal(t, reports, waiting)
}

func TestIngestRefusesWhenFull(t *testing.T) {
	t.Parallel()
	sink := newMemorySink()
	o := testOptions(t, sink)
	o.MaxBytes = 2000
	i := openTestIngest(t, o)

	var ids []string
	var err error
	for err == nil {
		r := testReport("d", models.EventAppLaunch)
		if err = i.Append(t.Context(), r); err == nil {
			ids = append(ids, r.ID)
		}
	}
	var refused *models.Error
	require.ErrorAs(t, err, &refused)
	require.Equal(t, models.CodeUnavailable, refused.Code)
	require.Positive(t, refused.RetryAfter)
	require.NotEmpty(t, ids)
	require.InDelta(t, 1, testutil.ToFloat64(i.metrics.refused.WithLabelValues("full")), 0)

	// A full log stays full, even after a restart, until ClickHouse has accepted the reports.
	require.NoError(t, i.Close())
	i = openTestIngest(t, o)
	require.Error(t, i.Append(t.Context(), testReport("d", models.EventAppLaunch)))
	startRun(t, i)
	sink.await(t, func() bool { return len(sink.seen(t)) == len(ids) })
	require.Eventually(t, func() bool {
		return i.Append(t.Context(), testReport("d", models.EventAppLaunch)) == nil
	}, testTimeout, time.Millisecond)
}

func TestIngestRefusesAfterClose(t *testing.T) {
	t.Parallel()
	i := openTestIngest(t, testOptions(t, newMemorySink()))
	require.NoError(t, i.Close())
	err := i.Append(t.Context(), testReport("d"))
	require.Equal(t, models.CodeUnavailable, models.CodeOf(err))
	require.Error(t, i.Run(t.Context()))
}

func TestIngestRefusesWhatItCannotWrite(t *testing.T) {
	t.Parallel()
	sink := newMemorySink()
	o := testOptions(t, sink)
	i := openTestIngest(t, o)
	ids := appendReports(t, i, 3)

	require.NoError(t, i.segments.wal.Close())
	err := i.Append(t.Context(), testReport("refused"))
	require.Equal(t, models.CodeUnavailable, models.CodeOf(err))
	require.InDelta(t, 1, testutil.ToFloat64(i.metrics.refused.WithLabelValues("broken")), 0)

	ids = append(ids, appendReports(t, i, 3)...)
	require.NoError(t, i.Close())
	drain(t, o.Dir, sink)
	requireOnce(t, sink, ids)
}

func TestIngestFolderBelongsToOneProcess(t *testing.T) {
	t.Parallel()
	o := testOptions(t, newMemorySink())
	first := openTestIngest(t, o)
	_, err := Open(o)
	require.ErrorContains(t, err, o.Dir+" is in use by another process")

	require.NoError(t, first.Close())
	openTestIngest(t, o)
}

func TestIngestNeedsItsOptions(t *testing.T) {
	t.Parallel()
	_, err := Open(Options{})
	require.ErrorContains(t, err, "Dir, Sink and MaxBytes are required")
}

func TestIngestStopsWaitingWithItsCaller(t *testing.T) {
	t.Parallel()
	i := openTestIngest(t, testOptions(t, newMemorySink()))
	i.segments.files.Lock()
	defer i.segments.files.Unlock()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := i.Append(ctx, testReport("d"))
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, models.CodeUnavailable, models.CodeOf(err))
}

// If many senders wait, more of them share a sync. A single sender does not wait for others.
func TestBusyGroupsGather(t *testing.T) {
	t.Parallel()
	for entries, pause := range map[int]time.Duration{0: 0, 1: 0, busyGroup - 1: 0, busyGroup: busyPause, 1000: busyPause} {
		require.Equal(t, pause, commitPause(entries), "after %d entries", entries)
	}
}

func TestIngestDropsWhatIsInserted(t *testing.T) {
	t.Parallel()
	sink := newMemorySink()
	o := testOptions(t, sink)
	o.segmentBytes = 2000
	i := openTestIngest(t, o)
	ids := appendReports(t, i, 200)
	require.NoError(t, i.Close())
	require.Greater(t, folderBytes(t, o.Dir), int64(20_000))

	drain(t, o.Dir, sink)
	requireOnce(t, sink, ids)
	i = openTestIngest(t, o)
	require.Less(t, folderBytes(t, o.Dir), int64(1000))
	require.Equal(t, uint64(200), i.segments.last())
}

func TestIngestGoesOnWithoutItsFiles(t *testing.T) {
	t.Parallel()
	sink := newMemorySink()
	o := testOptions(t, sink)
	i := openTestIngest(t, o)
	ids := appendReports(t, i, 5)
	require.NoError(t, i.Close())
	drain(t, o.Dir, sink)

	// Entry numbers begin at 1 again. With the old identity, the new tokens would equal tokens of inserted reports.
	require.NoError(t, os.RemoveAll(filepath.Join(o.Dir, "log")))
	i = openTestIngest(t, o)
	ids = append(ids, appendReports(t, i, 5)...)
	require.NoError(t, i.Close())
	drain(t, o.Dir, sink)
	requireOnce(t, sink, ids)
}

func TestIngestSkipsADamagedEntry(t *testing.T) {
	t.Parallel()
	sink := newMemorySink()
	o := testOptions(t, sink)
	i := openTestIngest(t, o)
	ids := appendReports(t, i, 1)
	damaged := frame("not JSON")
	require.NoError(t, i.segments.append([][]byte{damaged}))
	ids = append(ids, appendReports(t, i, 1)...)
	startRun(t, i)
	sink.await(t, func() bool { return len(sink.seen(t)) == len(ids) })
	requireOnce(t, sink, ids)
	require.InDelta(t, 1, testutil.ToFloat64(i.metrics.damaged), 0)
}

func TestIngestLeavesANewerLogAlone(t *testing.T) {
	t.Parallel()
	sink := newMemorySink()
	o := testOptions(t, sink)
	i := openTestIngest(t, o)
	require.NoError(t, i.segments.append([][]byte{newerEntry(t)}))
	require.ErrorIs(t, i.Run(t.Context()), errEntryNewer)
	require.Empty(t, sink.allTokens())
}

func TestIngestCountsWhatItDoes(t *testing.T) {
	t.Parallel()
	registry := prometheus.NewRegistry()
	sink := newMemorySink()
	sink.onInsert = func(string, []models.HealthReport) error { return errors.New("ClickHouse is away") }
	o := testOptions(t, sink)
	o.Registerer = registry
	now := time.Now().Add(time.Hour)
	o.Now = func() time.Time { return now }
	i := openTestIngest(t, o)
	appendReports(t, i, 3)
	startRun(t, i)
	sink.await(t, func() bool { return len(sink.allTokens()) > 0 })

	values := map[string]float64{}
	families, err := registry.Gather()
	require.NoError(t, err)
	for _, f := range families {
		for _, m := range f.GetMetric() {
			values[f.GetName()] += m.GetGauge().GetValue() + m.GetCounter().GetValue()
		}
	}
	require.InDelta(t, 3, values["waft_ingest_log_entries"], 0)
	require.InDelta(t, 3, values["waft_ingest_accepted_total"], 0)
	require.InDelta(t, 0, values["waft_ingest_inserted_total"], 0)
	require.Greater(t, values["waft_ingest_log_bytes"], 300.0)
	require.InDelta(t, 3600, values["waft_ingest_oldest_report_seconds"], 600)

	sink.mu.Lock()
	sink.onInsert = nil
	sink.mu.Unlock()
	require.NoError(t, i.Close())
	require.InDelta(t, 3, testutil.ToFloat64(i.metrics.inserted), 0)
	families, err = registry.Gather()
	require.NoError(t, err)
	require.Empty(t, families, "Close takes the metrics back")
}

func folderBytes(t testing.TB, dir string) int64 {
	t.Helper()
	var total int64
	require.NoError(t, filepath.Walk(dir, func(_ string, info os.FileInfo, err error) error {
		if err == nil && !info.IsDir() {
			total += info.Size()
		}
		return err
	}))
	return total
}

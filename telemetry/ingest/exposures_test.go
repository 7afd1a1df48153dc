package ingest

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

func servedOnce(exposures ...models.Exposure) map[string]int {
	want := map[string]int{}
	for _, s := range exposures {
		want[exposureName(s)] = 1
	}
	return want
}

func TestExposuresReachTheSinkOnceWithoutAReport(t *testing.T) {
	t.Parallel()
	sink := newMemorySink()
	o := testOptions(t, sink)
	o.ExposureInterval = time.Second // long compared with the time to add them
	told := make(chan []models.Exposure, 10)
	o.Served = []func([]models.Exposure){func(exposures []models.Exposure) { told <- exposures }}
	i := openTestIngest(t, o)
	startRun(t, i)
	a, b, download := testExposure("a"), testExposure("b"), testExposure("a")
	download.Kind = models.ExposureAsset
	var noting sync.WaitGroup
	for range 20 {
		noting.Go(func() {
			for _, s := range []models.Exposure{a, b, download} {
				i.Served(s)
			}
		})
	}
	noting.Wait()
	sink.await(t, func() bool { return len(sink.served(t)) == 3 })
	require.NoError(t, i.Close())
	seen := sink.served(t)
	for _, s := range []models.Exposure{a, b, download} {
		// On a machine that stalls, twenty exposures may fall into two windows, but not into more.
		require.LessOrEqual(t, seen[exposureName(s)], 2)
	}
	require.NotEmpty(t, <-told)
	require.Equal(t, testutil.ToFloat64(i.metrics.exposures), testutil.ToFloat64(i.metrics.exposuresInserted))
	require.Zero(t, testutil.ToFloat64(i.metrics.exposuresDropped))
}

func TestADeviceThatReturnsToAReleaseHasAnotherExposure(t *testing.T) {
	t.Parallel()
	b := newExposureBuffer(1<<16, time.Now)
	first := testExposure("a")
	returned := first
	returned.OfferChange, returned.ServedAt = first.OfferChange+1, first.ServedAt.Add(time.Minute)
	for _, e := range []models.Exposure{first, returned, first, returned} {
		b.add(e)
	}
	require.ElementsMatch(t, []models.Exposure{first, returned}, b.take())
}

// A reader that sees a report must also find the exposure before it.
func TestExposuresAreInsertedBeforeTheReportsThatFollow(t *testing.T) {
	t.Parallel()
	sink := newMemorySink()
	o := testOptions(t, sink)
	o.ExposureInterval = time.Hour
	i := openTestIngest(t, o)
	var missing []string
	sink.onInsert = func(_ string, reports []models.HealthReport) error {
		for _, r := range reports {
			if s := testExposure(r.DeviceID); sink.exposures[exposureName(s)] != 1 {
				missing = append(missing, r.DeviceID)
			}
		}
		return nil
	}
	startRun(t, i)
	for n := range 50 {
		device := fmt.Sprint("device-", n)
		i.Served(testExposure(device))
		require.NoError(t, i.Append(t.Context(), testReport(device, models.EventCrash)))
	}
	require.NoError(t, i.Close())
	require.Len(t, sink.seen(t), 50)
	require.Empty(t, missing)
}

func TestExposuresSurviveInTheLog(t *testing.T) {
	t.Parallel()
	sink := newMemorySink()
	o := testOptions(t, sink)
	i := openTestIngest(t, o)
	var exposures []models.Exposure
	for n := range 3*exposuresPerEntry + 1 {
		exposures = append(exposures, testExposure(fmt.Sprint("device-", n)))
		i.Served(exposures[n])
	}
	require.NoError(t, i.Close())
	require.Empty(t, sink.served(t))
	drain(t, o.Dir, sink)
	drain(t, o.Dir, sink)
	require.Equal(t, servedOnce(exposures...), sink.served(t))

	i.Served(testExposure("late"))
	require.InDelta(t, 1, testutil.ToFloat64(i.metrics.exposuresDropped), 0, "exposures are dropped after Close")
}

func TestExposuresGoOverAFullLogAndThenWait(t *testing.T) {
	t.Parallel()
	sink := newMemorySink()
	o := testOptions(t, sink)
	o.MaxBytes, o.ExposureInterval = 8000, time.Millisecond
	i := openTestIngest(t, o)
	for i.Append(t.Context(), testReport("d", models.EventAppLaunch)) == nil {
	}
	var exposures []models.Exposure
	logged := func() float64 { return testutil.ToFloat64(i.metrics.exposures) }
	for n := 0; i.intake.takesExposures(); n++ {
		exposures = append(exposures, testExposure(fmt.Sprint("device-", n)))
		i.Served(exposures[n])
		require.Eventually(t, func() bool { return logged() == float64(n+1) }, testTimeout, time.Millisecond)
	}
	require.NotEmpty(t, exposures, "some exposures fit in the reserve")
	waiting := testExposure("waiting")
	i.Served(waiting)
	require.Never(t, func() bool { return logged() > float64(len(exposures)) }, 20*time.Millisecond, 5*time.Millisecond)
	startRun(t, i)
	want := servedOnce(append(exposures, waiting)...)
	sink.await(t, func() bool { return len(sink.served(t)) == len(want) })
	require.Equal(t, want, sink.served(t))
	require.Zero(t, testutil.ToFloat64(i.metrics.exposuresDropped))
}

func TestExposuresThatCouldNotBeWrittenAreTriedAgain(t *testing.T) {
	t.Parallel()
	sink := newMemorySink()
	o := testOptions(t, sink)
	o.ExposureInterval = time.Millisecond
	i := openTestIngest(t, o)
	require.NoError(t, i.segments.wal.Close())
	i.Served(testExposure("a"))
	require.Eventually(t, func() bool { return testutil.ToFloat64(i.metrics.exposures) == 1 }, testTimeout, time.Millisecond)
	require.NoError(t, i.Close())
	drain(t, o.Dir, sink)
	require.Equal(t, servedOnce(testExposure("a")), sink.served(t))
}

func TestExposuresAreBounded(t *testing.T) {
	t.Parallel()
	o := testOptions(t, newMemorySink())
	o.MaxExposures, o.ExposureInterval = 160, time.Hour
	i := openTestIngest(t, o)
	for n := range 1600 {
		i.Served(testExposure(fmt.Sprint("device-", n)))
	}
	require.InDelta(t, 1440, testutil.ToFloat64(i.metrics.exposuresDropped), 0)
}

func TestExposuresArriveFromManyAtOnce(t *testing.T) {
	t.Parallel()
	sink := newMemorySink()
	o := testOptions(t, sink)
	o.ExposureInterval = time.Millisecond
	i := openTestIngest(t, o)
	startRun(t, i)
	const senders, each = 8, 2000
	var sending sync.WaitGroup
	for sender := range senders {
		sending.Go(func() {
			for n := range each {
				i.Served(testExposure(fmt.Sprint(sender, "-", n)))
				if n%100 == 0 {
					require.NoError(t, i.Append(t.Context(), testReport("d")))
				}
			}
		})
	}
	sending.Wait()
	require.NoError(t, i.Close())
	seen := sink.served(t)
	require.Len(t, seen, senders*each)
	for name, n := range seen {
		require.Equal(t, 1, n, name)
	}
}

func TestAddingAnExposureAllocatesNothing(t *testing.T) {
	b := newExposureBuffer(1<<16, time.Now)
	var devices []models.Exposure
	for n := range 2000 {
		devices = append(devices, testExposure(fmt.Sprint("device-", n)))
	}
	note := func() {
		for _, s := range devices {
			b.add(s)
		}
		clear(b.waiting)
	}
	note() // the maps grow once
	require.Less(t, testing.AllocsPerRun(10, note), 20.0, "for 2,000 exposures")
}

func BenchmarkServed(b *testing.B) {
	i := openTestIngest(b, testOptions(b, newMemorySink()))
	startRun(b, i)
	devices := make([]models.Exposure, 10_000)
	for n := range devices {
		devices[n] = testExposure(fmt.Sprint("device-", n))
	}
	b.ReportAllocs()
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		for n := 0; pb.Next(); n++ {
			i.Served(devices[n%len(devices)])
		}
	})
}

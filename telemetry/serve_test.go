package telemetry

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

func servedOnce(serves ...models.Serve) map[string]int {
	want := map[string]int{}
	for _, s := range serves {
		want[serveName(s)] = 1
	}
	return want
}

func TestServesReachTheSinkOnceWithoutAReport(t *testing.T) {
	t.Parallel()
	sink := newMemorySink()
	o := testOptions(t, sink)
	o.ServeInterval = 20 * time.Millisecond
	told := make(chan []models.Serve, 10)
	o.OnServesInserted = func(serves []models.Serve) { told <- serves }
	i := openTestIngest(t, o)
	startRun(t, i)
	a, b, download := testServe("a"), testServe("b"), testServe("a")
	download.Kind = models.ServeAsset
	var noting sync.WaitGroup
	for range 20 {
		noting.Go(func() {
			for _, s := range []models.Serve{a, b, download} {
				i.Served(s)
			}
		})
	}
	noting.Wait()
	sink.await(t, func() bool { return len(sink.served(t)) == 3 })
	require.NoError(t, i.Close())
	seen := sink.served(t)
	for _, s := range []models.Serve{a, b, download} {
		// Twenty at once may fall into two windows on a machine that stalls, not in more.
		require.LessOrEqual(t, seen[serveName(s)], 2)
	}
	require.NotEmpty(t, <-told)
	require.Equal(t, testutil.ToFloat64(i.metrics.serves), testutil.ToFloat64(i.metrics.servesInserted))
	require.Zero(t, testutil.ToFloat64(i.metrics.servesDropped))
}

// Whoever sees a report must find the serve that came before it.
func TestServesAreInsertedBeforeTheReportsThatFollow(t *testing.T) {
	t.Parallel()
	sink := newMemorySink()
	o := testOptions(t, sink)
	o.ServeInterval = time.Hour
	i := openTestIngest(t, o)
	var missing []string
	sink.onInsert = func(_ string, reports []models.HealthReport) error {
		for _, r := range reports {
			if s := testServe(r.DeviceID); sink.serves[serveName(s)] != 1 {
				missing = append(missing, r.DeviceID)
			}
		}
		return nil
	}
	startRun(t, i)
	for n := range 50 {
		device := fmt.Sprint("device-", n)
		i.Served(testServe(device))
		require.NoError(t, i.Append(t.Context(), testReport(device, models.EventCrash)))
	}
	require.NoError(t, i.Close())
	require.Len(t, sink.seen(t), 50)
	require.Empty(t, missing)
}

func TestServesSurviveInTheLog(t *testing.T) {
	t.Parallel()
	sink := newMemorySink()
	o := testOptions(t, sink)
	i := openTestIngest(t, o)
	var serves []models.Serve
	for n := range 3*servesPerEntry + 1 {
		serves = append(serves, testServe(fmt.Sprint("device-", n)))
		i.Served(serves[n])
	}
	require.NoError(t, i.Close())
	require.Empty(t, sink.served(t))
	drain(t, o.Dir, sink)
	drain(t, o.Dir, sink)
	require.Equal(t, servedOnce(serves...), sink.served(t))

	i.Served(testServe("late"))
	require.InDelta(t, 1, testutil.ToFloat64(i.metrics.servesDropped), 0, "after Close nothing takes it")
}

func TestServesGoOverAFullLogAndThenWait(t *testing.T) {
	t.Parallel()
	sink := newMemorySink()
	o := testOptions(t, sink)
	o.MaxBytes, o.ServeInterval = 8000, time.Millisecond
	i := openTestIngest(t, o)
	for i.Append(t.Context(), testReport("d", models.EventAppLaunch)) == nil {
	}
	var serves []models.Serve
	logged := func() float64 { return testutil.ToFloat64(i.metrics.serves) }
	for n := 0; i.intake.takesServes(); n++ {
		serves = append(serves, testServe(fmt.Sprint("device-", n)))
		i.Served(serves[n])
		require.Eventually(t, func() bool { return logged() == float64(n+1) }, testTimeout, time.Millisecond)
	}
	require.NotEmpty(t, serves, "the reserve took some")
	waiting := testServe("waiting")
	i.Served(waiting)
	require.Never(t, func() bool { return logged() > float64(len(serves)) }, 20*time.Millisecond, 5*time.Millisecond)
	startRun(t, i)
	want := servedOnce(append(serves, waiting)...)
	sink.await(t, func() bool { return len(sink.served(t)) == len(want) })
	require.Equal(t, want, sink.served(t))
	require.Zero(t, testutil.ToFloat64(i.metrics.servesDropped))
}

func TestServesThatCouldNotBeWrittenAreTriedAgain(t *testing.T) {
	t.Parallel()
	sink := newMemorySink()
	o := testOptions(t, sink)
	o.ServeInterval = time.Millisecond
	i := openTestIngest(t, o)
	require.NoError(t, i.journal.wal.Close())
	i.Served(testServe("a"))
	require.Eventually(t, func() bool { return testutil.ToFloat64(i.metrics.serves) == 1 }, testTimeout, time.Millisecond)
	require.NoError(t, i.Close())
	drain(t, o.Dir, sink)
	require.Equal(t, servedOnce(testServe("a")), sink.served(t))
}

func TestServesAreBounded(t *testing.T) {
	t.Parallel()
	o := testOptions(t, newMemorySink())
	o.MaxServes, o.ServeInterval = 10*serveShards, time.Hour
	i := openTestIngest(t, o)
	for n := range 100 * serveShards {
		i.Served(testServe(fmt.Sprint("device-", n)))
	}
	require.InDelta(t, 90*serveShards, testutil.ToFloat64(i.metrics.servesDropped), 2*serveShards)
}

func TestServesArriveFromManyAtOnce(t *testing.T) {
	t.Parallel()
	sink := newMemorySink()
	o := testOptions(t, sink)
	o.ServeInterval = time.Millisecond
	i := openTestIngest(t, o)
	startRun(t, i)
	const senders, each = 8, 2000
	var sending sync.WaitGroup
	for sender := range senders {
		sending.Go(func() {
			for n := range each {
				i.Served(testServe(fmt.Sprint(sender, "-", n)))
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

// The manifest's path to a device must not pay for the book-keeping.
func TestNotingAServeAllocatesNothing(t *testing.T) {
	b := newServeBuffer(1<<16, time.Now)
	var devices []models.Serve
	for n := range 2000 {
		devices = append(devices, testServe(fmt.Sprint("device-", n)))
	}
	note := func() {
		for _, s := range devices {
			b.add(s)
		}
		for k := range b.shards {
			clear(b.shards[k].waiting)
		}
	}
	note() // the maps grow once
	require.Less(t, testing.AllocsPerRun(10, note), 20.0, "for 2,000 serves")
}

func BenchmarkServed(b *testing.B) {
	i := openTestIngest(b, testOptions(b, newMemorySink()))
	startRun(b, i)
	devices := make([]models.Serve, 10_000)
	for n := range devices {
		devices[n] = testServe(fmt.Sprint("device-", n))
	}
	b.ReportAllocs()
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		for n := 0; pb.Next(); n++ {
			i.Served(devices[n%len(devices)])
		}
	})
}

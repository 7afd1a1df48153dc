package telemetry

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// abandoned is the folder of an ingest log as a killed process leaves it: a copy of what
// the kernel has of it.
func abandoned(t *testing.T, dir string) string {
	t.Helper()
	left := t.TempDir()
	require.NoError(t, os.CopyFS(left, os.DirFS(dir)))
	return left
}

func TestServesThatWaitForTheLogSurviveAKill(t *testing.T) {
	t.Parallel()
	sink := newMemorySink()
	o := testOptions(t, sink)
	o.ServeInterval = time.Hour
	i := openTestIngest(t, o)
	hashed := testServe(strings.Repeat("f", 64))
	hashed.ShareBucket = new(uint32(99_999))
	first := testServe("first")
	first.ShareBucket = new(uint32(0))
	failure := models.Serve{ProjectID: 1 << 40, DeviceID: "ünïcode", UpdateUUID: testUpdate, Kind: models.ServeFailure, ServedAt: time.UnixMilli(1).UTC()}
	serves := []models.Serve{testServe("a"), testServe("b"), hashed, first, failure}
	for _, s := range append(serves, testServe("a")) {
		i.Served(s)
	}
	left := abandoned(t, o.Dir)
	found, err := readServeFiles(filepath.Join(left, "serves"))
	require.NoError(t, err)
	require.ElementsMatch(t, serves, found, "each as it was, once")

	drain(t, left, sink)
	drain(t, left, sink)
	require.Equal(t, servedOnce(serves...), sink.served(t))
}

// Serves that the log has are not on disk a second time, or every start would take them
// in again.
func TestServesThatTheLogTookAreForgotten(t *testing.T) {
	t.Parallel()
	o := testOptions(t, newMemorySink())
	o.ServeInterval = time.Hour
	i := openTestIngest(t, o)
	for _, device := range []string{"a", "b", "c"} {
		i.Served(testServe(device))
		// A report takes along what waits.
		require.NoError(t, i.Append(t.Context(), testReport(device)))
	}
	require.InDelta(t, 3, testutil.ToFloat64(i.metrics.serves), 0)
	i.Served(testServe("waiting"))
	left := abandoned(t, o.Dir)
	found, err := readServeFiles(filepath.Join(left, "serves"))
	require.NoError(t, err)
	require.Equal(t, servedOnce(testServe("waiting")), namesOf(found))
}

func TestServesThatTheLogRefusedAreStillOnDisk(t *testing.T) {
	t.Parallel()
	o := testOptions(t, newMemorySink())
	i := openTestIngest(t, o)
	i.Served(testServe("a"))
	require.NoError(t, i.serves.giveBack(i.serves.take()))
	found, err := readServeFiles(filepath.Join(abandoned(t, o.Dir), "serves"))
	require.NoError(t, err)
	require.Equal(t, servedOnce(testServe("a")), namesOf(found))
}

func TestServesAtACloseWithAFullLogWaitForTheNextStart(t *testing.T) {
	t.Parallel()
	sink := newMemorySink()
	o := testOptions(t, sink)
	o.MaxBytes, o.ServeInterval = 8000, time.Hour
	i := openTestIngest(t, o)
	i.intake.mu.Lock()
	i.intake.bytes = 2 * o.MaxBytes
	i.intake.mu.Unlock()
	i.Served(testServe("a"))
	require.NoError(t, i.Close())
	drain(t, o.Dir, sink)
	require.Equal(t, servedOnce(testServe("a")), sink.served(t))
}

// A kill may cut the last write off, and a disk may spoil anything.
func TestAServeThatWasCutOffHidesNoOther(t *testing.T) {
	t.Parallel()
	sink := newMemorySink()
	o := testOptions(t, sink)
	o.ServeInterval = time.Hour
	i := openTestIngest(t, o)
	i.Served(testServe("a"))
	left := abandoned(t, o.Dir)
	files, err := filepath.Glob(filepath.Join(left, "serves", "*"))
	require.NoError(t, err)
	for n, path := range files {
		file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
		require.NoError(t, err)
		garbage := [][]byte{{}, {1}, {200, 1, 2, 3}, make([]byte, 5000), {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}}
		_, err = file.Write(garbage[n%len(garbage)])
		require.NoError(t, err)
		require.NoError(t, file.Close())
	}
	drain(t, left, sink)
	require.Equal(t, servedOnce(testServe("a")), sink.served(t))
}

func TestADiskThatTakesNoServesLosesNoneByItself(t *testing.T) {
	t.Parallel()
	sink := newMemorySink()
	o := testOptions(t, sink)
	o.ServeInterval = time.Hour
	i := openTestIngest(t, o)
	for k := range i.serves.shards {
		f := &i.serves.shards[k].waiting.file
		readable, err := os.Open(f.file.Name())
		require.NoError(t, err)
		require.NoError(t, f.file.Close())
		f.file = readable
	}
	i.Served(testServe("a"))
	i.Served(testServe("a"))
	require.InDelta(t, 1, testutil.ToFloat64(i.metrics.servesUnsaved), 0)
	require.NoError(t, i.Append(t.Context(), testReport("a")))
	require.InDelta(t, 1, testutil.ToFloat64(i.metrics.serves), 0, "the log has it")
}

func namesOf(serves []models.Serve) map[string]int {
	seen := map[string]int{}
	for _, s := range serves {
		seen[serveName(s)]++
	}
	return seen
}

// Every serve is a new one, as when all devices ask after a release.
func BenchmarkNewServes(b *testing.B) {
	for name, dir := range map[string]string{"memory": "", "disk": b.TempDir()} {
		b.Run(name, func(b *testing.B) {
			buffer := newServeBuffer(1<<20, time.Now)
			if dir != "" {
				require.NoError(b, buffer.open(dir))
			}
			devices := make([]models.Serve, 10_000)
			for n := range devices {
				devices[n] = testServe(uuid.NewString())
			}
			b.ReportAllocs()
			for n := 0; b.Loop(); n++ {
				if n%len(devices) == 0 {
					b.StopTimer()
					buffer.take()
					require.NoError(b, buffer.settle())
					b.StartTimer()
				}
				buffer.add(devices[n%len(devices)])
			}
		})
	}
}

func FuzzServeEntry(f *testing.F) {
	f.Add([]byte{0, 0, 0, 0, entryServeV1, 2, 2, 0, 1, 'd', 0, 0, 0, 0, 0})
	f.Fuzz(func(t *testing.T, body []byte) {
		sealed := sealEntry(entryServeV1, body)
		s, ok := decodeServeEntry(sealed)
		if !ok {
			return
		}
		again := appendServeEntry(nil,
			&serveKey{s.ProjectID, s.DeviceID, s.UpdateUUID, s.Kind},
			&keptServe{s.Platform, s.Channel, s.RuntimeVersion, s.ServedAt.UnixNano(), s.ShareBucket})
		require.True(t, entryIntact(again))
	})
}

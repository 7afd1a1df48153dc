package ingest

import (
	"strconv"
	"testing"

	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// BenchmarkAppend measures the cost of a durable report by the number of concurrent senders.
func BenchmarkAppend(b *testing.B) {
	for _, senders := range []int{1, 16, 256} {
		b.Run(strconv.Itoa(senders)+" senders", func(b *testing.B) {
			o := testOptions(b, newMemorySink())
			o.MaxBytes = 8 << 30
			i := openTestIngest(b, o)
			r := testReport("d", models.EventAppLaunch, models.EventJSError)
			r.Events[1].StackTrace = "at render (App.tsx:10:2)\nat mount (index.ts:1:1)"
			b.SetParallelism(max(1, senders/2))
			b.ReportAllocs()
			b.ResetTimer()
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					require.NoError(b, i.Append(b.Context(), r))
				}
			})
			b.ReportMetric(float64(b.N)/testutil.ToFloat64(i.metrics.commits), "reports/sync")
		})
	}
}

func BenchmarkEncodeEntry(b *testing.B) {
	r := testReport("d", models.EventAppLaunch, models.EventJSError)
	b.ReportAllocs()
	for b.Loop() {
		require.NotEmpty(b, entryOf(b, r))
	}
}

func BenchmarkDecodeEntry(b *testing.B) {
	entry := entryOf(b, testReport("d", models.EventAppLaunch, models.EventJSError))
	b.ReportAllocs()
	for b.Loop() {
		_, err := decodeEntry(entry)
		require.NoError(b, err)
	}
}

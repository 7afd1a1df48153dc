// Package benchratio compares what a benchmark measures with a reference workload that
// is measured in the same run. Their ratio, unlike a time, means about the same on
// every machine, so `make bench-check` can hold it against the ratio in baseline.json.
package benchratio

import (
	_ "embed"
	"encoding/json"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"testing"
	"time"
)

const (
	// tolerance is how much of its speed a benchmark may lose: the gate fails above
	// baseline/(1-tolerance).
	tolerance = 0.20
	// batch is the time for which a workload runs at once. It is shorter than a
	// scheduler's time slice, so a busy machine disturbs few batches.
	batch = 300 * time.Microsecond
	// rounds is how often each workload runs for a batch, in turns.
	rounds = 400
	// roundsPerCollection is after how many rounds garbage is collected. In between the
	// collector is off: when it runs is chance, and takes a different part of the time on
	// a busy machine.
	roundsPerCollection = 10
	// attempts are made before a loss is believed.
	attempts = 3
)

//go:embed baseline.json
var baseline []byte

// Compare reports, as the metric "ratio", how many times longer subject takes than
// reference. With WAFT_BENCH_CHECK=1 in the environment it fails when the ratio in
// baseline.json under that name is exceeded by more than the tolerance in each of
// three attempts.
func Compare(b *testing.B, name string, reference, subject func()) {
	b.Helper()
	var ratios map[string]float64
	if err := json.Unmarshal(baseline, &ratios); err != nil {
		b.Fatalf("baseline.json: %v", err)
	}
	want, ok := ratios[name]
	if !ok {
		b.Fatalf("baseline.json has no ratio for %q", name)
	}
	for b.Loop() {
		got := measure(time.Now, reference, subject)
		for range attempts - 1 {
			if got <= want/(1-tolerance) {
				break
			}
			got = min(got, measure(time.Now, reference, subject))
		}
		b.ReportMetric(got, "ratio")
		b.ReportMetric(want, "baseline")
		if got > want/(1-tolerance) && os.Getenv("WAFT_BENCH_CHECK") == "1" {
			b.Fatalf("%s takes %.2f times as long as its reference; the baseline is %.2f: it lost %.0f %% of its "+
				"speed", name, got, want, 100*(1-want/got))
		}
	}
}

// measure returns the ratio of the fastest tenths: the slow batches tell of other
// processes.
func measure(clock func() time.Time, reference, subject func()) float64 {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	referenceCalls, subjectCalls := calls(clock, reference), calls(clock, subject)
	var references, subjects []float64
	for round := range rounds {
		if round%roundsPerCollection == 0 {
			runtime.GC()
		}
		references = append(references, perCall(clock, reference, referenceCalls))
		subjects = append(subjects, perCall(clock, subject, subjectCalls))
	}
	slices.Sort(references)
	slices.Sort(subjects)
	return subjects[rounds/10] / references[rounds/10]
}

// calls returns how many calls of f take about the time of a batch.
func calls(clock func() time.Time, f func()) int {
	n := 1
	for perCall(clock, f, n)*float64(n) < float64(batch) {
		n *= 2
	}
	return n
}

// perCall returns the nanoseconds that a call takes in the mean of n.
func perCall(clock func() time.Time, f func(), n int) float64 {
	start := clock()
	for range n {
		f()
	}
	return float64(clock().Sub(start)) / float64(n)
}

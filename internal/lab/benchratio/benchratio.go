// Package benchratio compares a benchmark with a reference workload that it measures in the same run. Unlike a time,
// their ratio is about the same on every machine. `make bench-check` can therefore compare it with the ratio in
// baseline.json.
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
	// tolerance is the fraction of its speed that a benchmark may lose. The check fails above baseline/(1-tolerance).
	tolerance = 0.20
	// batch is the time for which a workload runs without interruption. It is shorter than a scheduler's time slice, so
	// a busy machine disturbs only a few batches.
	batch = 300 * time.Microsecond
	// rounds is the number of batches of each workload. The two workloads take turns.
	rounds = 400
	// roundsPerCollection is the number of rounds between two garbage collections. In between the collector is off,
	// because it would run at random times and take a different part of the time on a busy machine.
	roundsPerCollection = 10
	// attempts is the number of measurements that must exceed the tolerance before the check fails.
	attempts = 3
)

//go:embed baseline.json
var baseline []byte

// Compare reports, as the metric "ratio", how many times longer subject takes than reference. With WAFT_BENCH_CHECK=1
// in the environment it fails if the ratio exceeds the one under the name in baseline.json by more than the tolerance,
// in each of three attempts.
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

// measure returns the ratio of the tenth percentiles of both workloads. Slower batches were disturbed by other
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

// perCall returns the mean time of a call in nanoseconds, over n calls.
func perCall(clock func() time.Time, f func(), n int) float64 {
	start := clock()
	for range n {
		f()
	}
	return float64(clock().Sub(start)) / float64(n)
}

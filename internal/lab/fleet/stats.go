package fleet

import (
	"cmp"
	"maps"
	"slices"
	"sync"
	"time"
)

// Stats counts the actions of a fleet so far.
type Stats struct {
	Devices int
	// Seen is the number of devices that ran an update at least once.
	Seen     int64
	Launches int64
	// Updates, NoUpdates, Rollbacks and Refused count update checks by outcome.
	Updates   int64
	NoUpdates int64
	Rollbacks int64
	Refused   int64
	// Reports counts the health reports that the server acknowledged. Crashes and JSErrors count the events in them.
	Reports  int64
	Crashes  int64
	JSErrors int64
	// StartupCrashes counts starts that ended before the device could report.
	StartupCrashes int64
	// AssetDownloads and AssetBytes count assets that were downloaded and verified. AssetChecks counts HEAD requests,
	// and AssetSkips skipped assets.
	AssetDownloads int64
	AssetBytes     int64
	AssetChecks    int64
	AssetSkips     int64
	// Patches and PatchBytes count the downloads that came as binary patches. They are included in AssetDownloads and
	// AssetBytes.
	Patches    int64
	PatchBytes int64
	// Failures by kind, such as "manifest: status 503".
	Failures map[string]Failure
	// Running is the number of devices that ran each update at their last start, in descending order.
	Running  []Running
	Manifest Latency
	Report   Latency
}

// Failure is a kind of failure: its count, and the first error.
type Failure struct {
	Count int64
	First string
}

// Running is the number of devices that run an update.
type Running struct {
	Update  Ref
	Devices int
}

// FailureCount returns the number of failures of all kinds.
func (s Stats) FailureCount() int64 {
	var n int64
	for _, f := range s.Failures {
		n += f.Count
	}
	return n
}

// counters hold the current values behind Stats.
type counters struct {
	mu               sync.Mutex
	stats            Stats // without the fields that snapshot adds
	failures         map[string]Failure
	running          map[Ref]int
	manifest, report latencies
}

func (c *counters) count(change func(*Stats)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	change(&c.stats)
}

func (c *counters) took(l *latencies, d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	l.add(d)
}

func (c *counters) fail(kind string, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f := c.failures[kind]
	c.failures[kind] = Failure{Count: f.Count + 1, First: cmp.Or(f.First, err.Error())}
}

// runs records that a device runs u. before is the update of its previous start, or nil at its first start.
func (c *counters) runs(before *Ref, u Ref) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.running[u]++
	if before == nil {
		c.stats.Seen++
	} else if c.running[*before]--; c.running[*before] == 0 {
		delete(c.running, *before)
	}
}

func (c *counters) snapshot(devices int) Stats {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.stats
	s.Devices, s.Manifest, s.Report = devices, c.manifest.summary(), c.report.summary()
	s.Failures = maps.Clone(c.failures)
	for u, n := range c.running {
		s.Running = append(s.Running, Running{Update: u, Devices: n})
	}
	slices.SortFunc(s.Running, func(a, b Running) int {
		return cmp.Or(cmp.Compare(b.Devices, a.Devices), cmp.Compare(a.Update.UpdateID, b.Update.UpdateID))
	})
	return s
}

// Latency summarizes the duration of one kind of request. The percentiles cover the last 4,096 requests.
type Latency struct {
	Count    int64
	P50, P99 time.Duration
}

type latencies struct {
	count int64
	last  [4096]time.Duration
}

func (l *latencies) add(d time.Duration) {
	l.last[l.count%int64(len(l.last))] = d
	l.count++
}

func (l *latencies) summary() Latency {
	if l.count == 0 {
		return Latency{}
	}
	sorted := slices.Sorted(slices.Values(l.last[:min(l.count, int64(len(l.last)))]))
	return Latency{Count: l.count, P50: sorted[len(sorted)/2], P99: sorted[len(sorted)*99/100]}
}

// RateMeter converts a growing count to a rate per second. The zero value is ready to use.
type RateMeter struct {
	samples []rateSample
}

type rateSample struct {
	count int64
	at    time.Time
}

// Update records the current count and returns the rate over the last two seconds.
func (m *RateMeter) Update(count int64, now time.Time) float64 {
	m.samples = append(m.samples, rateSample{count, now})
	for len(m.samples) > 2 && now.Sub(m.samples[1].at) >= 2*time.Second {
		m.samples = m.samples[1:]
	}
	first := m.samples[0]
	if elapsed := now.Sub(first.at).Seconds(); elapsed > 0 {
		return float64(count-first.count) / elapsed
	}
	return 0
}

package fleet

import (
	"cmp"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
)

// Stats is what a fleet did so far.
type Stats struct {
	Devices int
	// Seen is how many of the devices were launched at least once.
	Seen     int64
	Launches int64
	// Updates, NoUpdates, Rollbacks and Refused count answers by what the device
	// made of them; see Outcome.
	Updates   int64
	NoUpdates int64
	Rollbacks int64
	Refused   int64
	// Reports counts health reports that the server acknowledged; Crashes and
	// JSErrors the events in them.
	Reports  int64
	Crashes  int64
	JSErrors int64
	// StartupCrashes count starts that ended before anything could be reported.
	StartupCrashes int64
	// AssetDownloads and AssetBytes were fetched and verified; AssetChecks were
	// only asked for their headers and AssetSkips not at all.
	AssetDownloads int64
	AssetBytes     int64
	AssetChecks    int64
	AssetSkips     int64
	// Patches were applied and verified, among the AssetDownloads; PatchBytes are what
	// of AssetBytes they are.
	Patches    int64
	PatchBytes int64
	// Failures by kind, as in "manifest: status 503".
	Failures map[string]Failure
	// Running is how many devices ran each update at their last start, most
	// devices first.
	Running  []Running
	Manifest Latency
	Asset    Latency
	Report   Latency
}

// Failure is a kind of failure: how often, and what the first one said.
type Failure struct {
	Count int64
	First string
}

// Running is the number of devices that run an update.
type Running struct {
	Update  Ref
	Devices int
}

// FailureCount is the number of failures of all kinds.
func (s Stats) FailureCount() int64 {
	var n int64
	for _, f := range s.Failures {
		n += f.Count
	}
	return n
}

// counters are the live numbers behind Stats.
type counters struct {
	seen, launches, updates, noUpdates, rollbacks, refused atomic.Int64
	reports, crashes, jsErrors, startupCrashes             atomic.Int64
	downloads, bytes, checks, skips, patches, patchBytes   atomic.Int64
	manifest, asset, report                                latencies

	mu       sync.Mutex
	failures map[string]Failure
	running  map[Ref]int
}

func newCounters() *counters {
	return &counters{failures: map[string]Failure{}, running: map[Ref]int{}}
}

func (c *counters) fail(kind string, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f := c.failures[kind]
	if f.Count == 0 {
		f.First = err.Error()
	}
	f.Count++
	c.failures[kind] = f
}

// runs notes that a device that ran before now runs u; before is nil at its first
// start.
func (c *counters) runs(before *Ref, u Ref) {
	if before != nil && *before == u {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if before != nil {
		if c.running[*before]--; c.running[*before] == 0 {
			delete(c.running, *before)
		}
	}
	c.running[u]++
}

func (c *counters) count(o Outcome) {
	switch o {
	case TookUpdate:
		c.updates.Add(1)
	case NoUpdate:
		c.noUpdates.Add(1)
	case WentToEmbedded:
		c.rollbacks.Add(1)
	case RefusedOlder:
		c.refused.Add(1)
	case CheckFailed, NeverStarted: // counted as failures and startup crashes
	}
}

func (c *counters) snapshot(devices int) Stats {
	s := Stats{
		Devices: devices, Seen: c.seen.Load(), Launches: c.launches.Load(),
		Updates: c.updates.Load(), NoUpdates: c.noUpdates.Load(),
		Rollbacks: c.rollbacks.Load(), Refused: c.refused.Load(),
		Reports: c.reports.Load(), Crashes: c.crashes.Load(),
		JSErrors: c.jsErrors.Load(), StartupCrashes: c.startupCrashes.Load(),
		AssetDownloads: c.downloads.Load(), AssetBytes: c.bytes.Load(),
		AssetChecks: c.checks.Load(), AssetSkips: c.skips.Load(),
		Patches: c.patches.Load(), PatchBytes: c.patchBytes.Load(),
		Manifest: c.manifest.snapshot(), Asset: c.asset.snapshot(), Report: c.report.snapshot(),
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	s.Failures = maps.Clone(c.failures)
	for u, n := range c.running {
		s.Running = append(s.Running, Running{Update: u, Devices: n})
	}
	slices.SortFunc(s.Running, func(a, b Running) int {
		return cmp.Or(cmp.Compare(b.Devices, a.Devices), cmp.Compare(a.Update.UpdateID, b.Update.UpdateID))
	})
	return s
}

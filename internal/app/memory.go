package app

import (
	"context"
	"fmt"
	"math"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/waft-ota/waft/internal/base/every"
)

const (
	// maxGCPercent is GOGC while the live heap is small beside the garbage of requests and reports. Go's default of 100
	// collects three times as often.
	maxGCPercent = 300
	minGCPercent = 50
	// garbageBytes is the most garbage before a collection, unless minGCPercent allows more. Snapshots of many projects
	// make the live heap large, and three times as much garbage would be a waste of memory.
	garbageBytes = 192 << 20
	// gcInterval is how often GOGC follows the live heap.
	gcInterval = 10 * time.Second
	// memoryShare is the memory limit as a part of the memory of the machine or container.
	memoryShare = 0.7
)

// setGC configures the garbage collector where GOGC and GOMEMLIMIT do not.
var setGC = sync.OnceFunc(func() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(maxGCPercent)
	}
	if limit := memoryLimit("/sys/fs/cgroup/memory.max", "/proc/meminfo"); os.Getenv("GOMEMLIMIT") == "" && limit > 0 {
		debug.SetMemoryLimit(limit)
	}
})

// gcPercent returns GOGC for a live heap of so many bytes.
func gcPercent(live uint64) int {
	return int(max(minGCPercent, min(maxGCPercent, garbageBytes*100/max(live, 1))))
}

// followHeap sets GOGC by the live heap until ctx ends, where the environment does not set it.
func followHeap(ctx context.Context) error {
	if os.Getenv("GOGC") != "" {
		return nil
	}
	return every.RunNow(ctx, gcInterval, func() { debug.SetGCPercent(gcPercent(liveHeap())) })
}

// liveHeap is what the last collection left, in bytes.
func liveHeap() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// loading collects often while load runs, and gives its garbage back to the system: reading all projects leaves more of
// it than serving them. Where the environment sets GOGC, it only runs load.
func loading(load func() error) error {
	if os.Getenv("GOGC") != "" {
		return load()
	}
	debug.SetGCPercent(minGCPercent)
	err := load()
	debug.FreeOSMemory()
	debug.SetGCPercent(gcPercent(liveHeap()))
	return err
}

// memoryLimit returns memoryShare of the memory of the container (cgroup v2) or of the
// machine, whichever is smaller, in bytes; 0 when it is not known.
func memoryLimit(container, machine string) int64 {
	least := int64(math.MaxInt64)
	// It is "max" without a limit.
	if bytes, err := strconv.ParseInt(strings.TrimSpace(fileText(container)), 10, 64); err == nil {
		least = bytes
	}
	if _, total, found := strings.Cut(fileText(machine), "MemTotal:"); found {
		var kib int64
		if _, err := fmt.Sscan(total, &kib); err == nil {
			least = min(least, kib<<10)
		}
	}
	if least == math.MaxInt64 {
		return 0
	}
	return int64(float64(least) * memoryShare)
}

// fileText returns the contents of a file, "" when it cannot be read.
func fileText(path string) string {
	text, _ := os.ReadFile(path)
	return string(text)
}

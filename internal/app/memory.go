package app

import (
	"fmt"
	"math"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
)

const (
	// gcPercent is GOGC. Go's default of 100 collects three times as often, since the live heap, the
	// snapshots, is small beside the garbage of requests and reports.
	gcPercent = 300
	// memoryShare is the memory limit as a part of the memory of the machine or container.
	memoryShare = 0.7
)

// setGC configures the garbage collector where GOGC and GOMEMLIMIT do not.
var setGC = sync.OnceFunc(func() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	if limit := memoryLimit("/sys/fs/cgroup/memory.max", "/proc/meminfo"); os.Getenv("GOMEMLIMIT") == "" && limit > 0 {
		debug.SetMemoryLimit(limit)
	}
})

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

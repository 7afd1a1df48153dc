package app

import (
	"math"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
)

const (
	// gcPercent is how much garbage is collected at a time, relative to the live heap. Go's
	// default of 100 collects three times as often, since the live heap, the snapshots, is
	// small beside the garbage of requests and reports.
	gcPercent = 300
	// memoryShare is the part of the memory of the machine or container above which garbage
	// is collected as often as it takes.
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
	for line := range strings.Lines(fileText(machine)) {
		if fields := strings.Fields(line); len(fields) > 1 && fields[0] == "MemTotal:" {
			if kib, err := strconv.ParseInt(fields[1], 10, 64); err == nil {
				least = min(least, kib<<10)
			}
		}
	}
	if least == math.MaxInt64 {
		return 0
	}
	return int64(float64(least) * memoryShare)
}

// fileText returns the contents of a file, "" when it cannot be read.
func fileText(path string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	return string(text)
}

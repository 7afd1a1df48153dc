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
	// gcPercent is how much garbage may lie about, of what is alive, before it is
	// collected. Go's own 100 would collect three times as often: what is alive, the
	// snapshots, is small beside what requests and reports leave behind.
	gcPercent = 300
	// memoryShare is the part of the machine's memory, or of the container's, from which
	// on garbage is collected as often as is needed to stay below.
	memoryShare = 0.7
)

// setGC tells Go's garbage collector how to go about it, unless the operator does, by
// GOGC and GOMEMLIMIT.
var setGC = sync.OnceFunc(func() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	if limit := memoryLimit("/sys/fs/cgroup/memory.max", "/proc/meminfo"); os.Getenv("GOMEMLIMIT") == "" && limit > 0 {
		debug.SetMemoryLimit(limit)
	}
})

// memoryLimit is memoryShare of the smaller of the memory of the container (cgroup v2)
// and of the machine, in bytes; 0 when neither file tells.
func memoryLimit(container, machine string) int64 {
	least := int64(math.MaxInt64)
	// "max" when there is no bound, which is no number.
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

// fileText is "" for a file that is not there.
func fileText(path string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	return string(text)
}

package app

import (
	"context"
	"runtime/debug"
	"runtime/metrics"
	"time"

	"github.com/waft-ota/waft/internal/base/every"
)

const (
	// memoryInterval is how often the heap is looked at.
	memoryInterval = 15 * time.Second
	// spareMemory is what the heap may have beyond twice its size at rest, in bytes.
	spareMemory = 64 << 20
)

// heapUse is how the heap uses memory, in bytes.
type heapUse struct {
	// held is what the heap has of the system, used or free.
	held uint64
	// allocated is what was allocated since the start.
	allocated uint64
}

// memoryReturn gives memory back to the system after a burst. Go's collector runs when the heap has grown to a
// multiple of what a burst kept alive, or after two minutes, and then returns memory slowly: without more
// requests a burst would keep its memory for minutes, and a container would count it as used.
type memoryReturn struct {
	read func() heapUse
	// free collects garbage and returns free memory. It costs a collection, so it is for quiet times.
	free func()

	last heapUse
	// rest is what the heap held when it was last small.
	rest uint64
}

func newMemoryReturn() *memoryReturn {
	now := readHeap()
	return &memoryReturn{read: readHeap, free: debug.FreeOSMemory, last: now, rest: now.held}
}

// run looks at the heap until ctx ends.
func (m *memoryReturn) run(ctx context.Context) error {
	return every.Run(ctx, memoryInterval, m.look)
}

// look gives memory back when there was a burst and it is over.
func (m *memoryReturn) look() {
	now := m.read()
	if !due(m.last, now, m.rest) {
		m.last, m.rest = now, min(m.rest, now.held)
		return
	}
	m.free()
	m.last = m.read()
	m.rest = m.last.held
}

// due reports whether the heap holds much more than at rest, and so little was allocated since the last look
// that the collector would not run soon by itself. With as little, the heap takes minutes to grow to this again.
func due(last, now heapUse, rest uint64) bool {
	quiet := now.allocated-last.allocated < now.held/8
	return quiet && now.held > 2*rest+spareMemory
}

// readHeap stops nothing.
func readHeap() heapUse {
	samples := []metrics.Sample{
		{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/unused:bytes"},
		{Name: "/memory/classes/heap/free:bytes"}, {Name: "/gc/heap/allocs:bytes"},
	}
	metrics.Read(samples)
	return heapUse{
		held:      samples[0].Value.Uint64() + samples[1].Value.Uint64() + samples[2].Value.Uint64(),
		allocated: samples[3].Value.Uint64(),
	}
}

package app

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWhenMemoryIsGivenBack(t *testing.T) {
	t.Parallel()
	const mib = 1 << 20
	for name, c := range map[string]struct {
		last, now heapUse
		rest      uint64
		want      bool
	}{
		"after a burst":                      {heapUse{900 * mib, 5000 * mib}, heapUse{900 * mib, 5010 * mib}, 100 * mib, true},
		"during a burst":                     {heapUse{900 * mib, 5000 * mib}, heapUse{900 * mib, 6000 * mib}, 100 * mib, false},
		"at rest":                            {heapUse{120 * mib, 5000 * mib}, heapUse{120 * mib, 5001 * mib}, 100 * mib, false},
		"a small process with a little more": {heapUse{80 * mib, 500 * mib}, heapUse{80 * mib, 501 * mib}, 10 * mib, false},
		"a small process after a burst":      {heapUse{200 * mib, 500 * mib}, heapUse{200 * mib, 501 * mib}, 10 * mib, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, due(c.last, c.now, c.rest))
		})
	}
}

// What is alive after a burst is what the process holds at rest from then on: it is not collected for it again.
func TestMemoryThatIsInUseIsNotCollectedAgainAndAgain(t *testing.T) {
	t.Parallel()
	const mib = 1 << 20
	freed := 0
	use := heapUse{held: 1000 * mib}
	m := &memoryReturn{read: func() heapUse { return use }, free: func() { freed++; use.held = 800 * mib }, rest: 50 * mib, last: use}
	for range 10 {
		m.look()
	}
	require.Equal(t, 1, freed)
	use.held = 100 * mib
	m.look()
	require.Equal(t, uint64(100*mib), m.rest)
	use.held = 500 * mib
	m.look()
	require.Equal(t, 2, freed)
}

// TestABurstsMemoryGoesBack is not parallel: the heap is that of the whole process.
func TestABurstsMemoryGoesBack(t *testing.T) {
	const burst = 400 << 20
	m := newMemoryReturn()
	before := m.rest
	func() {
		var bodies [][]byte
		for range burst >> 20 {
			body := make([]byte, 1<<20)
			for i := 0; i < len(body); i += 4096 {
				body[i] = 1
			}
			bodies = append(bodies, body)
		}
		require.Len(t, bodies, burst>>20)
	}()
	m.look()
	require.Greater(t, readHeap().held, before+burst/2, "while requests come, the collector decides")
	m.look()
	require.Less(t, readHeap().held, before+burst/10, "the second look finds it quiet")
}

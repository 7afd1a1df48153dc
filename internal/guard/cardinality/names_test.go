package cardinality

import (
	"net/netip"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const limit = 200

var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

func network(n int) netip.Addr { return netip.MustParseAddr("198.51." + strconv.Itoa(n) + ".0") }

// flood adds new names until none is admitted, and returns how many were.
func flood(n *Names, first uint64, from Source, at time.Time) (admitted int) {
	for hash := first; n.Admit(0, hash, from, at); hash++ {
		admitted++
	}
	return admitted
}

func TestANetworkAddsItsBudgetOfAnHour(t *testing.T) {
	t.Parallel()
	n := New(limit)
	attacker := Source{Network: network(1)}
	require.Equal(t, limit/20, flood(n, 1000, attacker, noon), "half of the network's budget")
	require.True(t, n.Admit(0, 1000, attacker, noon), "a known name costs nothing")
	served := Source{Network: network(1), Served: true}
	require.Equal(t, limit/20, flood(n, 2000, served, noon), "the other half is for devices that were served")
	require.True(t, n.Admit(0, 1, Source{Network: network(2)}, noon), "another network has a budget of its own")

	require.Equal(t, limit/10, flood(n, 3000, served, noon.Add(time.Hour)))
	require.Equal(t, limit/4-2*limit/10, flood(n, 4000, served, noon.Add(2*time.Hour)), "and a network has one for the whole time")
	require.Zero(t, flood(n, 5000, served, noon.Add(3*time.Hour)))
}

func TestPartOfALimitIsReservedForServedDevices(t *testing.T) {
	t.Parallel()
	n := New(limit)
	total := 0
	for k := range 100 {
		total += flood(n, uint64(1000*k), Source{Network: network(k)}, noon)
	}
	require.Equal(t, limit/2, total)
	require.False(t, n.Admit(0, 777_777, Source{Trusted: true}, noon), "a trusted network has no budget, but the limit holds")
	require.True(t, n.Admit(0, 777_777, Source{Network: network(1), Served: true}, noon))
	require.True(t, n.Admit(0, 777_777, Source{Network: network(2)}, noon), "it is known to everybody then")
	require.Equal(t, limit/2-1, flood(n, 900_000, Source{Trusted: true, Served: true}, noon))
}

func TestDimensionsHaveTheirOwnLimits(t *testing.T) {
	t.Parallel()
	n := New(20, 40)
	from := Source{Trusted: true, Served: true}
	require.Equal(t, 20, flood(n, 1, from, noon))
	require.True(t, n.Admit(1, 1, from, noon))
	require.False(t, n.known(0, 100))
}

func TestNetworksInMemoryAreFew(t *testing.T) {
	t.Parallel()
	n := New(limit)
	for k := range 60_000 {
		from := Source{Network: netip.AddrFrom4([4]byte{10, byte(k >> 8), byte(k), 0}), Served: true}
		n.Admit(0, uint64(k), from, noon)
	}
	require.LessOrEqual(t, len(n.networks), limit)
}

// A device with known names does not wait: its names are admitted even while the lock is taken.
func TestKnownNamesTakeNoLock(t *testing.T) {
	t.Parallel()
	n := New(limit)
	require.True(t, n.Admit(0, 1, Source{}, noon))
	n.adding.Lock()
	require.True(t, n.Admit(0, 1, Source{}, noon))
}

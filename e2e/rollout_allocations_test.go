package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// A person with one IPv4 /24 also has its 6to4 and Teredo addresses. All of them are one network.
func TestTunnelsAreInTheNetworkOfTheirIPv4Address(t *testing.T) {
	t.Parallel()
	p := proxied(t).tenant(t)
	release, id := p.rollOut(p.inStages(0, 0, 100).with("thresholds", object{"crashRate": 90.0}))
	p.awaitServed(invented(1), is(release["updateUuid"]))
	var tunnels []visitor
	for i, device := range invented(20) {
		address := fmt.Sprintf("2002:cb00:71%02x::1", i) // 6to4 address of 203.0.113.i
		if i%2 == 1 {
			address = fmt.Sprintf("2001:0:1::34ff:8e%02x", 0xff-i) // Teredo address of 203.0.113.i
		}
		tunnels = append(tunnels, visitor{device, address})
	}
	visitors := slices.Concat(tunnels, inNetworks(invented(2), "203.0.113."))
	require.Equal(t, len(visitors), p.visit(release, visitors, always("crash")))
	e := p.awaitRollout(id, hasCounted(len(visitors), len(visitors)))
	require.Equal(t, votesOf(1, 1, 1, 1, 1), health(e)["votes"])
}

// The operator's table of origin ASes combines all networks of a provider into one allocation.
func TestTheNetworksOfOneOriginASAreOneAllocation(t *testing.T) {
	t.Parallel()
	table := filepath.Join(t.TempDir(), "origins.txt")
	require.NoError(t, os.WriteFile(table, []byte("2001:db8::/32 64500\n2001:db9::/32 64500\n"), 0o600))
	p := proxied(t, func(env map[string]string) { env["WAFT_ORIGIN_AS_TABLE"] = table }).tenant(t)
	var rented []visitor
	for i, device := range invented(10) {
		rented = append(rented, visitor{device, fmt.Sprintf("2001:db%d:%x::1", 8+i%2, i)})
	}
	release, id := p.rollOut(p.inStages(0, 0, 100).with("thresholds", object{"crashRate": 2.0}))
	p.awaitServed(invented(1), is(release["updateUuid"]))
	require.Equal(t, 40, p.visit(release, slices.Concat(rented, atHome(invented(30))), firstOf(10)))
	e := p.awaitRollout(id, func(e object) bool {
		return isNotRunning(e) || hasCounted(40, 10)(e) && has("waitingFor", "threshold")(e)
	})
	require.Equal(t, "running", e["status"], e["reason"])
	require.Equal(t, votesOf(40, 31, 40, 10, 10), health(e)["votes"])
}

// A person who rents one IPv6 allocation has its 65,536 networks. Together these have only a few votes, and no
// allocation decides alone.
func TestOneAllocationDecidesNoRollout(t *testing.T) {
	t.Parallel()
	server := proxied(t)
	honest := func() []visitor { return atHome(invented(30)) }
	rented := func() (all []visitor) {
		for i, device := range invented(10) {
			all = append(all, visitor{device, fmt.Sprintf("2001:db8:a0%x::1", i)}) // the /48s of one /44
		}
		return all
	}

	for name, tc := range map[string]struct {
		thresholds object
		votes      map[string]any
	}{
		"ten /48s of one /44 are ten votes":           {object{"crashRate": 2.0}, votesOf(40, 31, 40, 10, 10)},
		"they are two votes where the policy says so": {object{"crashRate": 2.0, "allocationVotes": 2}, votesOf(40, 31, 32, 2, 2)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := server.tenant(t)
			release, id := p.rollOut(p.inStages(0, 0, 100).with("thresholds", tc.thresholds))
			p.awaitServed(invented(1), is(release["updateUuid"]))
			require.Equal(t, 40, p.visit(release, slices.Concat(rented(), honest()), firstOf(10)))
			e := p.awaitRollout(id, func(e object) bool {
				return isNotRunning(e) || hasCounted(40, 10)(e) && has("waitingFor", "threshold")(e)
			})
			require.Equal(t, "running", e["status"], e["reason"])
			require.Contains(t, e["reason"], "0% without the most affected allocation")
			require.Equal(t, tc.votes, health(e)["votes"])
		})
	}

	t.Run("a release that crashes for homes as well is rolled back", func(t *testing.T) {
		t.Parallel()
		p := server.tenant(t)
		release, id := p.rollOut(p.inStages(0, 0, 100))
		p.awaitServed(invented(1), is(release["updateUuid"]))
		p.visit(release, slices.Concat(rented(), honest()), always("crash")) // devices that come after the rollback get another release
		require.Equal(t, "rolled_back", p.awaitRollout(id, isNotRunning)["status"])
	})

	t.Run("healthy networks of one allocation end no stage", func(t *testing.T) {
		t.Parallel()
		p := server.tenant(t)
		release, id := p.forAll(10)
		require.Equal(t, 10, p.visit(release, rented(), always("app_launch")))
		e := p.awaitRollout(id, func(e object) bool {
			return isNotRunning(e) || has("waitingFor", "networks")(e) && hasCounted(10, 0)(e)
		})
		require.Equal(t, "running", e["status"], e["reason"])
		require.Contains(t, e["reason"], "one allocation alone cannot decide")
		require.Equal(t, 4, p.visit(release, atHome(invented(4)), always("app_launch"))) // six of the ten devices count
		require.Equal(t, "completed", p.awaitRollout(id, isNotRunning)["status"])
	})
}

// firstOf returns a function for the event of device i: the first n devices crash, the others launch.
func firstOf(n int) func(i int) string {
	return func(i int) string {
		if i < n {
			return "crash"
		}
		return "app_launch"
	}
}

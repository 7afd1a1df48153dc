package e2e

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// Who has one IPv4 /24 also has its 6to4 and Teredo addresses, which are still one network.
func TestTunnelsAreInTheNetworkOfTheirIPv4Address(t *testing.T) {
	t.Parallel()
	p := proxied(t).tenant(t)
	release, id := p.rollOut(p.inStages(0, 0, 100).with("thresholds", object{"crashRate": 90.0}))
	p.awaitServed(invented(1), is(release["updateUuid"]))
	var tunnels []visitor
	for i, device := range invented(20) {
		address := fmt.Sprintf("2002:cb00:71%02x::1", i) // 6to4 of 203.0.113.i
		if i%2 == 1 {
			address = fmt.Sprintf("2001:0:1::34ff:8e%02x", 0xff-i) // Teredo of 203.0.113.i
		}
		tunnels = append(tunnels, visitor{device, address})
	}
	visitors := slices.Concat(tunnels, inNetworks(invented(2), "203.0.113."))
	require.Equal(t, len(visitors), p.visit(release, visitors, always("crash")))
	e := p.awaitRollout(id, hasCounted(len(visitors), len(visitors)))
	require.Equal(t, map[string]any{"networks": 1.0, "errored": 1.0, "crashed": 1.0}, health(e)["votes"])
}

package e2e

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// All devices of an office are in one network. If the project trusts the network, each device has a vote.
func TestAFleetInATrustedOfficeIsRolledOutTo(t *testing.T) {
	t.Parallel()
	p := proxied(t).tenant(t)
	p.trust("203.0.113.0/24")
	office := inNetworks(invented(8), "203.0.113.")
	release, id := p.forAll(len(office))
	require.Equal(t, len(office), p.visit(release, office, always("app_launch")))
	e := p.awaitRollout(id, isNotRunning)
	require.Equal(t, "completed", e["status"], e["reason"])
	require.Equal(t, votesOf(8, 8, 8, 0, 0), health(e)["votes"])

	release, id = p.forAll(len(office))
	require.Equal(t, len(office), p.visit(release, office, oneIn(2)))
	e = p.awaitRollout(id, isNotRunning)
	require.Equal(t, "rolled_back", e["status"], e["reason"])
}

// If the project does not trust the network, the rollout is held, and its reason names the setting. Trusting the
// network then is enough for devices that come later.
func TestAFleetInOneNetworkHolds(t *testing.T) {
	t.Parallel()
	p := proxied(t).tenant(t)
	told := newReceiver(t, nil)
	p.hook(told, "rollout.held")
	office := inNetworks(invented(16), "203.0.113.")
	release, id := p.forAll(8)
	require.Equal(t, 8, p.visit(release, office[:8], always("app_launch")))
	e := p.awaitRollout(id, has("waitingFor", "networks"))
	for _, part := range []string{
		"8 of 8 devices are in one network", "a decision needs 3 networks", "Wait", "WAFT_TRUSTED_PROXIES", "trustedNetworks", "minNetworks",
	} {
		require.Contains(t, e["reason"], part)
	}
	timeline := e["timeline"].([]any)
	held := timeline[len(timeline)-1].(map[string]any)
	require.EqualValues(t, models.EventHeld, held["event"])
	require.Equal(t, e["reason"], held["reason"])
	entries := p.list(path("/v1/ota/audit-log?action=rollout.held&entity_id=%d", id))
	require.Len(t, entries, 1)
	require.Equal(t, e["reason"], entries[0]["details"].(map[string]any)["reason"])
	p.eventually(func() bool { return len(told.got("rollout.held")) > 0 })
	require.Equal(t, entries[0]["details"], told.got("rollout.held")[0].data["details"])

	p.trust("203.0.113.0/24")
	require.Equal(t, 8, p.visit(release, office[8:], always("app_launch")))
	e = p.awaitRollout(id, isNotRunning)
	require.Equal(t, "completed", e["status"], e["reason"])
	// The 8 devices from before share one vote, and each later device has its own. The rollout may end before the last
	// of them has reported.
	devices := health(e)["devices"].(float64)
	require.LessOrEqual(t, devices, 16.0)
	require.GreaterOrEqual(t, devices-7, 3.0, "a decision requires 3 networks")
	require.Equal(t, votesOf(devices-7, devices-7, devices-7, 0, 0), health(e)["votes"])
}

// Each network has one vote, however many devices it has. A device stays in the network in which it was first served
// the release.
func TestTheVotesThatAnExecutionShows(t *testing.T) {
	t.Parallel()
	p := proxied(t).tenant(t)
	release, id := p.rollOut(p.inStages(0, 0, 100).with("thresholds", object{"crashRate": 90.0}))
	alone := invented(1)
	p.run(alone, release["updateUuid"], "app_launch") // this machine is a network of its own
	four, two, one := invented(4), invented(2), invented(1)
	events := []string{"crash", "js_error", "app_launch", "app_launch", "crash", "app_launch", "app_launch"}
	visitors := slices.Concat(inNetworks(four, "203.0.113."), inNetworks(two, "198.51.100."), inNetworks(one, "2001:db8:1::"))
	require.Equal(t, len(events), p.visit(release, visitors, func(i int) string { return events[i] }))
	p.tells(four[3], "production", release["updateUuid"], "crash")
	e := p.awaitRollout(id, hasCounted(8, 3))
	require.Equal(t, "running", e["status"])
	require.Equal(t, 37.5, health(e)["crashRate"], "the rate counts devices")
	require.Equal(t, votesOf(4, 4, 4, 3.0/4+1.0/2, 2.0/4+1.0/2), health(e)["votes"])
}

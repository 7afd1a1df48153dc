package e2e

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// Someone without a key sends requests with invented device IDs, from many addresses in few networks. These requests
// must not decide a rollout, and must not keep honest devices from deciding it.
func TestFewNetworksDecideNoRollout(t *testing.T) {
	t.Parallel()
	server := proxied(t, func(env map[string]string) { env["WAFT_NEW_DEVICES_PER_MINUTE"] = "0" }) // as if the devices were known already
	networks := []string{"203.0.113.", "198.51.100.", "192.0.2.", "2001:db8:1::"}

	t.Run("seven requests force no rollback", func(t *testing.T) {
		t.Parallel()
		p := server.tenant(t)
		release, id := p.rollOut(p.inStages(0, 0, 50, 100))
		p.awaitServed(p.inShareOf(release, 50, true, 1), is(release["updateUuid"]))
		members, others := p.inShareOf(release, 50, true, 2), p.inShareOf(release, 50, false, 3)
		require.Equal(t, 2, p.visit(release, inNetworks(slices.Concat(members, others), networks[0]), always("crash")))
		e := p.awaitRollout(id, func(e object) bool { return isNotRunning(e) || e["waitingFor"] == "networks" && hasCounted(2, 2)(e) })
		require.Equal(t, "running", e["status"], e["reason"])
		require.Equal(t, votesOf(1, 1, 1, 1, 1), health(e)["votes"])
		p.awaitServed(members, is(release["updateUuid"]))
	})

	t.Run("27 crashing devices force no rollback over 300 healthy ones", func(t *testing.T) {
		t.Parallel()
		const honest, forged = 300, 27
		p := server.tenant(t)
		release, id := p.forAll(honest + forged)
		require.Equal(t, forged, p.visit(release, inNetworks(invented(forged), networks[0]), always("crash")))
		require.Equal(t, honest, p.visit(release, atHome(invented(honest)), always("app_launch")))
		e := p.awaitRollout(id, isNotRunning)
		require.Equal(t, "completed", e["status"], e["reason"])
		require.True(t, hasCounted(honest+forged, forged)(e), "%v", e["health"])
		require.Equal(t, votesOf(honest+1, honest+1, honest+1, 1, 1), health(e)["votes"])
	})

	t.Run("1300 healthy devices let no release complete that crashes for a tenth", func(t *testing.T) {
		t.Parallel()
		const honest, forged = 300, 1300
		p := server.tenant(t)
		release, id := p.forAll(honest + forged - 100)
		require.Equal(t, forged, p.visit(release, inNetworks(invented(forged), networks...), always("app_launch")))
		p.visit(release, atHome(invented(honest)), oneIn(10)) // devices that come after the rollback get another release
		e := p.awaitRollout(id, isNotRunning)
		require.Equal(t, "rolled_back", e["status"], e["reason"])
		require.LessOrEqual(t, health(e)["crashRate"], 2.0, "counted by devices the rate is within the threshold")
	})

	t.Run("a regression is rolled back beside the attacker", func(t *testing.T) {
		t.Parallel()
		p := server.tenant(t)
		p.release()
		release, id := p.rollOut(p.inStages(0, 0, 20, 100))
		p.awaitServed(p.inShareOf(release, 20, true, 1), is(release["updateUuid"]))
		members := p.inShareOf(release, 20, true, 120)
		homes := atHome(slices.Concat(members, p.inShareOf(release, 20, false, 40)))
		forged := p.inShareOf(release, 20, true, 800)
		require.Equal(t, len(forged), p.visit(release, inNetworks(forged, networks...), always("app_launch")))
		p.visit(release, homes, oneIn(10))
		e := p.awaitRollout(id, isNotRunning)
		require.Equal(t, "rolled_back", e["status"], e["reason"])
		require.LessOrEqual(t, health(e)["crashRate"], 2.0, "counted by devices the rate is within the threshold")
		p.awaitServed(members, isNot(release["updateUuid"]))
	})
}

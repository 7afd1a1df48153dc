package e2e

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/lab/fleet"
	"github.com/waft-ota/waft/models"
)

// linkedRollout starts a rollout of a release that links a flag and has a graduated rollback. Every device has a stable
// release before it.
func linkedRollout(t *testing.T, message string) (p *undecided, stable, release object, id int64) {
	t.Helper()
	p = newUndecided(t)
	stable = p.release()
	p.awaitServed([]string{"anybody"}, is(stable["updateUuid"]))
	flag := p.create("/v1/ota/flags", object{"name": "Checkout", "key": "checkout", "flagType": "boolean", "defaultValue": false})
	policy := p.inStages(2, 5, 30, 100)
	policy["thresholds"] = object{"crashRate": 2.0, "rollbackScope": "graduated"}
	release, id = p.rollOut(policy, linking(flag), func(body object) { body["releaseMessage"] = message })
	await(t, waitLimit, atLeisure, func() bool { return len(p.overriding("checkout")) == 1 })
	p.awaitRollout(id, hasHappened("started"))
	return p, stable, release, id
}

func (p *tenant) awaitFlagsReverted(id int64) {
	p.t.Helper()
	e := p.awaitRollout(id, hasHappened("started", "flags_reverted"))
	require.Contains(p.t, told(e, models.EventFlagsReverted), "linked flags reverted and stage 1 of 2 (30%) restarted")
	require.Empty(p.t, e["linkedFlags"])
	await(p.t, waitLimit, atLeisure, func() bool { return len(p.overriding("checkout")) == 0 })
}

// A release with a linked flag breaches a threshold. Without the flag it does not, so the release stays, and earlier
// reports no longer count.
func TestAGraduatedRollbackOfAFlagKeepsTheRelease(t *testing.T) {
	t.Parallel()
	p, _, release, id := linkedRollout(t, "checkout")
	members := p.inShareOf(release, 30, true, 8)
	// A crash reported after the flag was reverted would count against the release without the flag.
	p.reported(release["updateUuid"], len(members), 0, func() { p.run(members, release["updateUuid"], "app_launch", "crash") })
	p.awaitFlagsReverted(id)
	p.run(members, release["updateUuid"], "app_launch")
	e := p.awaitRollout(id, func(e object) bool { return e["endedAt"] != nil })
	require.Equal(t, []string{"started", "flags_reverted", "stage_advanced", "completed"}, happened(e))
	p.awaitServed(append(members, p.inShareOf(release, 30, false, 2)...), is(release["updateUuid"]))
}

// A release that breaches its threshold even without the flag is rolled back after the flag is reverted.
func TestAGraduatedRollbackRevertsTheReleaseAfterTheFlag(t *testing.T) {
	t.Parallel()
	p, stable, release, id := linkedRollout(t, "checkout")
	devices, err := fleet.New(fleet.Options{
		BaseURL: p.url, ProjectSlug: p.slug, Channel: "production", RuntimeVersion: "1.0.0",
		Devices: 200, IOSPercent: 100, Seed: 11, Assets: fleet.AssetPolicy{Rest: fleet.AssetHead},
	})
	require.NoError(t, err)
	t.Cleanup(devices.Close)
	devices.SetRules(fleet.Rule{Match: "checkout", Effect: fleet.Crash, Percent: 100})
	stop := keepLaunching(t, devices)
	p.awaitFlagsReverted(id)
	e := p.awaitRollout(id, func(e object) bool { return e["endedAt"] != nil })
	stop()
	require.Equal(t, []string{"started", "flags_reverted", "rolled_back"}, happened(e))
	require.EqualValues(t, models.ExecutionRolledBack, e["status"])
	require.Contains(t, e["reason"], "crash rate")
	member := p.inShareOf(release, 30, true, 1)
	p.awaitServed(member, isNot(release["updateUuid"]))
	require.NotEqual(t, stable["updateUuid"], p.gets(member[0], "production"), "the successor must be newer than the stable release")
	p.awaitServed(p.inShareOf(release, 30, false, 1), is(stable["updateUuid"]))
}

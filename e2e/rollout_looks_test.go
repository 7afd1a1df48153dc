package e2e

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The curve of a rollout contains the watcher's observations. Every stage appears in it, even when the curve is reduced
// to few points.
func TestTheCurveOfARollout(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	p.known()
	first := p.release()
	release, id := p.rollOut(p.inStages(0, 0, 30, 100).with("thresholds", object{"crashRate": 90.0, "minNetworks": 1}))
	p.awaitRollout(id, has("percentage", 30.0))
	looks := func(limit string) []object { return p.list(path("/v1/ota/rollout-executions/%d/looks%s", id, limit)) }
	inside, later := p.inShareOf(release, 30, true, 4), p.inShareOf(release, 30, false, 2)
	p.run(inside[:2], release["updateUuid"], "app_launch")
	var curve []object
	p.eventually(func() bool { curve = looks(""); return len(curve) > 0 && curve[0]["devices"] == 2.0 })
	p.run(inside[2:], release["updateUuid"], "app_launch", "crash")
	p.tells(later[0], "production", release["updateUuid"], "crash") // the device was not served the release
	p.eventually(func() bool {
		curve = looks("")
		return curve[0]["devices"] == 4.0 && curve[0]["crashedDevices"] == 2.0 && curve[0]["ignoredDevices"] == 1.0
	})
	require.Equal(t, 50.0, curve[0]["crashRate"])
	require.Equal(t, 50.0, curve[0]["errorRate"])
	require.Equal(t, 0.0, curve[0]["stageIndex"])
	require.Equal(t, 30.0, curve[0]["percentage"])
	require.NotNil(t, curve[0]["evidence"])

	p.awaitCommand(id, "advance", nil)
	p.run(later, release["updateUuid"], "app_launch")
	p.eventually(func() bool { curve = looks(""); return curve[0]["stageIndex"] == 1.0 && curve[0]["devices"] == 6.0 })
	p.eventually(func() bool { return stagesOf(looks(""))[0.0] }) // both are stored, not only part of the current record
	for i := range curve[1:] {
		require.Greater(t, curve[i]["at"], curve[i+1]["at"])
	}
	require.Equal(t, map[any]bool{0.0: true, 1.0: true}, stagesOf(looks("?limit=2")))
	require.Len(t, looks("?limit=1"), 1)
	require.NotEqual(t, first["id"], release["id"])
}

func stagesOf(curve []object) map[any]bool {
	stages := map[any]bool{}
	for _, look := range curve {
		stages[look["stageIndex"]] = true
	}
	return stages
}

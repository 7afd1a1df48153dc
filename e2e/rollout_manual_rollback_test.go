package e2e

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// A manual rollback requires only the API and Postgres. It works while no worker runs, and a worker that starts later
// finds it done.
func TestAManualRollbackNeedsNoWorker(t *testing.T) {
	t.Parallel()
	env := settings(t)
	p := installation{url: serveAPI(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}.tenant(t)
	stopWorker := startWorker(t, env)
	stable := p.release()
	checkout := p.create("/v1/ota/flags", object{"name": "Checkout", "key": "checkout", "flagType": "boolean", "defaultValue": false})
	bad, id := p.rollOut(p.inStages(0, 0, 20, 100), linking(checkout))
	member, other := p.inShareOf(bad, 20, true, 1), p.inShareOf(bad, 20, false, 1)
	p.awaitServed(member, is(bad["updateUuid"]))
	p.awaitServed(other, is(stable["updateUuid"]))
	require.Equal(t, []string{bad["updateUuid"].(string)}, p.overriding("checkout"))
	stopWorker()

	p.steer(id, "rollback", object{"scope": "flag"}).problem(http.StatusBadRequest, models.CodeInvalid)
	flagless := p.create("/v1/ota/flags", object{"name": "Other", "key": "other", "flagType": "boolean", "defaultValue": false})
	p.steer(id, "rollback", object{"scope": "flag", "flagId": flagless.id("id")}).problem(http.StatusBadRequest, models.CodeInvalid)
	e := p.awaitCommand(id, "rollback", object{"scope": "flag", "flagId": checkout.id("id"), "reason": "checkout hangs"})
	require.Equal(t, "running", e["status"])
	require.Equal(t, []string{"started", "flags_reverted"}, happened(e))
	eventually(t, func() bool { return len(p.overriding("checkout")) == 0 })
	p.awaitServed(member, is(bad["updateUuid"]))

	e = p.awaitCommand(id, "rollback", object{"scope": "release", "reason": "and it crashes"})
	require.Equal(t, "rolled_back", e["status"])
	require.Equal(t, "and it crashes", e["reason"])
	require.Equal(t, []string{"started", "flags_reverted", "rolled_back"}, happened(e))
	p.awaitServed(member, isNot(bad["updateUuid"]))
	successor := p.gets(member[0], "production")
	require.NotEqual(t, stable["updateUuid"], successor)
	require.Equal(t, stable["updateUuid"], p.gets(other[0], "production"), "devices that never had the release keep the stable one")
	p.steer(id, "rollback", object{"scope": "release"}).problem(http.StatusConflict, models.CodeInvalidTransition)

	// No worker has ever processed this rollout.
	early, unheard := p.rollOut(p.inStages(0, 0, 20, 100))
	e = p.awaitCommand(unheard, "rollback", object{"scope": "release"})
	require.Equal(t, []string{"rolled_back"}, happened(e))

	startWorker(t, env)
	for rollout, release := range map[int64]object{id: bad, unheard: early} {
		before := p.rolloutNow(rollout)
		state := followed(t, env, before["workflowId"])
		require.Equal(t, models.ExecutionRolledBack, state.Status)
		require.Equal(t, before, p.rolloutNow(rollout), "the workflow must not change the rollout any more")
		require.Equal(t, 1, p.audited("rollout.rolled_back", rollout))
		require.Equal(t, false, p.read(path("/v1/ota/updates/%d", release.id("id")))["isEnabled"])
	}
	require.Equal(t, successor, p.gets(member[0], "production"))
}

// A channel returns to the release that every device had, whatever is rolling out there.
func TestAManualRollbackOfAChannel(t *testing.T) {
	t.Parallel()
	env := settings(t)
	p := installation{url: serve(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}.tenant(t)
	stable := p.release()
	first, firstRun := p.rollOut(p.inStages(0, 0, 40, 100))
	p.awaitRollout(firstRun, hasHappened("started"))
	second, secondRun := p.rollOut(p.inStages(0, 0, 20, 100))
	elsewhere := p.channel()
	_, otherRun := p.rollOut(p.inStages(0, 0, 20, 100), func(body object) { body["channel"] = elsewhere })
	p.awaitRollout(secondRun, hasHappened("started"))
	p.awaitRollout(otherRun, hasHappened("started"))
	devices := append(p.inShareOf(first, 40, true, 3), p.inShareOf(second, 20, true, 3)...)
	p.awaitServed(devices, isNot(stable["updateUuid"]))

	e := p.awaitCommand(secondRun, "rollback", object{"scope": "channel", "reason": "all of it"})
	require.Equal(t, "rolled_back", e["status"])
	for _, device := range append(devices, p.inShareOf(first, 40, false, 3)...) {
		await(t, waitLimit, atLeisure, func() bool { return p.buildFor(device) == stable["buildId"] })
	}
	for _, run := range []int64{firstRun, secondRun} {
		e := p.rolloutNow(run)
		require.Equal(t, []string{"started", "rolled_back"}, happened(e))
		require.Equal(t, models.ExecutionRolledBack, followed(t, env, e["workflowId"]).Status)
	}
	require.Equal(t, "running", p.rolloutNow(otherRun)["status"], "the rollout on another channel keeps running")
}

// buildFor returns the build that a device is served.
func (p *tenant) buildFor(device string) any {
	p.t.Helper()
	resolved := p.read("/v1/ota/resolve?channel=production&platform=ios&runtimeVersion=1.0.0&deviceId=" + device)
	return p.read(path("/v1/ota/updates/%d", resolved.id("updateId")))["buildId"]
}

// A manual rollback ends a rollout that is held by a threshold, and a paused rollout.
func TestAManualRollbackOfARolloutThatWaits(t *testing.T) {
	t.Parallel()
	env := settings(t)
	p := installation{url: serve(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}.tenant(t)
	stable := p.release()
	p.awaitServed([]string{"anybody"}, is(stable["updateUuid"]))
	for name, await := range map[string]func(int64, object){
		"at a gate": func(id int64, bad object) {
			p.run(p.inShareOf(bad, 20, true, 8), bad["updateUuid"], "app_launch", "crash")
			p.awaitRollout(id, has("waitingFor", "threshold"))
		},
		"for somebody to resume it": func(id int64, _ object) {
			require.Equal(t, "resume", p.awaitCommand(id, "pause", nil)["waitingFor"])
		},
	} {
		policy := p.inStages(0, 0, 20, 100)
		policy["thresholds"] = object{"crashRate": 2.0, "action": "gate"}
		bad, id := p.rollOut(policy)
		p.awaitRollout(id, hasHappened("started"))
		await(id, bad)
		e := p.awaitCommand(id, "rollback", object{"scope": "release"})
		require.Equal(t, "rolled_back", e["status"], name)
		require.Nil(t, e["waitingFor"])
		require.Nil(t, e["pausedAt"])
		p.awaitServed(p.inShareOf(bad, 20, true, 2), isNot(bad["updateUuid"]))
		require.Equal(t, models.ExecutionRolledBack, followed(t, env, e["workflowId"]).Status)
		p.steer(id, "resume", nil).problem(http.StatusConflict, models.CodeInvalidTransition)
	}
}

// The timeline of a rollout and the history of its release have the same name for the root key.
func TestTheRootKeyHasOneName(t *testing.T) {
	t.Parallel()
	env := settings(t)
	p := installation{url: serveAPI(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"], still: true}.tenant(t)
	release, id := p.rollOut(p.inStages(0, 0, 20, 100))
	rollback := steering(id, "rollback", object{"scope": "release"})
	rollback.key = p.rootKey
	e := p.do(rollback).record(http.StatusOK)
	require.Equal(t, "rolled back by the root key", e["reason"])
	timeline := e["timeline"].([]any)
	require.Equal(t, "the root key", timeline[len(timeline)-1].(map[string]any)["actor"])
	newest := p.list(path("/v1/ota/updates/%d/history?sort=-createdAt", release.id("id")))[0]
	require.Equal(t, "the root key", newest["actor"])
}

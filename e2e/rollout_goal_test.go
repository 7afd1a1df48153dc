package e2e

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// A rollback does not lead back to a release that a rollout has rolled back, unless the call says so.
func TestARollbackToADisabledRelease(t *testing.T) {
	t.Parallel()
	env := settings(t)
	p := installation{url: serve(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}.tenant(t)
	stable := p.release()
	policy := p.inStages(0, 0, 20, 100)
	policy["thresholds"] = object{"crashRate": 2.0, "action": "auto-rollback"}
	bad, run := p.rollOut(policy)
	p.awaitRollout(run, hasHappened("started"))
	p.run(p.inShareOf(bad, 20, true, 12), bad["updateUuid"], "app_launch", "crash")
	p.awaitRollout(run, has("status", "rolled_back"))

	body := object{"channel": "production", "platform": "ios", "runtimeVersion": "1.0.0", "rollbackToUpdateId": bad.id("id")}
	back := p.byEditor(http.MethodPost, to(body, "/v1/ota/rollback"))
	releases := len(p.list("/v1/ota/updates"))
	refused := p.do(back).problem(http.StatusConflict, models.CodeGoalDisabled)
	goal := refused["goal"].(map[string]any)
	require.Equal(t, bad["id"], goal["updateId"])
	require.Equal(t, false, goal["isEnabled"])
	require.NotEmpty(t, goal["disabledAt"])
	require.Equal(t, "system", goal["disabledBy"].(map[string]any)["type"])
	require.Contains(t, goal["reason"], "crash rate")
	require.Contains(t, refused["detail"], goal["reason"])
	require.Len(t, p.list("/v1/ota/updates"), releases)

	said := p.previews(body, "/v1/ota/rollback")
	require.Equal(t, goal, said["goal"])
	require.Contains(t, said["warnings"].([]any)[0], goal["reason"])
	listed := p.read(path("/v1/ota/updates/%d", bad.id("id")))
	require.Equal(t, []any{goal["disabledAt"], goal["disabledBy"], goal["reason"]},
		[]any{listed["disabledAt"], listed["disabledBy"], listed["disabledReason"]})
	enabled := p.previews(body.with("rollbackToUpdateId", stable["id"]), "/v1/ota/rollback")["goal"]
	require.Equal(t, map[string]any{
		"updateId": stable["id"], "isEnabled": true, "disabledAt": nil, "disabledBy": nil, "reason": "",
	}, enabled)
	require.Nil(t, p.previews(body.with("rollbackToUpdateId", nil), "/v1/ota/rollback")["goal"])

	made := p.do(p.byEditor(http.MethodPost, to(body.with("rollbackToUpdateId", stable["id"]).with("reason", "support asked for it"),
		"/v1/ota/rollback"))).record(http.StatusCreated)
	history := p.list(path("/v1/ota/updates/%d/history", made.id("id")))
	require.Equal(t, "support asked for it", history[0]["details"].(map[string]any)["reason"])

	body = body.with("rollbackToUpdateId", bad["id"]).with("allowDisabled", true)
	made = p.do(p.byEditor(http.MethodPost, to(body, "/v1/ota/rollback"))).record(http.StatusCreated)
	require.Equal(t, bad["id"], made["republishedFromId"])
	p.awaitServed([]string{"d"}, is(made["updateUuid"]))
}

// A call that waits for approval is refused if its release has been disabled by then.
func TestAnApprovedRollbackFindsItsReleaseDisabled(t *testing.T) {
	t.Parallel()
	env := settings(t)
	p := installation{url: serve(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}.tenant(t)
	colleague := p.person(models.RoleEditor)
	tried := p.create(path("/v1/ota/builds/%d/publish", p.build().id("id")), object{"channel": "production", "rolloutPercentage": 10})
	p.release()
	p.protect("production", 1)
	body := object{"channel": "production", "platform": "ios", "runtimeVersion": "1.0.0", "rollbackToUpdateId": tried["id"]}
	asked := p.pending(p.byEditor(http.MethodPost, to(body, "/v1/ota/rollback")))
	off := object{"isEnabled": false, "reason": "it crashes"}
	p.do(to(off, "/v1/ota/updates/%d", tried.id("id")).by(http.MethodPatch)).record(http.StatusOK)
	require.Contains(t, p.requireStale(asked.id("id"), colleague), "it crashes")
}

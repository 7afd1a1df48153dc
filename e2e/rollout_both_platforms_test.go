package e2e

import (
	"net/http"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// A rollback of all platforms ends the rollouts of each platform that was published together, in one call.
func TestARollbackOfAllPlatformsEndsTheRolloutsOfTheGroup(t *testing.T) {
	t.Parallel()
	env := settings(t)
	p := installation{url: serveAPI(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}.tenant(t)
	ios, rollout := p.rollOut(p.inStages(0, 0, 20, 100))
	android := p.onAndroid(ios, "rolloutPolicyId", p.create("/v1/ota/rollout-policies", p.inStages(0, 0, 20, 100)).id("id"))
	require.Equal(t, "android", android["platform"])
	_, apart := p.rollOut(p.inStages(0, 0, 20, 100)) // another group

	p.steer(rollout, "rollback", object{"scope": "channel", "allPlatforms": true}).problem(http.StatusBadRequest, models.CodeInvalid)
	e := p.awaitCommand(rollout, "rollback", object{"scope": "release", "allPlatforms": true, "reason": "it crashes on both"})
	require.Equal(t, "rolled_back", e["status"])
	other := p.rolloutNow(android.id("rolloutExecutionId"))
	require.Equal(t, "rolled_back", other["status"])
	require.Equal(t, "it crashes on both", other["reason"])
	require.NotEqual(t, "rolled_back", p.rolloutNow(apart)["status"])
	for _, release := range []object{ios, android} {
		require.Equal(t, false, p.read(path("/v1/ota/updates/%d", release.id("id")))["isEnabled"])
	}
}

// The rollouts of one publish are rolled back one by one. Each names its successor, and the successors are one group again.
func TestSuccessorsOfOnePublishAreOneGroup(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	good := p.release()
	ios, rollout := p.rollOut(p.inStages(0, 0, 20, 100))
	android := p.onAndroid(ios, "rolloutPolicyId", p.create("/v1/ota/rollout-policies", p.inStages(0, 0, 20, 100)).id("id"))
	var successors []object
	for _, id := range []int64{rollout, android.id("rolloutExecutionId")} {
		e := p.awaitRollout(id, hasHappened("started"))
		require.Nil(t, e["successor"])
		e = p.awaitCommand(id, "rollback", object{"scope": "release"})
		require.Equal(t, e["successor"], p.rolloutNow(id)["successor"])
		successors = append(successors, e["successor"].(map[string]any))
	}
	require.Equal(t, "rollback_to_embedded", successors[1]["kind"])
	require.Equal(t, successors[0]["groupId"], successors[1]["groupId"])
	successor := p.read(path("/v1/ota/updates/%d", successors[0].id("updateId")))
	require.Equal(t, good["id"], successor["republishedFromId"])
	require.Equal(t, []any{ios["id"]}, successor["rolledBackUpdateIds"])
}

// `waft rollback` rolls back both platforms of a publish in one call, or one platform by choice.
func TestTheRollbackCommandIncludesBothPlatforms(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	good := p.release()
	goodAndroid := p.onAndroid(good)
	p.onAndroid(p.release())
	waft := func(args ...string) string {
		t.Helper()
		out, err := p.runWaft(models.RoleEditor, append([]string{"rollback", "--channel", "production"}, args...)...)
		require.NoError(t, err)
		return out
	}
	to := strconv.FormatInt(good.id("id"), 10)
	preview := waft("--to", to, "--preview")
	require.Contains(t, preview, "a new release for ios 1.0.0")
	require.Contains(t, preview, "a new release for android 1.0.0")
	require.Contains(t, waft("--to", to, "--reason", "it crashes"), "rolled back ios 1.0.0 and android 1.0.0 on production\n")
	newest := p.list("/v1/ota/updates?limit=2")
	require.Equal(t, newest[0]["groupId"], newest[1]["groupId"])
	require.ElementsMatch(t, []any{good["id"], goodAndroid["id"]}, []any{newest[0]["republishedFromId"], newest[1]["republishedFromId"]})

	require.Contains(t, waft("--to", to), "android keeps what it has, because every device gets the files of release")
	require.Contains(t, waft("--to", to, "--platform", "ios"), "rolled back ios 1.0.0 on production\n")
	require.Regexp(t, "rolled back (ios 1.0.0 and android|android 1.0.0 and ios) 1.0.0 on production\n", waft("--embedded", "--runtime-version", "1.0.0"))
	for _, r := range p.list("/v1/ota/updates?limit=2") {
		require.Equal(t, "rollback_to_embedded", r["kind"])
	}
}

// Without a target, `waft rollback --yes` undoes the newest publish of a channel: its rollout, otherwise the release itself.
func TestTheRollbackCommandUndoesTheNewestPublish(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	waft := func(args ...string) string {
		t.Helper()
		out, err := p.runWaft(models.RoleEditor, append([]string{"rollback", "--channel", "production"}, args...)...)
		require.NoError(t, err)
		return out
	}
	good := p.release()
	goodAndroid := p.onAndroid(good)
	bad := p.release()
	badAndroid := p.onAndroid(bad)
	require.Contains(t, waft("--preview"), "disabled, 100% of devices")
	require.Contains(t, waft("--yes", "--reason", "it crashes"), "rolled back ")
	newest := p.list("/v1/ota/updates?limit=2")
	require.ElementsMatch(t, []any{good["id"], goodAndroid["id"]}, []any{newest[0]["republishedFromId"], newest[1]["republishedFromId"]})
	for _, r := range []object{bad, badAndroid} {
		require.Equal(t, false, p.read(path("/v1/ota/updates/%d", r.id("id")))["isEnabled"])
	}

	_, rollout := p.rollOut(p.inStages(0, 0, 20, 100))
	p.awaitRollout(rollout, hasHappened("started"))
	require.Contains(t, waft("--yes"), "is rolled back")
	require.Equal(t, "rolled_back", p.rolloutNow(rollout)["status"])

	require.Contains(t, waft("--yes", "--platform", "ios"), "rolled back ios 1.0.0 on production")
	require.Equal(t, "rollback_to_embedded", p.list("/v1/ota/updates?limit=1")[0]["kind"], "no other release is enabled")
	_, err := p.runWaft(models.RoleEditor, "rollback", "--channel", "production", "--platform", "ios", "--yes")
	require.ErrorContains(t, err, "devices of production for ios 1.0.0 get the embedded update already")
}

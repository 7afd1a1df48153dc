package e2e

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// A person takes an error and resolves it. Reports from releases that had it do not bring it back, a newer release does.
func TestAResolvedErrorRegressesOnANewerRelease(t *testing.T) {
	t.Parallel()
	env := settings(t)
	env["WAFT_INCIDENT_INTERVAL"] = "500ms"
	p := installation{url: serve(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}.tenant(t)
	first, second := p.release()["updateUuid"], p.release()["updateUuid"]
	for _, name := range []string{"known", "other"} {
		p.fails(first, models.IOS, name, "it failed", "", nil)
		p.fails(second, models.IOS, name, "it failed", "", nil)
	}
	list := func(query string) map[string]object {
		byName := map[string]object{}
		for _, g := range p.do(at("/v1/ota/observe/groups?%s", query)).list() {
			byName[g["errorName"].(string)] = g
		}
		return byName
	}
	found := list("")
	page := func(name string) string { return path("/v1/ota/observe/groups/%s", found[name]["fingerprint"]) }
	patch := func(name string, body object) answer {
		return p.do(request{method: http.MethodPatch, path: page(name), key: p.keys[models.RoleEditor], body: body})
	}
	require.Equal(t, "open", found["known"]["status"])
	require.Nil(t, found["known"]["assigneeId"])

	ada := p.person(models.RoleEditor)
	id := p.membership(ada)["userId"]
	require.Equal(t, id, patch("known", object{"assigneeId": id, "note": "since 1.4"}).record(http.StatusOK)["assigneeId"])
	assigned := p.do(at("/v1/ota/audit-log?action=error_group.updated&limit=1")).list()[0]["details"].(map[string]any)["assignee"]
	require.Equal(t, map[string]any{"before": nil, "after": ada.email}, assigned, "the audit log names the person")
	mine := p.do(request{method: http.MethodGet, path: "/v1/ota/observe/groups?assignee=me", session: ada.session}).list()
	require.Len(t, mine, 1)
	require.Equal(t, "since 1.4", mine[0]["note"])
	require.Contains(t, list(path("assignee=%v", id)), "known")
	require.Contains(t, list("assignee=none"), "other")
	p.do(at("/v1/ota/observe/groups?assignee=me")).problem(http.StatusBadRequest, models.CodeInvalid) // a key is nobody
	patch("known", object{"assigneeId": 1}).problem(http.StatusBadRequest, models.CodeInvalid)        // a stranger

	stale := p.do(at("%s", page("known"))).header.Get("ETag")
	for _, name := range []string{"known", "other"} {
		resolved := patch(name, object{"resolved": true}).record(http.StatusOK)
		require.Equal(t, "resolved", resolved["status"])
		require.Equal(t, p.marker, resolved["resolvedBy"])
	}
	late := request{method: http.MethodPatch, path: page("known"), body: object{"note": ""}}.with("If-Match", stale)
	p.do(late).problem(http.StatusPreconditionFailed, models.CodePreconditionFailed)
	require.Len(t, list("status=resolved"), 2)
	require.Empty(t, list("status=open"))

	third := p.release()["updateUuid"]
	p.fails(first, models.IOS, "known", "it failed", "", nil) // an old release still has it
	p.fails(first, models.Android, "known", "it failed", "", nil)
	p.fails(third, models.IOS, "other", "it failed", "", nil) // inserted after the reports above
	p.eventually(func() bool { return list("")["other"]["status"] == "regressed" })
	other := list("status=regressed")["other"]
	require.Equal(t, third, other["regressedUpdateUuid"])
	require.Contains(t, list("status=resolved"), "known")
	actions := map[any]int{}
	for _, e := range p.do(at("/v1/ota/audit-log?limit=200")).list() {
		if e["entityType"] == "error_group" {
			actions[e["action"]]++
		}
	}
	require.Equal(t, map[any]int{
		"error_group.updated": 1, "error_group.resolved": 2, "error_group.regressed": 1,
	}, actions)

	require.Equal(t, "resolved", patch("other", object{"resolved": true}).record(http.StatusOK)["status"], "it is resolved again")
	reopened := patch("other", object{"resolved": false}).record(http.StatusOK)
	require.Equal(t, "open", reopened["status"])
	require.Nil(t, reopened["resolvedAt"])

	member := p.member(ada)
	p.do(request{method: http.MethodDelete, path: path("/v1/ota/members/%d", member)}).requireStatus(http.StatusNoContent)
	left := list("")["known"]
	require.Nil(t, left["assigneeId"], "the assignee is no longer a member")
	require.Equal(t, "since 1.4", left["note"])
}

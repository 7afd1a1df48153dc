package e2e

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// Each audit entry names the record that it is about: by its current name, or by the recorded one if the record is deleted.
func TestAuditEntriesNameTheirSubjects(t *testing.T) {
	t.Parallel()
	env := settings(t)
	p := installation{url: serveAPI(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}.tenant(t)
	subjectOf := func(action string) object {
		return p.list("/v1/ota/audit-log?action=" + action)[0]["subject"].(map[string]any)
	}

	release := p.release()
	p.do(to(object{"releaseMessage": "Faster start"}, "/v1/ota/updates/%d", release.id("id")).by(http.MethodPatch)).record(200)
	want := object{
		"kind": "release", "id": path("%d", release.id("id")), "name": "Faster start", "platform": "ios", "runtimeVersion": "1.0.0",
		"exists": true,
	}
	require.Equal(t, want, subjectOf("update.patched"))
	require.Equal(t, want, subjectOf("build.published"), "the entry names the release as it is now")
	p.do(at("/v1/ota/updates/%d", release.id("id")).by(http.MethodDelete)).requireStatus(204)
	require.Equal(t, want.with("exists", false), subjectOf("update.patched"), "a deleted release keeps its name")

	flag := p.flag()
	p.create(path("/v1/ota/flags/%d/rules", flag.id("id")), object{
		"ruleType": "user_list", "ruleConfig": object{"userIds": []string{"ann"}}, "variantValue": "true",
	})
	rule := object{"kind": "flag", "id": path("%d", flag.id("id")), "name": flag["key"], "exists": true}
	require.Equal(t, rule, subjectOf("rule.created"), "a rule is a part of its flag")
	p.do(at("/v1/ota/flags/%d", flag.id("id")).by(http.MethodDelete)).requireStatus(204)
	require.Equal(t, rule.with("exists", false), subjectOf("flag.deleted"))
	require.Equal(t, rule.with("exists", false), subjectOf("rule.created"))

	policy := p.policy()
	require.Equal(t, "policy", subjectOf("policy.created")["kind"])
	p.do(to(object{"name": "careful"}, "/v1/ota/rollout-policies/%d", policy).by(http.MethodPatch)).record(200)
	require.Equal(t, "careful", subjectOf("policy.updated")["name"])
}

package e2e

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

const madeUpCommit = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"

// A build's commit and author are in every record of its release, and everyone in the project reads the repository's URL.
func TestCommitsHaveAnAuthorAndARepository(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	stored := p.build()["assets"].([]any)[0].(map[string]any)
	build := p.create("/v1/ota/builds", object{
		"platform": "ios", "runtimeVersion": "1.0.0", "gitCommitHash": madeUpCommit, "gitAuthor": "Ada Lovelace",
		"files": []object{{"path": "index.hbc", "sha256": stored["sha256"], "isLaunchAsset": true}},
	})
	require.Equal(t, "Ada Lovelace", build["gitAuthor"])
	release := p.create(path("/v1/ota/builds/%d/publish", build.id("id")), object{"channel": "production", "rolloutPolicyId": p.policy()})
	again := p.create(path("/v1/ota/updates/%d/republish", release.id("id")), object{"channels": []string{"staging"}})
	repeated := again["updates"].([]any)[0].(map[string]any)
	flag := p.flag()
	// As the watcher does when it opens incidents.
	for _, update := range []any{release["updateUuid"], "not a UUID"} {
		var id int64
		p.sqlValue(`INSERT INTO incidents (project_id, update_uuid, channel, platform, runtime_version, flag_key, flag_variation, devices,
				errored_devices, crashed_devices, peak_errored_devices, baseline_devices, baseline_errored_devices, opened_at, checked_at)
			VALUES ($1, $2, 'production', 'ios', '1.0.0', $3, 'true', 10, 9, 0, 9, 100, 1, now(), now())
			RETURNING id`, &id, p.id, update, flag["key"])
	}
	incidents := p.list("/v1/ota/telemetry/incidents")
	require.Len(t, incidents, 2)
	unknown, incident := incidents[0], incidents[1]
	acknowledge := to(object{"acknowledged": true}, "/v1/ota/telemetry/incidents/%d", incident.id("id")).by(http.MethodPatch)
	for name, record := range map[string]object{
		"release": release, "repeated": repeated, "listed": p.list("/v1/ota/updates")[1],
		"build":    p.list("/v1/ota/builds")[0],
		"rollout":  p.read(path("/v1/ota/rollout-executions/%d", release.id("rolloutExecutionId"))),
		"rollouts": p.list("/v1/ota/rollout-executions")[0], "incidents": incident,
		"incident":     p.read(path("/v1/ota/telemetry/incidents/%d", incident.id("id"))),
		"acknowledged": p.do(acknowledge).record(http.StatusOK),
	} {
		require.Equal(t, madeUpCommit, record["gitCommitHash"], name)
		require.Equal(t, "Ada Lovelace", record["gitAuthor"], name)
	}
	require.Equal(t, release["rolloutExecutionId"], incident["rolloutExecutionId"])
	require.Equal(t, flag["id"], incident["flagId"])
	require.Equal(t, flag["id"], unknown["flagId"])
	require.Nil(t, unknown["rolloutExecutionId"])
	require.Empty(t, unknown["gitCommitHash"])

	require.Nil(t, p.read("/v1/ota/settings")["repositoryUrl"])
	require.NotContains(t, p.read("/v1/me")["projects"].([]any)[0], "repositoryUrl")
	const repository = "https://github.com/acme/app"
	p.do(to(object{"repositoryUrl": repository}, "/v1/ota/settings").by(http.MethodPatch)).record(http.StatusOK)
	require.Equal(t, repository, p.read("/v1/ota/settings")["repositoryUrl"])
	require.Equal(t, repository, p.read("/v1/me")["projects"].([]any)[0].(map[string]any)["repositoryUrl"])
	p.do(to(object{"repositoryUrl": nil}, "/v1/ota/settings").by(http.MethodPatch)).record(http.StatusOK)
	require.Nil(t, p.read("/v1/ota/settings")["repositoryUrl"])
}

package e2e

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// nameOf returns the name of a release in records that refer to it.
func nameOf(release object) map[string]any {
	name := map[string]any{"updateId": release["id"]}
	for _, field := range []string{"updateUuid", "groupId", "platform", "runtimeVersion", "releaseMessage", "kind"} {
		name[field] = release[field]
	}
	return name
}

// Records that refer to a release name it by its message and version, even if 650 releases are newer.
func TestReleasesAreNamedWhereverTheyAreMentioned(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	p.known()
	release, execution := p.rollOut(p.inStages(0, 0, 10, 100))
	p.awaitRollout(execution, has("percentage", 10.0))
	device := p.inShareOf(release, 10, true, 1)[0]
	p.run([]string{device}, release["updateUuid"], "app_launch", "js_error")
	_, err := p.postgres().Exec(t.Context(), `
		INSERT INTO releases SELECT (jsonb_populate_record(r, jsonb_build_object(
			'id', nextval('waft_ids'), 'update_uuid', gen_random_uuid(), 'group_id', gen_random_uuid(), 'runtime_version', '9.0.0',
			'created_at', r.created_at + n * interval '1 second', 'release_message', 'Newer ' || n))).*
		FROM releases r, generate_series(1, 650) n WHERE r.id = $1`, release.id("id"))
	require.NoError(t, err)

	name := nameOf(release)
	for _, e := range []object{p.rolloutNow(execution), p.list("/v1/ota/rollout-executions")[0]} {
		require.Equal(t, p.marker, e["releaseMessage"])
		require.Equal(t, "1.0.0", e["runtimeVersion"])
	}
	var groups []object
	p.eventually(func() bool {
		groups = p.list("/v1/ota/observe/groups")
		return len(groups) == 1 && p.stream("production")["devices"] == 1.0
	})
	require.Equal(t, name, groups[0]["firstRelease"])
	require.Equal(t, name, groups[0]["lastRelease"])
	group := p.read(path("/v1/ota/observe/groups/%s", groups[0]["fingerprint"]))
	for _, list := range []string{"byUpdate", "samples"} {
		require.Equal(t, name, group[list].([]any)[0].(map[string]any)["release"], list)
	}
	for _, list := range []string{"/v1/ota/devices", "/v1/ota/telemetry/events", "/v1/ota/observe/events"} {
		require.Equal(t, name, p.list(list)[0]["release"], list)
	}
	adoption := p.read("/v1/ota/insights/adoption")
	for _, list := range []string{"distribution", "adoption"} {
		require.Equal(t, name, adoption[list].([]any)[0].(map[string]any)["release"], list)
	}
	seen := p.read("/v1/ota/devices/" + device)
	require.Equal(t, name, seen["release"])
	require.Equal(t, name, seen["served"].([]any)[0].(map[string]any)["release"])
	require.Equal(t, name, seen["failed"].([]any)[0].(map[string]any)["release"])
	require.Equal(t, name, seen["events"].([]any)[0].(map[string]any)["release"])
	require.Equal(t, name, seen["resolve"].(map[string]any)["release"])
	require.Equal(t, name, p.stream("production")["distribution"].([]any)[0].(map[string]any)["release"])
	change := p.previews(object{}, "/v1/ota/rollout-executions/%d/pause", execution)
	require.Equal(t, name, change["executions"].([]any)[0].(map[string]any)["release"])
}

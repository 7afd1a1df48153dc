package e2e

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/lab/fleet/bundle"
)

// A publish is interrupted after its first build, and another publish of the same export succeeds. The first publish then uses its own
// build, and makes releases of its own.
func TestAnInterruptedPublishDoesNotTakeTheReleasesOfAnother(t *testing.T) {
	t.Parallel()
	env := settings(t)
	server := serve(t, env)
	p := newProject(t, server, env["WAFT_ROOT_KEY"])
	dir, cache := t.TempDir(), t.TempDir()
	_, err := bundle.Write(dir, bundle.Spec{Label: "stable", BundleBytes: 1000, AssetBytes: 100})
	require.NoError(t, err)
	proxy := newCutProxy(t, server)
	proxy.mend(1<<40, false, "POST /v1/ota/builds HTTP/1.1")
	cmd, out := proxy.publishing(t, p, dir, cache)
	requireExit(t, cmd, out, 7)

	published := func(args ...string) client.Republished {
		proxy.mend(1<<40, false, "")
		cmd, out := proxy.publishing(t, p, dir, cache, append(args, "--json")...)
		requireExit(t, cmd, out, 0)
		var record client.Republished
		require.NoError(t, json.Unmarshal(out.Bytes(), &record))
		require.Len(t, record.Updates, 2)
		return record
	}
	other := published("--percentage", "50")
	own := published()
	require.NotEqual(t, other.GroupID, own.GroupID)
	builds, err := p.ListBuildsWithResponse(t.Context(), &client.ListBuildsParams{})
	require.NoError(t, err)
	require.Len(t, *builds.JSON200, 4)
	for _, b := range *builds.JSON200 {
		require.Len(t, b.Releases, 1)
	}
	for _, u := range own.Updates {
		require.InDelta(t, 100, u.RolloutPercentage, 0)
		require.Equal(t, own.GroupID, u.GroupID)
		p.requireServed(t, u)
	}
}

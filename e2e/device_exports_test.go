package e2e

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/lab/enginetest"
	"github.com/waft-ota/waft/internal/lab/fleet"
	"github.com/waft-ota/waft/models"
)

// exportsDir is the folder in which `make exports` puts the exports of examples/expo-app.
const exportsDir = "../build/exports"

// realExports returns the folders of the exports for phones, by label.
func realExports(t *testing.T) map[string]string {
	t.Helper()
	exports := map[string]string{}
	for _, label := range []string{"stable", "next", "broken"} {
		exports[label] = filepath.Join(exportsDir, label)
		require.FileExists(t, filepath.Join(exports[label], "metadata.json"), "build the example app's exports with `make exports`")
	}
	return exports
}

// The main job runs with real exports on both platforms. Every device downloads and checks every file. With -short there are 200 devices
// of one platform.
func TestTheMainJobWithRealExports(t *testing.T) {
	t.Parallel()
	env := settings(t)
	p := newProject(t, serve(t, env), env["WAFT_ROOT_KEY"])
	mainJob{
		project: p, exports: realExports(t), assets: fleet.AssetFull, devices: enginetest.Sized(400, 200),
		platforms: enginetest.Sized([]models.Platform{models.IOS, models.Android}, []models.Platform{models.IOS}),
	}.play(t)
}

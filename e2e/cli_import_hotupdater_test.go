//go:build peers

package e2e

import (
	"archive/zip"
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/lab/enginetest"
	"github.com/waft-ota/waft/models"
)

// hotBundle writes the archive of a bundle as `hot-updater deploy` does, and returns its record.
func hotBundle(t *testing.T, files, id, dir string, platform models.Platform, change object) object {
	t.Helper()
	export, err := client.OpenExport(dir, platform)
	require.NoError(t, err)
	folder := filepath.Join(files, id)
	require.NoError(t, os.MkdirAll(folder, 0o750))
	archive := filepath.Join(folder, "bundle.zip")
	out, err := os.Create(archive)
	require.NoError(t, err)
	zipped := zip.NewWriter(out)
	add := func(name string, text []byte) {
		w, err := zipped.Create(name)
		require.NoError(t, err)
		_, err = w.Write(text)
		require.NoError(t, err)
	}
	assets := object{}
	for _, name := range export.Files {
		text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		require.NoError(t, err)
		to := "assets/" + filepath.Base(name) + ".png"
		if name == export.Bundle {
			to = "index." + string(platform) + ".bundle"
		}
		add(to, text)
		sum := sha256.Sum256(text)
		assets[to] = object{"fileHash": hex.EncodeToString(sum[:])}
	}
	manifest, err := json.Marshal(object{"bundleId": id, "assets": assets})
	require.NoError(t, err)
	add("manifest.json", manifest)
	require.NoError(t, zipped.Close())
	require.NoError(t, out.Close())
	text, err := os.ReadFile(archive)
	require.NoError(t, err)
	sum := sha256.Sum256(text)
	record := object{
		"id": id, "platform": string(platform), "channel": "production", "enabled": true, "shouldForceUpdate": false,
		"fileHash": hex.EncodeToString(sum[:]), "gitCommitHash": nil, "message": "bundle " + id, "targetAppVersion": "1.0.0",
		"storageUri": "files://app/" + id + "/bundle.zip", "fingerprintHash": nil,
	}
	for name, value := range change {
		record[name] = value
	}
	return record
}

// startHotUpdater runs a server of hot-updater with the bundles, and returns its address.
func startHotUpdater(t *testing.T, files string, bundles []any) string {
	t.Helper()
	packages := os.Getenv("WAFT_TEST_HOT_UPDATER")
	require.NotEmpty(t, packages, "WAFT_TEST_HOT_UPDATER names a folder in which @hot-updater/server, kysely and pg are installed")
	text, err := json.Marshal(bundles)
	require.NoError(t, err)
	list := filepath.Join(t.TempDir(), "bundles.json")
	require.NoError(t, os.WriteFile(list, text, 0o600))
	cmd := exec.CommandContext(t.Context(), "node", "testdata/hot-updater/server.mjs", packages, files, list, enginetest.Postgres(t))
	cmd.Stderr = t.Output()
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // it may have ended
		_ = cmd.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	return strings.TrimSpace(line) + "/hot-updater"
}

func TestImportFromHotUpdater(t *testing.T) {
	t.Parallel()
	p, exports, files := install(t).tenant(t), madeExports(t), t.TempDir()
	const first, second, third, other = "0199e4a5-7c00-7000-8000-000000000001", "0199e4a6-7c00-7000-8000-000000000002",
		"0199e4a7-7c00-7000-8000-000000000003", "0199e4a8-7c00-7000-8000-000000000004"
	url := startHotUpdater(t, files, []any{
		hotBundle(t, files, first, exports["stable"], models.IOS, nil),
		hotBundle(t, files, second, exports["next"], models.IOS, object{"rolloutCohortCount": 250, "shouldForceUpdate": true}),
		hotBundle(t, files, third, exports["stable"], models.Android, object{"fingerprintHash": "f00d", "targetAppVersion": nil}),
		hotBundle(t, files, other, exports["next"], models.Android, object{"targetAppVersion": "1.x"}),
	})
	run := func(args ...string) (importReport, error) {
		out, _, err := p.tryWaft(models.RoleEditor, append([]string{"import", "hot-updater", url, "--json"}, args...)...)
		var r importReport
		if err == nil {
			require.NoError(t, json.Unmarshal([]byte(out), &r), out)
		}
		return r, err
	}
	planned, err := run("--dry-run")
	require.NoError(t, err)
	require.Equal(t, []string{"new", "new", "new"}, planned.states())
	require.Len(t, planned.Skipped, 1, "the bundle for a range of versions")
	_, err = run()
	require.NoError(t, err)
	again, err := run()
	require.NoError(t, err)
	require.Equal(t, []string{"imported", "imported", "imported"}, again.states())
	releases := p.list("/v1/ota/updates?limit=200")
	require.Len(t, releases, 3)
	byMessage := map[any]object{}
	for _, r := range releases {
		byMessage[r["releaseMessage"]] = r
	}
	require.InDelta(t, 25, byMessage["bundle "+second]["rolloutPercentage"], 0)
	require.Equal(t, true, byMessage["bundle "+second]["isCritical"])
	require.Equal(t, "f00d", byMessage["bundle "+third]["runtimeVersion"])
	eventually(t, func() bool {
		return p.bundleFor("production", "ios", "1.0.0") == hashOfBundle(t, exports["stable"], models.IOS)
	})

	// A project that has none of it takes older bundles from a copy of the storage, and refuses a damaged one.
	fresh := p.installation.tenant(t)
	from := func() error {
		_, _, err := fresh.tryWaft(models.RoleEditor, "import", "hot-updater", url, "--storage", files, "--releases", "9")
		return err
	}
	archive := filepath.Join(files, first, "bundle.zip")
	good, err := os.ReadFile(archive)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(archive, []byte("damaged"), 0o600))
	require.ErrorContains(t, from(), "but hot-updater says")
	require.NoError(t, os.WriteFile(archive, good, 0o600))
	require.NoError(t, from())
	require.Len(t, fresh.list("/v1/ota/updates?limit=200"), 3)
}

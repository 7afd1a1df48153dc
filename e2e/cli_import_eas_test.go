package e2e

import (
	"crypto/md5" //nolint:gosec // Expo names assets by MD5
	"encoding/hex"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/cli/protocol"
	"github.com/waft-ota/waft/models"
)

// easService imitates EAS Update: the hosts of manifests and assets, and the program eas. The records have the types of eas-cli:
// UpdateChannelObject, FormattedUpdateGroupDescription and UpdateJsonInfo.
type easService struct {
	t       *testing.T
	url     string
	dir     string // of the program and its output
	program string
	wrong   bool // an asset has wrong content
}

func startEAS(t *testing.T) *easService {
	t.Helper()
	e := &easService{t: t, dir: t.TempDir()}
	files := http.FileServer(http.Dir(e.dir))
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if e.wrong && strings.Contains(r.URL.Path, "bundle") {
			_, _ = w.Write([]byte("damaged"))
			return
		}
		w.Header().Set("Expo-Protocol-Version", "1")
		files.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	e.url = s.URL
	e.program = filepath.Join(e.dir, "eas")
	// The program prints the file that is named by its arguments.
	const script = "#!/bin/sh\ncase \"$1\" in channel:list) name=channels;; update:list) name=\"list-$3\";; " +
		"update:view) name=\"view-$2\";; esac\n" +
		"cat \"$(dirname \"$0\")/$name.json\"\n"
	require.NoError(t, os.WriteFile(e.program, []byte(script), 0o700))
	return e
}

func (e *easService) write(name string, record any) {
	e.t.Helper()
	text, err := json.Marshal(record)
	require.NoError(e.t, err)
	require.NoError(e.t, os.WriteFile(filepath.Join(e.dir, name+".json"), text, 0o600))
}

// update writes the manifest and the files of an update, and returns its record.
func (e *easService) update(group, dir string, platform models.Platform, createdAt, message string) object {
	e.t.Helper()
	id := uuid.NewString()
	export, err := client.OpenExport(dir, platform)
	require.NoError(e.t, err)
	manifest := protocol.Manifest{
		ID: id, CreatedAt: createdAt, RuntimeVersion: "1.0.0", Assets: []protocol.Asset{}, Metadata: map[string]any{},
		Extra: json.RawMessage(`{"expoClient": {"name": "Shop"}}`),
	}
	for _, name := range export.Files {
		text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		require.NoError(e.t, err)
		sum := md5.Sum(text) //nolint:gosec // see above
		asset := protocol.Asset{Key: hex.EncodeToString(sum[:]), FileExtension: ".png", ContentType: "image/png"}
		to := asset.Key
		if name == export.Bundle {
			to = "bundle-" + asset.Key
			asset.Hash = hashOfBundle(e.t, dir, platform)
			asset.FileExtension, asset.ContentType = ".bundle", "application/javascript"
		}
		asset.URL = e.url + "/" + to
		require.NoError(e.t, os.WriteFile(filepath.Join(e.dir, to), text, 0o600))
		if name == export.Bundle {
			manifest.LaunchAsset = asset
		} else {
			manifest.Assets = append(manifest.Assets, asset)
		}
	}
	e.write(id, manifest)
	return object{
		"id": id, "createdAt": createdAt, "group": group, "branch": "main", "message": message, "runtimeVersion": "1.0.0",
		"platform": string(platform), "manifestPermalink": e.url + "/" + id + ".json", "isRollBackToEmbedded": false,
		"gitCommitHash": "0123456789abcdef0123456789abcdef01234567",
	}
}

func TestImportFromEAS(t *testing.T) {
	t.Parallel()
	e, p, exports := startEAS(t), install(t).tenant(t), madeExports(t)
	const old, present = "11111111-0000-4000-8000-000000000000", "22222222-0000-4000-8000-000000000000"
	e.write("channels", object{"currentPage": []any{
		object{
			"id": "c1", "name": "production", "isPaused": false,
			"branchMapping":  `{"version":0,"data":[{"branchId":"b1","branchMappingLogic":"true"}]}`,
			"updateBranches": []any{object{"id": "b1", "name": "main", "updateGroups": []any{}}},
		},
		object{"id": "c2", "name": "empty", "isPaused": true, "branchMapping": `{"version":0,"data":[]}`, "updateBranches": []any{}},
	}})
	group := func(id, platforms string, more object) object {
		record := object{
			"branch": "main", "message": `"a release" (1 day ago by ada)`, "runtimeVersion": "1.0.0", "isRollBackToEmbedded": false,
			"group": id, "platforms": platforms,
		}
		for name, value := range more {
			record[name] = value
		}
		return record
	}
	e.write("list-main", object{"name": "main", "id": "b1", "currentPage": []any{
		group(present, "ios", object{"rolloutPercentage": 40}), group(old, "android, ios", nil),
	}})
	e.write("view-"+old, []any{
		e.update(old, exports["stable"], models.IOS, "2026-03-14T09:26:53.589Z", "the first"),
		e.update(old, exports["stable"], models.Android, "2026-03-14T09:26:53.589Z", "the first"),
	})
	second := e.update(present, exports["next"], models.IOS, "2026-03-15T09:26:53.589Z", "the second")
	e.write("view-"+present, []any{second})
	run := func(args ...string) (importReport, error) {
		out, _, err := p.tryWaft(models.RoleEditor, append([]string{"import", "eas", "--eas", e.program, "--json"}, args...)...)
		var r importReport
		if err == nil {
			require.NoError(t, json.Unmarshal([]byte(out), &r), out)
		}
		return r, err
	}
	planned, err := run("--dry-run")
	require.NoError(t, err)
	require.Equal(t, []string{"new", "new", "new"}, planned.states(), "%+v", planned)
	require.Equal(t, []importSkipped{{"channel empty", "it does not lead to a branch"}}, planned.Skipped)

	// The import is interrupted by damaged content, and continued.
	e.wrong = true
	_, err = run("--yes")
	require.ErrorContains(t, err, "but its manifest says")
	e.wrong = false
	_, err = run()
	require.NoError(t, err, "the channel production of a new project has no releases of its own")
	again, err := run()
	require.NoError(t, err)
	require.Equal(t, []string{"imported", "imported", "imported"}, again.states())
	releases := p.list("/v1/ota/updates?limit=200")
	require.Len(t, releases, 3)
	require.Equal(t, "the second", releases[0]["releaseMessage"])
	require.InDelta(t, 40, releases[0]["rolloutPercentage"], 0)
	require.Equal(t, releases[1]["groupId"], releases[2]["groupId"])
	builds := p.list("/v1/ota/builds")
	require.Equal(t, "Imported from eas ("+second["id"].(string)+", created 2026-03-15T09:26:53Z): the second", builds[0]["message"])
}

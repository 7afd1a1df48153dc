//go:build peers

package e2e

import (
	"bytes"
	"encoding/json"
	"io"
	"mime/multipart"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/cli"
	"github.com/waft-ota/waft/internal/lab/enginetest"
	"github.com/waft-ota/waft/models"
)

// xpremServer is an xprem server of the test's own.
type xpremServer struct {
	t                      *testing.T
	url, storage, app      string
	session, publishingKey string
}

// startXprem runs the program xprem that WAFT_TEST_XPREM names, with its control plane in a database of its own.
func startXprem(t *testing.T) *xpremServer {
	t.Helper()
	program := os.Getenv("WAFT_TEST_XPREM")
	require.NotEmpty(t, program, "WAFT_TEST_XPREM names the program that `go build ./cmd/api` makes in a checkout of xprem")
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	_, port, err := net.SplitHostPort(listener.Addr().String())
	require.NoError(t, err)
	require.NoError(t, listener.Close())
	x := &xpremServer{t: t, url: "http://localhost:" + port, storage: t.TempDir()}
	cmd := exec.CommandContext(t.Context(), program)
	cmd.Dir = t.TempDir()
	cmd.Stdout, cmd.Stderr = t.Output(), t.Output()
	cmd.Env = append(os.Environ(),
		"CLICKHOUSE_URL=", "PORT="+port, "BASE_URL="+x.url, "DB_URL="+enginetest.Postgres(t),
		"STORAGE_MODE=local", "LOCAL_BUCKET_BASE_PATH="+x.storage,
		"CACHE_MODE=local", "USE_DASHBOARD=true", "ADMIN_EMAIL=ada@example.com", "ADMIN_PASSWORD=Correct-horse-1",
		"DISABLE_TELEMETRY=true",
		"DB_KEYS_MASTER_KEY_B64=MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=", "JWT_SECRET=MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=")
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // it may have ended
		_ = cmd.Wait()
	})
	eventually(t, func() bool {
		res, err := http.PostForm(x.url+"/auth/login", url.Values{"email": {"ada@example.com"}, "password": {"Correct-horse-1"}})
		if err != nil {
			return false
		}
		defer res.Body.Close()
		var session struct{ Token string }
		x.session = ""
		if res.StatusCode == http.StatusOK && json.NewDecoder(res.Body).Decode(&session) == nil {
			x.session = session.Token
		}
		return x.session != ""
	})
	x.app = decoded[struct{ AppID string }](t, x.call(http.MethodPost, "/api/apps", x.session, object{
		"name": "Shop", "keysConfig": object{"mode": "database"},
	})).AppID
	x.publishingKey = decoded[struct{ APIKey string }](t, x.call(http.MethodPost, x.path("/apiKeys"), x.session, object{"name": "ci"})).APIKey
	return x
}

func decoded[T any](t *testing.T, res *http.Response) (record T) {
	t.Helper()
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	require.Less(t, res.StatusCode, 300, string(text))
	require.NoError(t, json.Unmarshal(text, &record), string(text))
	return record
}

func (x *xpremServer) path(more string) string { return "/api/apps/" + x.app + more }

func (x *xpremServer) call(method, path, token string, body any) *http.Response {
	x.t.Helper()
	text, err := json.Marshal(body)
	require.NoError(x.t, err)
	req, err := http.NewRequestWithContext(x.t.Context(), method, x.url+path, bytes.NewReader(text))
	require.NoError(x.t, err)
	req.Header.Set("Authorization", "Bearer "+token)
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	require.NoError(x.t, err)
	x.t.Cleanup(func() { _ = res.Body.Close() })
	return res
}

func (x *xpremServer) do(method, path string, body any) {
	x.t.Helper()
	res := x.call(method, path, x.session, body)
	text, err := io.ReadAll(res.Body)
	require.NoError(x.t, err)
	require.Less(x.t, res.StatusCode, 300, "%s %s: %s", method, path, text)
}

// publish publishes an export for a platform as eoas does.
func (x *xpremServer) publish(branch, dir string, platform models.Platform, group, percentage, message string) {
	x.t.Helper()
	export, err := client.OpenExport(dir, platform)
	require.NoError(x.t, err)
	names := append([]string{"metadata.json", "expoConfig.json"}, export.Files...)
	query := url.Values{
		"platform": {string(platform)}, "runtimeVersion": {"1.0.0"}, "commitHash": {"0123456789abcdef0123456789abcdef01234567"},
	}
	if group != "" {
		query.Set("publishGroup", group)
	}
	if percentage != "" {
		query.Set("rolloutPercentage", percentage)
	}
	made := decoded[struct {
		UpdateID       json.Number `json:"updateId"`
		UploadRequests []struct {
			RequestUploadURL, FileName, FilePath string
		} `json:"uploadRequests"`
	}](x.t, x.call(http.MethodPost, "/"+x.app+"/requestUploadUrl/"+branch+"?"+query.Encode(), x.publishingKey, object{
		"fileNames": names, "message": message,
	}))
	require.NotEmpty(x.t, made.UploadRequests)
	for _, u := range made.UploadRequests {
		text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(u.FilePath)))
		if os.IsNotExist(err) && u.FilePath == "expoConfig.json" {
			text, err = []byte(`{"name": "Shop", "runtimeVersion": "1.0.0"}`), nil
		}
		require.NoError(x.t, err, "%+v", u)
		var body bytes.Buffer
		form := multipart.NewWriter(&body)
		part, err := form.CreateFormFile(filepath.Base(u.FilePath), filepath.Base(u.FilePath))
		require.NoError(x.t, err)
		_, err = part.Write(text)
		require.NoError(x.t, err)
		require.NoError(x.t, form.Close())
		req, err := http.NewRequestWithContext(x.t.Context(), http.MethodPut, u.RequestUploadURL, &body)
		require.NoError(x.t, err)
		req.Header.Set("Content-Type", form.FormDataContentType())
		req.Header.Set("Authorization", "Bearer "+x.publishingKey)
		res, err := http.DefaultClient.Do(req)
		require.NoError(x.t, err)
		require.Equal(x.t, http.StatusOK, res.StatusCode)
		require.NoError(x.t, res.Body.Close())
	}
	query.Set("updateId", made.UpdateID.String())
	res := x.call(http.MethodPost, "/"+x.app+"/markUpdateAsUploaded/"+branch+"?"+query.Encode(), x.publishingKey, nil)
	text, err := io.ReadAll(res.Body)
	require.NoError(x.t, err)
	require.Equal(x.t, http.StatusOK, res.StatusCode, string(text))
}

func TestImportFromXprem(t *testing.T) {
	x := startXprem(t)
	p := install(t).tenant(t)
	exports := madeExports(t)
	x.do(http.MethodPost, x.path("/branches"), object{"branchName": "main"})
	x.do(http.MethodPost, x.path("/branches"), object{"branchName": "next"})
	x.do(http.MethodPost, x.path("/channels"), object{"channelName": "live", "branchName": "main"})
	group := uuid.NewString()
	x.publish("main", exports["stable"], models.IOS, group, "", "the first")
	x.publish("main", exports["stable"], models.Android, group, "", "the first")
	x.publish("main", exports["next"], models.IOS, "", "25", "the second")
	x.publish("next", exports["next"], models.IOS, "", "", "a branch without a channel")

	t.Setenv("WAFT_IMPORT_PASSWORD", "Correct-horse-1")
	run := func(args ...string) (importReport, error) {
		all := append([]string{"import", "xprem", x.url, "--source-app", x.app, "--email", "ada@example.com", "--json"}, args...)
		out, _, err := p.tryWaft(models.RoleEditor, all...)
		var r importReport
		if err == nil {
			require.NoError(t, json.Unmarshal([]byte(out), &r), out)
		}
		return r, err
	}
	planned, err := run("--dry-run")
	require.NoError(t, err)
	require.Len(t, planned.Releases, 3)
	require.Equal(t, []string{"new", "new", "new"}, planned.states())
	require.Len(t, planned.Channels, 1)
	require.Contains(t, planned.Skipped, importSkipped{"ios 1.0.0 on branch next", "no channel leads to the branch"})
	require.Empty(t, p.list("/v1/ota/updates"), "--dry-run changes nothing")

	done, err := run()
	require.NoError(t, err)
	require.Equal(t, []string{"imported", "imported", "imported"}, done.states())
	releases := p.list("/v1/ota/updates?limit=200")
	require.Len(t, releases, 3)
	byMessage := map[any][]object{}
	for _, r := range releases {
		require.Equal(t, "main", r["branchName"])
		byMessage[r["releaseMessage"]] = append(byMessage[r["releaseMessage"]], r)
	}
	require.Len(t, byMessage["the first"], 2)
	require.Equal(t, byMessage["the first"][0]["groupId"], byMessage["the first"][1]["groupId"])
	require.InDelta(t, 25, byMessage["the second"][0]["rolloutPercentage"], 0)
	for _, b := range p.list("/v1/ota/builds") {
		require.Regexp(t, `^Imported from xprem \(\d+, created 20\d\d-`, b["message"])
	}
	eventually(t, func() bool {
		return p.bundleFor("live", "android", "1.0.0") == hashOfBundle(t, exports["stable"], models.Android)
	})

	again, err := run()
	require.NoError(t, err)
	require.Equal(t, []string{"imported", "imported", "imported"}, again.states())
	require.Len(t, p.list("/v1/ota/updates"), 3, "a second run imports nothing twice")

	// The storage has older releases too. The project has releases of its own by now.
	_, err = p.client().Publish(t.Context(), client.Publication{
		Dir: exports["stable"], Platforms: []models.Platform{models.IOS}, Channel: "live", Upload: client.Upload{RuntimeVersion: "2.0.0"},
	})
	require.NoError(t, err)
	x.do(http.MethodPut, x.path("/branch/main/runtimeVersion/1.0.0/rollout"), object{"percentage": 100})
	x.publish("main", exports["next"], models.Android, "", "", "the third")
	_, err = run("--storage", x.storage, "--releases", "5")
	require.Equal(t, 2, cli.ExitCode(err), "it asks first: %v", err)
	stored, err := run("--storage", x.storage, "--releases", "5", "--yes")
	require.NoError(t, err)
	require.Len(t, stored.Releases, 4)
	eventually(t, func() bool {
		return p.bundleFor("live", "android", "1.0.0") == hashOfBundle(t, exports["next"], models.Android)
	})

	// Damaged content is not imported.
	x.publish("main", exports["stable"], models.Android, "", "", "damaged")
	require.NoError(t, filepath.WalkDir(filepath.Join(x.storage, x.app), func(file string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.Contains(file, "/assets/") {
			return os.WriteFile(file, []byte("damaged"), 0o600)
		}
		return err
	}))
	_, err = run("--storage", x.storage, "--yes")
	require.ErrorContains(t, err, "damaged")
}

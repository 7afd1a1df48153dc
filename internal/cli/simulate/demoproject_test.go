package simulate

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/waft-ota/waft/internal/cli/clitest"

	"github.com/stretchr/testify/require"
)

const rootKey = "waft_00000000_root"

// installation responds like a server on which the demo's key may or may not work.
func installation(t *testing.T, working string) (a *clitest.API, created *int) {
	t.Helper()
	a, created = clitest.New(t), new(int)
	exists := false
	refused := map[string]any{"code": "unauthenticated", "detail": "the key does not work", "requestId": "r"}
	a.On("POST /projects", func(_ string, h http.Header) (int, any) {
		switch {
		case h.Get("Authorization") != "Bearer "+rootKey || h.Get("X-Project") != "":
			return 401, refused
		case exists:
			return 409, map[string]any{"code": "already_exists", "detail": "there is a project demo"}
		}
		exists = true
		return 201, map[string]any{"id": 1, "slug": "demo"}
	})
	a.On("GET /api-keys", func(_ string, h http.Header) (int, any) {
		if h.Get("Authorization") != "Bearer "+working {
			return 401, refused
		}
		return 200, []any{}
	})
	a.On("POST /api-keys", func(_ string, h http.Header) (int, any) {
		if h.Get("Authorization") != "Bearer "+rootKey || h.Get("X-Project") != "demo" {
			return 401, refused
		}
		*created++
		working = "waft_11111111_new"
		return 201, map[string]any{"key": working}
	})
	return a, created
}

func TestTheDemoProjectIsSetUpOnce(t *testing.T) {
	t.Parallel()
	a, created := installation(t, "none")
	d := demoProject{
		url: a.URL, root: rootKey, envFile: filepath.Join(t.TempDir(), "folder", "demo.env"),
		env: func(name string) string {
			return map[string]string{"WAFT_ADMIN_URL": "http://localhost:8082", "WAFT_TEMPORAL_UI_URL": "http://localhost:8233", "DATABASE_URL": "postgres://a:b'c@h/d?x=1&y=2"}[name]
		},
	}
	var out strings.Builder
	require.NoError(t, d.ensure(t.Context(), &out))
	require.Contains(t, out.String(), "waft_11111111_new")
	require.Contains(t, out.String(), "curl -sS "+strings.Replace(a.URL, "127.0.0.1", "localhost", 1))
	require.Contains(t, out.String(), "http://localhost:8082/metrics")
	require.NotContains(t, out.String(), "127.0.0.1")
	first, err := os.ReadFile(d.envFile)
	require.NoError(t, err)
	require.NotContains(t, string(first), "127.0.0.1")
	info, err := os.Stat(d.envFile)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())

	require.NoError(t, d.ensure(t.Context(), &out))
	require.Equal(t, 1, *created, "the key in the file works")
	again, err := os.ReadFile(d.envFile)
	require.NoError(t, err)
	require.Equal(t, string(first), string(again))
	left, err := os.ReadDir(filepath.Dir(d.envFile))
	require.NoError(t, err)
	require.Len(t, left, 1, "no temporary file remains")

	// A shell must read the same values from the file that were written to it.
	read, err := exec.CommandContext(t.Context(), "sh", "-c", `. "$1" && printf %s "$DATABASE_URL|$WAFT_API_KEY|$WAFT_PROJECT|$WAFT_ADMIN_URL|$CLICKHOUSE_URL"`, "sh", d.envFile).Output()
	require.NoError(t, err)
	require.Equal(t, "postgres://a:b'c@h/d?x=1&y=2|waft_11111111_new|demo|http://localhost:8082|", string(read))
}

func TestAKeyThatNoLongerWorksIsReplaced(t *testing.T) {
	t.Parallel()
	a, created := installation(t, "none")
	d := demoProject{url: a.URL, root: rootKey, envFile: filepath.Join(t.TempDir(), "demo.env"), env: func(string) string { return "" }}
	require.NoError(t, os.WriteFile(d.envFile, []byte("WAFT_API_KEY=waft_22222222_old\n"), 0o600))
	require.NoError(t, d.ensure(t.Context(), &strings.Builder{}))
	require.Equal(t, 1, *created)
	require.Equal(t, "waft_11111111_new", readShellVariable(d.envFile, "WAFT_API_KEY"))
}

func TestAWrongRootKeyLeavesTheFileAlone(t *testing.T) {
	t.Parallel()
	a, _ := installation(t, "none")
	d := demoProject{url: a.URL, root: "waft_wrong", envFile: filepath.Join(t.TempDir(), "demo.env"), env: func(string) string { return "" }}
	require.ErrorContains(t, d.ensure(t.Context(), &strings.Builder{}), "the key does not work")
	require.NoFileExists(t, d.envFile)
}

func TestBehindDockerTheDemoProjectTrustsItsNetworks(t *testing.T) {
	t.Parallel()
	a, _ := installation(t, "none")
	var settings string
	a.On("PATCH /settings", func(body string, h http.Header) (int, any) {
		settings = body
		if h.Get("Authorization") != "Bearer waft_11111111_new" || h.Get("X-Project") != "demo" {
			return 401, map[string]any{"code": "unauthenticated", "detail": "no", "requestId": "r"}
		}
		return 200, map[string]any{"hashIds": false, "trustedNetworks": dockerNetworks}
	})
	d := demoProject{
		url: a.URL, root: rootKey, docker: true, envFile: filepath.Join(t.TempDir(), "demo.env"), env: func(string) string { return "" },
	}
	var out strings.Builder
	require.NoError(t, d.ensure(t.Context(), &out))
	require.JSONEq(t, `{"trustedNetworks":["172.16.0.0/12","192.168.0.0/16"]}`, settings)
	require.Contains(t, out.String(), "The project demo trusts Docker's networks (trustedNetworks: 172.16.0.0/12, 192.168.0.0/16)")
	require.FileExists(t, d.envFile)
}

package e2e

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/cli"
	"github.com/waft-ota/waft/models"
)

// runWaft runs the command waft against the tenant with a key of the role, and returns what it prints.
func (p *tenant) runWaft(role models.Role, args ...string) (string, error) {
	var out bytes.Buffer
	cmd := cli.NewCommand()
	cmd.SetArgs(append(args, "--url", p.url, "--project", p.slug, "--api-key", p.keys[role]))
	cmd.SetOut(&out)
	err := cmd.ExecuteContext(p.t.Context())
	return out.String(), err
}

func TestABuildIsReadAlone(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	build, other := p.build(), p.build()
	read := func(b object) object { return p.do(at("/v1/ota/builds/%d", b.id("id"))).record(http.StatusOK) }
	require.Equal(t, build, read(build))

	release := p.create(path("/v1/ota/builds/%d/publish", build.id("id")), object{"channel": "production", "releaseMessage": "spring"})
	p.do(putMap(build, bundleMap("secret"))).requireStatus(http.StatusOK)
	for _, listed := range p.list("/v1/ota/builds") {
		require.Equal(t, listed, read(listed))
		require.Equal(t, listed, p.do(at("/v1/ota/builds/%s", listed["uuid"])).record(http.StatusOK))
	}
	published := read(build)
	require.Equal(t, "published", published["status"])
	require.NotEmpty(t, published["assets"])
	require.Positive(t, published["sourceMapBytes"])
	require.Equal(t, release["id"], published["releases"].([]any)[0].(map[string]any)["updateId"])
	require.Equal(t, "uploaded", read(other)["status"])

	p.do(at("/v1/ota/builds/%d", other.id("id")).by(http.MethodDelete)).requireStatus(http.StatusNoContent)
	p.do(at("/v1/ota/builds/%d", other.id("id"))).problem(http.StatusNotFound, models.CodeNotFound)
}

func TestBuildsAndTheirSourceMapsOnTheCommandLine(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	build := p.build()
	id := strconv.FormatInt(build.id("id"), 10)
	run := func(args ...string) string {
		out, err := p.runWaft(models.RoleEditor, args...)
		require.NoError(t, err)
		return out
	}
	require.Contains(t, run("builds", "show", id), "no source map")

	file := filepath.Join(t.TempDir(), "main.jsbundle.map")
	require.NoError(t, os.WriteFile(file, []byte(bundleMap("secret")), 0o600))
	require.Contains(t, run("builds", "source-map", "add", id, file), "source map of")
	require.Positive(t, p.list("/v1/ota/builds")[0]["sourceMapBytes"])
	require.Contains(t, run("builds", "list"), id)

	require.Equal(t, "source map of build "+id+" deleted\n", run("builds", "source-map", "delete", id, "--yes"))
	_, err := p.runWaft(models.RoleEditor, "builds", "source-map", "delete", id, "--yes")
	require.ErrorContains(t, err, "source map")
	_, err = p.runWaft(models.RoleViewer, "builds", "source-map", "add", id, file)
	require.ErrorContains(t, err, "editor")

	require.Equal(t, "build "+id+" deleted\n", run("builds", "delete", id, "--yes"))
	require.Equal(t, "no builds\n", run("builds", "list"))
}

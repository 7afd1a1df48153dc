package e2e

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// pageWorld is the folder, the environment and the server of a page.
type pageWorld struct {
	folder string
	env    map[string]string
	// clickHouse is the address of the database in which queries run, empty if the page has none.
	clickHouse string
	// addresses has what pages name, such as an address or a folder, and what the page has instead.
	addresses map[string]string
}

// newPageWorld prepares the fixture of a page.
func newPageWorld(t *testing.T, fixture string) pageWorld {
	t.Helper()
	waftBinary, err := buildWaft()
	require.NoError(t, err)
	_, err = buildWaftd()
	require.NoError(t, err)
	w := pageWorld{folder: t.TempDir(), env: map[string]string{
		"PATH": filepath.Dir(waftBinary) + ":" + os.Getenv("PATH"), "HOME": t.TempDir(), "TMPDIR": t.TempDir(), "LANG": "C.UTF-8", "TERM": "dumb",
	}}
	switch fixture {
	case "nothing", "server":
		return w
	case "processes":
		w.prepareProcesses(t)
		return w
	}
	env := settings(t)
	w.clickHouse = env["CLICKHOUSE_URL"]
	w.use(newProject(t, serve(t, env), env["WAFT_ROOT_KEY"]))
	switch fixture {
	case "exports":
		w.copyExports(t)
	case "app":
		w.env["TMPDIR"] = os.TempDir() // where Metro keeps what it has compiled before
		w.copyApp(t)
	}
	return w
}

// use sets the variables of a project, as they are after `waft login`.
func (w *pageWorld) use(p project) {
	w.env["WAFT_URL"], w.env["WAFT_PROJECT"], w.env["WAFT_API_KEY"] = p.url, p.slug, p.key
}

// copy copies a folder to one in the folder of the page.
func (w *pageWorld) copy(t *testing.T, from, to string) {
	t.Helper()
	require.NoError(t, os.CopyFS(filepath.Join(w.folder, to), os.DirFS(from)))
}

// copyExports copies the exports of the example app to the page's folder, and the stable one to dist.
func (w *pageWorld) copyExports(t *testing.T) {
	t.Helper()
	for label, export := range realExports(t) {
		w.copy(t, export, label)
	}
	w.copy(t, realExports(t)["stable"], "dist")
}

// copyApp makes the page's folder the example app, in a git repository with one commit. It has the node_modules of the example.
func (w *pageWorld) copyApp(t *testing.T) {
	t.Helper()
	app := exportedApp(t)
	modules, err := filepath.EvalSymlinks(filepath.Join(app, "node_modules"))
	require.NoError(t, err)
	script := `cd "$1" && tar -c --exclude=./node_modules --exclude=./.export --exclude=./.expo . | tar -x -C "$2" &&
		ln -s "$3" "$2/node_modules" &&
		cd "$2" && git init --quiet --initial-branch main && git add . &&
		git -c user.name=Jo -c user.email=jo@example.com commit --quiet -m 'An app'`
	out, err := exec.CommandContext(t.Context(), "bash", "-euo", "pipefail", "-c", script, "bash", app, w.folder, modules).CombinedOutput()
	require.NoError(t, err, "%s", out)
}

// prepareProcesses sets the settings of the API and the worker, which run as processes of their own, in the environment, where the server's
// own commands find them, too.
func (w *pageWorld) prepareProcesses(t *testing.T) {
	t.Helper()
	env := settings(t)
	migrate(t, env)
	env["WAFT_LISTEN_ADDR"], env["WAFT_ADMIN_ADDR"] = freeAddress(t), freeAddress(t)
	w.clickHouse = env["CLICKHOUSE_URL"]
	maps.Copy(w.env, env)
	w.env["WAFT_URL"] = "http://" + env["WAFT_LISTEN_ADDR"]
	w.env["page_processes"] = t.TempDir()
	w.env["page_worker_listen"], w.env["page_worker_admin"] = freeAddress(t), freeAddress(t)
	w.env["page_elsewhere"] = writeElsewhere(t, env)
}

// writeElsewhere writes a script with the settings of an installation on another machine, whose engines, bucket and folder are empty, and
// returns its path.
func writeElsewhere(t *testing.T, env map[string]string) (path string) {
	t.Helper()
	other := protected{t: t, env: env}.elsewhere().env
	var script strings.Builder
	for _, name := range []string{"DATABASE_URL", "CLICKHOUSE_URL", "TEMPORAL_NAMESPACE", "WAFT_ASSET_BUCKET_URL", "WAFT_DATA_DIR"} {
		fmt.Fprintf(&script, "export %s='%s'\n", name, other[name])
	}
	path = filepath.Join(t.TempDir(), "elsewhere.sh")
	require.NoError(t, os.WriteFile(path, []byte(script.String()), 0o600))
	return path
}

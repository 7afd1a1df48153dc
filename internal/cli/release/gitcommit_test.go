package release_test

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/cli"
	"github.com/waft-ota/waft/internal/cli/clitest"
	"github.com/waft-ota/waft/internal/lab/fleet/bundle"
)

// oldGit behaves like git before 2.38, which reads the pattern HEAD as refs/HEAD. It writes its commands to the file calls.
const oldGit = `#!/bin/sh
echo "$*" >>%q
for argument; do
  shift
  [ "$argument" = --decorate-refs=HEAD ] && argument=--decorate-refs=refs/HEAD
  set -- "$@" "$argument"
done
exec %q "$@"
`

// runGit runs git in a repository, as a person with a name.
func runGit(t *testing.T, repository string, args ...string) {
	t.Helper()
	args = append([]string{"-C", repository, "-c", "user.name=a", "-c", "user.email=a@b.c"}, args...)
	out, err := exec.CommandContext(t.Context(), "git", args...).CombinedOutput()
	require.NoError(t, err, "%s", out)
}

func TestAnOldGitNamesTheBranch(t *testing.T) { //nolint:paralleltest // it replaces git
	git, err := exec.LookPath("git")
	require.NoError(t, err)
	repository, folder := t.TempDir(), t.TempDir()
	for _, args := range [][]string{
		{"init", "-q", "--initial-branch", "a/b,c"}, {"commit", "-q", "--allow-empty", "-m", "First"}, {"tag", "v1"},
		{"update-ref", "refs/remotes/origin/main", "HEAD"}, {"config", "log.showSignature", "true"},
	} {
		runGit(t, repository, args...)
	}
	dist, calls := filepath.Join(repository, "dist"), filepath.Join(folder, "calls")
	_, err = bundle.Write(dist, bundle.Spec{Label: "stable", BundleBytes: 100, AssetBytes: 10})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(folder, "git"), fmt.Appendf(nil, oldGit, calls, git), 0o700)) //nolint:gosec // it runs
	t.Setenv("PATH", folder+string(os.PathListSeparator)+os.Getenv("PATH"))

	a := clitest.New(t)
	publishing(a, new([]string))
	upload := ""
	a.On("POST /builds", func(body string, _ http.Header) (int, any) {
		upload = body
		return 201, map[string]any{"id": 1, "platform": "ios"}
	})
	_, err = a.Run(t, cli.NewCommand(), "publish", dist, "--channel", "production", "--platform", "ios", "--json")
	require.NoError(t, err)
	require.Contains(t, upload, "name=\"gitBranch\"\r\n\r\na/b,c\r\n")
	ran, err := os.ReadFile(calls)
	require.NoError(t, err)
	require.NotContains(t, string(ran), " status ", "--json does not show the number of uncommitted files")
}

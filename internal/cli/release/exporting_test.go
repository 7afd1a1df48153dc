package release_test

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/cli"
	"github.com/waft-ota/waft/internal/cli/clitest"
	"github.com/waft-ota/waft/internal/lab/fleet/bundle"
)

// appWith makes an app whose package manager is a script, and sets the PATH of the test to it. The script runs instead of npx and pnpm.
func appWith(t *testing.T, lock, script string) (app string) {
	t.Helper()
	app, bin := t.TempDir(), t.TempDir()
	write := func(name, text string, mode os.FileMode) {
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o700))
		require.NoError(t, os.WriteFile(name, []byte(text), mode))
	}
	write(filepath.Join(app, "package.json"), "{}", 0o600)
	write(filepath.Join(app, lock), "", 0o600)
	write(filepath.Join(app, "node_modules/expo/package.json"), "{}", 0o600)
	for _, name := range []string{"npx", "pnpm"} {
		write(filepath.Join(bin, name), "#!/bin/sh\necho \"$(basename $0) $*\" >&2\n"+script, 0o700)
	}
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	return app
}

// exported returns a script that copies an export to the folder after --output-dir, and prints a configuration.
func exported(t *testing.T) string {
	t.Helper()
	return `case "$*" in
*"expo export"*) for last; do :; done; mkdir -p "$last"; cp -R ` + export(t) + `/. "$last"; rm "$last/expoConfig.json" ;;
*"expo config"*) echo "a line of the package manager"; echo '{"runtimeVersion": "1.0.0", "name": "from the app"}'; echo "Done in 0.42s." ;;
esac
`
}

func TestPublishExportsTheAppFirst(t *testing.T) { //nolint:paralleltest // it sets the PATH
	app := appWith(t, "pnpm-lock.yaml", exported(t))
	a := clitest.New(t)
	publishing(a, new([]string))
	var upload string
	a.On("POST /builds", func(body string, _ http.Header) (int, any) {
		upload = body
		return 201, map[string]any{"id": 1, "platform": "ios"}
	})
	cmd := cli.NewCommand()
	out, err := a.Run(t, cmd, "publish", "--export", "--app", app, "--channel", "production", "--platform", "ios")
	require.NoError(t, err)
	require.Contains(t, upload, "from the app")
	require.Contains(t, out, "published to production")
	require.FileExists(t, filepath.Join(app, "dist", "metadata.json"))
}

func TestAnExportDoesNotGetTheSecretsOfTheJob(t *testing.T) { //nolint:paralleltest // it sets the environment
	app := appWith(t, "package-lock.json", "env >>variables\n"+exported(t))
	for _, name := range []string{
		"WAFT_API_KEY", "WAFT_ID_TOKEN", "WAFT_GITLAB_TOKEN", "ACTIONS_ID_TOKEN_REQUEST_TOKEN", "ACTIONS_ID_TOKEN_REQUEST_URL",
		"GITHUB_ENV", "GITHUB_PATH", "GITHUB_OUTPUT", "GITHUB_STATE",
	} {
		t.Setenv(name, "a secret of the job")
	}
	t.Setenv("EXPO_PUBLIC_API", "for the app")
	a := clitest.New(t)
	publishing(a, new([]string))
	_, err := a.Run(t, cli.NewCommand(), "publish", "--export", "--app", app, "--channel", "production", "--platform", "ios")
	require.NoError(t, err)
	variables, err := os.ReadFile(filepath.Join(app, "variables"))
	require.NoError(t, err)
	require.Contains(t, string(variables), "for the app")
	require.NotContains(t, string(variables), "a secret of the job")
}

func TestAnExportThatFailsHasItsFix(t *testing.T) { //nolint:paralleltest // it sets the PATH
	for name, c := range map[string]struct{ script, lock, bad string }{
		"no packages": {`rm -r node_modules; exit 1`, "pnpm-lock.yaml", "the app's packages are not installed: run `pnpm install`"},
		"full disk":   {`echo "Error: ENOSPC: no space left on device, write"; exit 1`, "package-lock.json", "is full: delete files on it"},
		"other":       {`exit 3`, "package-lock.json", "`npx --no expo export --platform ios --dump-sourcemap --output-dir"},
	} {
		t.Run(name, func(t *testing.T) {
			app := appWith(t, c.lock, c.script)
			a := clitest.New(t)
			publishing(a, new([]string))
			_, err := a.Run(t, cli.NewCommand(), "publish", "--export", "--app", app, "--channel", "production", "--platform", "ios")
			require.ErrorContains(t, err, c.bad)
			require.NotContains(t, a.Calls(), "POST /builds/check")
		})
	}
	t.Run("a channel nobody made", func(t *testing.T) {
		app := appWith(t, "package-lock.json", "touch exported")
		a := clitest.New(t)
		publishing(a, new([]string))
		_, err := a.Run(t, cli.NewCommand(), "publish", "--export", "--app", app, "--channel", "d")
		require.ErrorContains(t, err, `channel "d" does not exist`)
		require.NoFileExists(t, filepath.Join(app, "exported"))
	})
}

func TestWithoutAnExportPublishNamesTheOption(t *testing.T) {
	t.Parallel()
	a := clitest.New(t)
	publishing(a, new([]string))
	_, err := a.Run(t, cli.NewCommand(), "publish", "--app", t.TempDir(), "--channel", "production")
	require.ErrorContains(t, err, "does not exist: export the app with `waft publish --export`")
	require.Equal(t, 2, cli.ExitCode(err))
	_, err = a.Run(t, cli.NewCommand(), "publish", "--export", "--app", t.TempDir(), "--channel", "production")
	require.ErrorContains(t, err, "has no package.json: run this in the app's folder, or name the folder with --app")
}

func TestUncommittedChangesAreSaid(t *testing.T) {
	t.Parallel()
	repository := t.TempDir()
	runGit(t, repository, "init", "-q")
	runGit(t, repository, "commit", "-q", "--allow-empty", "-m", "First")
	dist := filepath.Join(repository, "dist")
	_, err := bundle.Write(dist, bundle.Spec{Label: "stable", BundleBytes: 100, AssetBytes: 10})
	require.NoError(t, err)
	said := func() string {
		a := clitest.New(t)
		publishing(a, new([]string))
		_, messages, err := a.RunBoth(t, cli.NewCommand(), "publish", dist, "--channel", "production")
		require.NoError(t, err)
		return messages
	}
	require.NotContains(t, said(), "uncommitted", "the export is not part of the commit")
	require.NoError(t, os.WriteFile(filepath.Join(repository, "App.js"), nil, 0o600))
	require.Contains(t, said(), "1 file has uncommitted changes, so the build may differ from commit ")
}

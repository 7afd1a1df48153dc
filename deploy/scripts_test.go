package deploy

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/base/secrets"
	"github.com/waft-ota/waft/models"
)

// copied returns a folder with the scripts and the files that they change. The tests pass the scripts to sh: starting a file that
// was just written fails if another test forks while the file is open.
func copied(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "deploy"), 0o755))
	for _, name := range []string{composeFile, dockerfile, "deploy/make-env.sh", "deploy/pin-images.sh"} {
		info, err := os.Stat(filepath.Join(root, name))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(readFile(t, name)), info.Mode()))
	}
	return dir
}

func TestMadeEnvStartsAnInstallation(t *testing.T) {
	t.Parallel()
	dir := copied(t)
	script := filepath.Join(dir, "deploy", "make-env.sh")
	out, err := exec.CommandContext(t.Context(), "sh", script).CombinedOutput()
	require.NoError(t, err, "%s", out)
	path := filepath.Join(dir, ".env")
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, fs.FileMode(0o600), info.Mode().Perm())
	made, err := os.ReadFile(path)
	require.NoError(t, err)
	given := map[string]string{}
	for _, line := range regexp.MustCompile(`(?m)^(\w+)=(.*)$`).FindAllStringSubmatch(string(made), -1) {
		given[line[1]] = line[2]
		require.NotContains(t, string(out), line[2])
	}
	require.Len(t, given, len(ofCompose))
	for name := range ofCompose {
		require.Contains(t, given, name)
	}
	_, err = load(t, given)
	require.NoError(t, err)
	_, ok := models.ParseAPIKeyToken(given["WAFT_ROOT_KEY"])
	require.True(t, ok, "the root key has another form")
	_, err = secrets.ParseKey(given["WAFT_SECRET_KEY"])
	require.NoError(t, err)

	// A second run would lose the keys of the first.
	out, err = exec.CommandContext(t.Context(), "sh", script).CombinedOutput()
	require.Error(t, err, "%s", out)
	kept, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(made), string(kept))
}

func TestPinnedImagesHaveTheDigestsOfTheRegistry(t *testing.T) {
	t.Parallel()
	dir := copied(t)
	tools, err := filepath.Abs("testdata")
	require.NoError(t, err)
	pin := func(environment ...string) (string, error) {
		cmd := exec.CommandContext(t.Context(), "sh", filepath.Join(dir, "deploy", "pin-images.sh"))
		cmd.Env = append(os.Environ(), append([]string{"PATH=" + tools + ":" + os.Getenv("PATH"), "UNKNOWN=", "ROUND=1"}, environment...)...)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	read := func(name string) string {
		content, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		return string(content)
	}
	_, err = pin("UNKNOWN=temporalio/*")
	require.Error(t, err)
	require.Equal(t, readFile(t, composeFile), read(composeFile), "nothing is half pinned")

	out, err := pin()
	require.NoError(t, err, out)
	first := read(composeFile)
	digest := regexp.MustCompile(`@sha256:[0-9a-f]{64}`)
	// Images of a registry have a tag; stages of the Dockerfile do not.
	unpinned := regexp.MustCompile(`(?m)^(?: *image:|FROM(?: --platform=\S+)?) (\S+:\S+)`)
	for _, name := range []string{composeFile, dockerfile} {
		found := unpinned.FindAllStringSubmatch(read(name), -1)
		require.NotEmpty(t, found)
		for _, image := range found {
			if image[1] != "waft:local" {
				require.Regexp(t, pinned, image[1])
				require.Contains(t, image[1], "@sha256:")
			}
		}
		// Nothing else changes.
		require.Equal(t, digest.ReplaceAllString(readFile(t, name), ""), digest.ReplaceAllString(read(name), ""))
	}
	out, err = pin()
	require.NoError(t, err, out)
	require.Equal(t, first, read(composeFile))
	out, err = pin("ROUND=2")
	require.NoError(t, err, out)
	require.NotEqual(t, first, read(composeFile))
	require.Equal(t, strings.Count(first, "@sha256:"), strings.Count(read(composeFile), "@sha256:"))
}

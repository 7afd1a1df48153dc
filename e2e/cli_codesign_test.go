package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/cli"
	"github.com/waft-ota/waft/models"
)

// codesign makes a key in the folders keys and certs of a folder.
func (p *tenant) codesign(folder string, args ...string) {
	p.t.Helper()
	_, _, err := p.tryCodesign(folder, args...)
	require.NoError(p.t, err)
}

func (p *tenant) tryCodesign(folder string, args ...string) (out, errors string, err error) {
	args = append([]string{"codesign"}, args...)
	return p.tryWaft(models.RoleAdmin, append(args, "--keys", filepath.Join(folder, "keys"), "--certs", filepath.Join(folder, "certs"))...)
}

func TestCodesign(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	folder := exampleCopy(t, `{"expo": {"name": "Shop", "slug": "shop", "version": "1.0.0"}}`)
	check := func() (string, error) {
		out, _, err := p.tryWaft(models.RoleAdmin, "codesign", "check", "--app", folder)
		return out, err
	}
	_, err := check()
	require.Equal(t, 6, cli.ExitCode(err), "neither the app nor the project has a key")

	p.codesign(folder, "generate")
	key := filepath.Join(folder, "keys", "private-key.pem")
	info, err := os.Stat(key)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	private, err := os.ReadFile(key)
	require.NoError(t, err)
	_, _, err = p.tryCodesign(t.TempDir(), "generate")
	require.ErrorContains(t, err, "waft codesign rotate", "the project signs already")

	// The tools of expo-updates accept key and certificate.
	configure := exec.CommandContext(t.Context(), "node_modules/.bin/expo-updates", "codesigning:configure",
		"--certificate-input-directory", "certs", "--key-input-directory", "keys")
	configure.Dir = folder
	configure.Env = append(os.Environ(), "CI=1", "EXPO_OFFLINE=1", "EXPO_NO_TELEMETRY=1")
	said, err := configure.CombinedOutput()
	require.NoError(t, err, string(said))
	_, _, err = p.tryWaft(models.RoleViewer, "init", "--app", folder, "--yes")
	require.NoError(t, err)

	_, err = p.client().Publish(t.Context(), client.Publication{
		Dir: madeExports(t)["stable"], Platforms: []models.Platform{models.IOS}, Channel: "production",
		Upload: client.Upload{RuntimeVersion: "1.0.0"},
	})
	require.NoError(t, err)
	verified := func() bool {
		out, err := check()
		return err == nil && strings.Contains(out, "ok       ios: the app's certificate verifies the signature")
	}
	require.True(t, verified())

	// Another certificate of the same key leaves installed builds working.
	before, err := os.ReadFile(filepath.Join(folder, "certs", "certificate.pem"))
	require.NoError(t, err)
	_, _, err = p.tryCodesign(folder, "rotate", "--private-key", key)
	require.Equal(t, 2, cli.ExitCode(err), "it asks first: %v", err)
	p.codesign(folder, "rotate", "--private-key", key, "--years", "20", "--yes")
	require.NoError(t, os.WriteFile(filepath.Join(folder, "certs", "certificate.pem"), before, 0o600))
	out, err := check()
	require.NoError(t, err, "the app has the previous certificate, and gets updates")
	require.Contains(t, out, "warning  the project has a new certificate for the same key")
	require.Contains(t, out, "ok       ios: the app's certificate verifies the signature")

	// Another key does not.
	_, _, err = p.tryCodesign(folder, "rotate", "--yes")
	require.ErrorContains(t, err, "would be lost")
	now, err := os.ReadFile(key)
	require.NoError(t, err)
	require.Equal(t, private, now)
	p.codesign(t.TempDir(), "rotate", "--yes")
	eventually(t, func() bool {
		out, err := check()
		return err != nil && strings.Contains(out, "problem  ios: the app refuses this response")
	})

	out, _, err = p.tryWaft(models.RoleViewer, "codesign", "show")
	require.NoError(t, err)
	require.Contains(t, out, "SHA-256")
	_, _, err = p.tryWaft(models.RoleAdmin, "codesign", "delete", "--yes")
	require.NoError(t, err)
	out, err = check()
	require.Error(t, err)
	require.Contains(t, out, "the project does not sign")
}

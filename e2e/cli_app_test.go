package e2e

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/cli"
	"github.com/waft-ota/waft/models"
)

// tryWaft runs the command waft like runWaft, without a terminal, and returns both outputs.
func (p *tenant) tryWaft(role models.Role, args ...string) (out, errors string, err error) {
	var stdout, stderr bytes.Buffer
	cmd := cli.NewCommand()
	cmd.SetArgs(append(args, "--url", p.url, "--project", p.slug, "--api-key", p.keys[role]))
	cmd.SetOut(&stdout)
	cmd.SetErr(&stderr)
	cmd.SetIn(strings.NewReader(""))
	err = cmd.ExecuteContext(p.t.Context())
	return stdout.String(), stderr.String(), err
}

// exampleCopy returns a folder with the configuration files of the example app, and its packages except those named.
func exampleCopy(t *testing.T, config string, without ...string) (folder string) {
	t.Helper()
	folder = t.TempDir()
	modules, err := filepath.Abs(filepath.Join(exampleApp, "node_modules"))
	require.NoError(t, err)
	require.NoError(t, os.Mkdir(filepath.Join(folder, "node_modules"), 0o750))
	entries, err := os.ReadDir(modules)
	require.NoError(t, err)
	for _, e := range entries {
		if !strings.Contains(strings.Join(without, " "), e.Name()) {
			require.NoError(t, os.Symlink(filepath.Join(modules, e.Name()), filepath.Join(folder, "node_modules", e.Name())))
		}
	}
	manifest, err := os.ReadFile(filepath.Join(exampleApp, "package.json"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(folder, "package.json"), manifest, 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(folder, "app.json"), []byte(config), 0o600))
	return folder
}

// expoConfig returns the configuration of an app as Expo's own tools read it.
func expoConfig(t *testing.T, folder string) (config map[string]any) {
	t.Helper()
	read := exec.CommandContext(t.Context(), "node_modules/.bin/expo", "config", "--json")
	read.Dir, read.Stderr = folder, t.Output()
	read.Env = append(os.Environ(), "CI=1", "EXPO_OFFLINE=1", "EXPO_NO_TELEMETRY=1", "EXPO_NO_DOTENV=1")
	text, err := read.Output()
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &config))
	return config
}

func TestInitConfiguresTheExampleApp(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	example, err := os.ReadFile(filepath.Join(exampleApp, "app.json"))
	require.NoError(t, err)
	folder := exampleCopy(t, string(example))
	file := filepath.Join(folder, "app.json")

	// Without a terminal and without --yes, it only shows the changes.
	out, _, err := p.tryWaft(models.RoleViewer, "init", "--app", folder)
	require.ErrorContains(t, err, "--yes")
	require.Equal(t, 2, cli.ExitCode(err))
	require.Contains(t, out, "+++ ")
	require.Contains(t, out, p.slug)
	now, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(example), string(now))

	_, notes, err := p.tryWaft(models.RoleViewer, "init", "--app", folder, "--yes")
	require.NoError(t, err)
	require.Contains(t, notes, "is not https")
	want := strings.Replace(strings.Replace(string(example), "http://localhost:8080", p.url, 1), `"demo"`, `"`+p.slug+`"`, 1)
	now, err = os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, want, string(now), "only two settings of the plugin differ")
	config := expoConfig(t, folder)
	require.Equal(t, p.url+"/v1/ota/manifest/"+p.slug, config["updates"].(map[string]any)["url"])

	out, _, err = p.tryWaft(models.RoleViewer, "init", "--app", folder)
	require.NoError(t, err, "a second run changes nothing and asks nothing")
	require.Contains(t, out, "Nothing to change")
}

func TestInitConfiguresAnAppOfEASWithoutThePlugin(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	certificate := project{Waft: p.client(), url: p.url, slug: p.slug}.signs(t)
	folder := exampleCopy(t, `{
    "expo": {
        "name": "Shop",
        "slug": "shop",
        "version": "2.1.0",
        "updates": {
            "url": "https://u.expo.dev/5f0c1a3e-0000-4000-8000-000000000000",
            "fallbackToCacheTimeout": 3000
        },
        "extra": { "eas": { "projectId": "5f0c1a3e-0000-4000-8000-000000000000" } }
    }
}
`, "@waft")
	require.NoError(t, os.WriteFile(filepath.Join(folder, "eas.json"),
		[]byte(`{"build": {"production": {"channel": "live"}, "preview": {"channel": "beta"}}}`), 0o600))
	_, notes, err := p.tryWaft(models.RoleViewer, "init", "--app", folder, "--yes", "--device-url", "https://ota.example.com/")
	require.NoError(t, err)
	require.Contains(t, notes, "installed builds keep asking EAS")
	require.Contains(t, notes, "preview: beta, production: live")
	require.Contains(t, notes, "Channel live does not exist")
	now, err := os.ReadFile(filepath.Join(folder, "app.json"))
	require.NoError(t, err)
	require.Equal(t, `{
    "expo": {
        "name": "Shop",
        "slug": "shop",
        "version": "2.1.0",
        "updates": {
            "url": "https://ota.example.com/v1/ota/manifest/`+p.slug+`",
            "fallbackToCacheTimeout": 3000,
            "requestHeaders": {
                "expo-channel-name": "live"
            },
            "codeSigningCertificate": "./certs/certificate.pem",
            "codeSigningMetadata": {
                "keyid": "main",
                "alg": "rsa-v1_5-sha256"
            }
        },
        "extra": { "eas": { "projectId": "5f0c1a3e-0000-4000-8000-000000000000" } },
        "runtimeVersion": {
            "policy": "appVersion"
        }
    }
}
`, string(now))
	text, err := os.ReadFile(filepath.Join(folder, "certs", "certificate.pem"))
	require.NoError(t, err)
	require.Contains(t, string(text), "BEGIN CERTIFICATE")
	require.NotEmpty(t, certificate)
	out, _, err := p.tryWaft(models.RoleViewer, "init", "--app", folder, "--device-url", "https://ota.example.com")
	require.NoError(t, err)
	require.Contains(t, out, "Nothing to change")
}

func TestInitPrintsWhatToPasteIntoADynamicConfiguration(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	folder := exampleCopy(t, `{"expo": {"name": "Shop", "slug": "shop", "version": "2.1.0"}}`)
	file := filepath.Join(folder, "app.config.js")
	write := func(more string) {
		require.NoError(t, os.WriteFile(file, []byte("module.exports = ({ config }) => ({ ...config"+more+" });\n"), 0o600))
	}
	write("")
	out, _, err := p.tryWaft(models.RoleViewer, "init", "--app", folder)
	require.NoError(t, err)
	from, to := strings.Index(out, "{"), strings.LastIndex(out, "}")
	require.Contains(t, out, "app.config.js")
	write(", ..." + out[from:to+1])
	out, _, err = p.tryWaft(models.RoleViewer, "init", "--app", folder)
	require.NoError(t, err)
	require.Contains(t, out, "Nothing to change", "what it printed is enough")
}

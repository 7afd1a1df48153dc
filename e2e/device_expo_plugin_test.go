package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// packedApp creates an Expo app with the app config. The app has the package for Expo as npm packs it, and the
// example's other packages.
func packedApp(t *testing.T, config object) (folder string) {
	t.Helper()
	modules, err := filepath.Abs(filepath.Join(exampleApp, "node_modules"))
	require.NoError(t, err)
	require.DirExists(t, filepath.Join(modules, "expo-updates"), "it is installed by `make exports`")
	folder = t.TempDir()
	own := filepath.Join(folder, "node_modules", "@waft", "expo")
	require.NoError(t, os.MkdirAll(own, 0o750))
	for _, pattern := range []string{"*", filepath.Join("@*", "*")} {
		found, err := filepath.Glob(filepath.Join(modules, pattern))
		require.NoError(t, err)
		for _, one := range found {
			name, err := filepath.Rel(modules, one)
			require.NoError(t, err)
			if name == filepath.Join("@waft", "expo") || strings.HasPrefix(name, "@") && filepath.Dir(name) == "." {
				continue
			}
			require.NoError(t, os.MkdirAll(filepath.Join(folder, "node_modules", filepath.Dir(name)), 0o750))
			require.NoError(t, os.Symlink(one, filepath.Join(folder, "node_modules", name)))
		}
	}
	pack := exec.CommandContext(t.Context(), "npm", "pack", "--ignore-scripts", "--loglevel=error", "--pack-destination", folder)
	pack.Dir, pack.Stderr = "../sdk/expo", t.Output()
	name, err := pack.Output()
	require.NoError(t, err)
	packed := filepath.Join(folder, strings.TrimSpace(string(name)))
	require.NoError(t, exec.CommandContext(t.Context(), "tar", "xzf", packed, "-C", own, "--strip-components=1").Run())
	write := func(name string, content object) {
		text, err := json.Marshal(content)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), text, 0o600))
	}
	write("package.json", object{
		"name": "packed", "version": "1.0.0",
		"dependencies": object{"expo": "57", "expo-updates": "57", "react-native": "0.86", "@waft/expo": "0.1.0"},
	})
	write("app.json", object{"expo": config})
	return folder
}

// The config plugin of the packed package writes the settings for updates into the native projects.
func TestTheConfigPluginOfThePackage(t *testing.T) {
	t.Parallel()
	folder := packedApp(t, object{
		"name": "Packed", "slug": "packed", "version": "1.4.0",
		"ios": object{"bundleIdentifier": "dev.waft.packed"}, "android": object{"package": "dev.waft.packed"},
		"updates": object{
			"codeSigningCertificate": "./certificate.pem",
			"codeSigningMetadata":    object{"keyid": "main", "alg": "rsa-v1_5-sha256"},
		},
		"plugins": []any{[]any{"@waft/expo", object{"url": "https://ota.example.com/", "project": "shop", "channel": "beta"}}},
	})
	const certificate = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"
	require.NoError(t, os.WriteFile(filepath.Join(folder, "certificate.pem"), []byte(certificate), 0o600))
	read := exec.CommandContext(t.Context(), "node_modules/.bin/expo", "config", "--type", "introspect", "--json")
	read.Dir, read.Stderr = folder, t.Output()
	read.Env = append(os.Environ(), "CI=1", "EXPO_OFFLINE=1", "EXPO_NO_TELEMETRY=1", "EXPO_NO_DOTENV=1")
	text, err := read.Output()
	require.NoError(t, err)
	var config struct {
		Internal struct {
			ModResults struct {
				IOS struct {
					ExpoPlist map[string]any `json:"expoPlist"`
				} `json:"ios"`
				Android struct {
					Manifest json.RawMessage `json:"manifest"`
					Strings  json.RawMessage `json:"strings"`
				} `json:"android"`
			} `json:"modResults"`
		} `json:"_internal"`
	}
	require.NoError(t, json.Unmarshal(text, &config))
	ios, android := config.Internal.ModResults.IOS.ExpoPlist, config.Internal.ModResults.Android
	for name, want := range map[string]any{
		"EXUpdatesEnabled":                true,
		"EXUpdatesURL":                    "https://ota.example.com/v1/ota/manifest/shop",
		"EXUpdatesRequestHeaders":         map[string]any{"expo-channel-name": "beta"},
		"EXUpdatesRuntimeVersion":         "1.4.0",
		"EXUpdatesCheckOnLaunch":          "ALWAYS",
		"EXUpdatesCodeSigningCertificate": certificate,
		"EXUpdatesCodeSigningMetadata":    map[string]any{"keyid": "main", "alg": "rsa-v1_5-sha256"},
	} {
		require.Equal(t, want, ios[name], name)
	}
	requireSetting := func(name, value string) {
		t.Helper()
		pair, err := json.Marshal(map[string]string{"android:name": "expo.modules.updates." + name, "android:value": value})
		require.NoError(t, err)
		require.Contains(t, string(android.Manifest), string(pair))
	}
	requireSetting("EXPO_UPDATE_URL", "https://ota.example.com/v1/ota/manifest/shop")
	requireSetting("UPDATES_CONFIGURATION_REQUEST_HEADERS_KEY", `{"expo-channel-name":"beta"}`)
	requireSetting("CODE_SIGNING_CERTIFICATE", certificate)
	require.Contains(t, string(android.Strings), `{"$":{"name":"expo_runtime_version"},"_":"1.4.0"}`)
}

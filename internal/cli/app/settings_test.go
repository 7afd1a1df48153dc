package app

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/client"
)

func TestPlan(t *testing.T) {
	t.Parallel()
	plain := target{server: "https://ota.example.com/", project: "shop", channel: "production"}
	plugin, signing := plain, plain
	plugin.hasPlugin = true
	signing.signing = &client.CodeSigning{KeyID: "main", Algorithm: "rsa-v1_5-sha256"}
	beta := plugin
	beta.channel = "beta"
	for name, c := range map[string]struct {
		config, want string
		t            target
	}{
		"an empty configuration": {
			config: `{}`, t: plain,
			want: `{"updates": {"url": "https://ota.example.com/v1/ota/manifest/shop", "requestHeaders": {"expo-channel-name": "production"}},
				"runtimeVersion": {"policy": "appVersion"}}`,
		},
		"the plugin is installed, but not in the configuration": {
			config: `{"plugins": ["expo-router"]}`, t: plugin,
			want: `{"plugins": ["expo-router", ["@waft/expo", {"url": "https://ota.example.com", "project": "shop", "channel": "production"}]]}`,
		},
		"the plugin without settings": {
			config: `{"plugins": ["@waft/expo"]}`, t: plugin,
			want: `{"plugins": [["@waft/expo", {"url": "https://ota.example.com", "project": "shop", "channel": "production"}]]}`,
		},
		"the plugin with other settings": {
			config: `{"plugins": [["@waft/expo", {"url": "http://localhost", "project": "shop", "uploadSourceMaps": false}]]}`, t: beta,
			want: `{"plugins": [["@waft/expo",
				{"url": "https://ota.example.com", "project": "shop", "uploadSourceMaps": false, "channel": "beta"}]]}`,
		},
		"a URL besides the plugin": {
			config: `{"updates": {"url": "https://u.expo.dev/1", "enabled": false},
				"plugins": [["@waft/expo", {"url": "https://ota.example.com/", "project": "shop"}]]}`, t: plugin,
			want: `{"updates": {"url": "https://ota.example.com/v1/ota/manifest/shop", "enabled": true},
				"plugins": [["@waft/expo", {"url": "https://ota.example.com/", "project": "shop"}]]}`,
		},
		"a project that signs": {
			config: `{"runtimeVersion": "1", "updates": {"url": "https://ota.example.com/v1/ota/manifest/shop",
				"requestHeaders": {"x": "y", "expo-channel-name": "production"}, "codeSigningMetadata": {"keyid": "old"}}}`, t: signing,
			want: `{"runtimeVersion": "1", "updates": {"url": "https://ota.example.com/v1/ota/manifest/shop",
				"requestHeaders": {"x": "y", "expo-channel-name": "production"},
				"codeSigningMetadata": {"keyid": "main", "alg": "rsa-v1_5-sha256"}, "codeSigningCertificate": "./certs/certificate.pem"}}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			after, err := applyEdits([]byte(c.config), plan(parsed(t, c.config), c.t))
			require.NoError(t, err)
			require.JSONEq(t, c.want, string(after))
			require.Empty(t, plan(parsed(t, string(after)), c.t), "a second run changes nothing")
		})
	}
}

func parsed(t *testing.T, text string) (config map[string]any) {
	t.Helper()
	require.NoError(t, json.Unmarshal([]byte(text), &config))
	return config
}

func TestSettingsOfTheConfiguration(t *testing.T) {
	t.Parallel()
	require.Equal(t, configured{"https://u.expo.dev/1", "beta", "updates.url"},
		settingsOf(parsed(t, `{"updates": {"url": "https://u.expo.dev/1", "requestHeaders": {"expo-channel-name": "beta"}}}`)))
	require.Equal(t, configured{"https://a.example/v1/ota/manifest/shop", "production", "the settings of @waft/expo"},
		settingsOf(parsed(t, `{"updates": {"url": "https://u.expo.dev/1"},
			"plugins": [["@waft/expo", {"url": "https://a.example/", "project": "shop"}]]}`)))
	require.Equal(t, configured{from: "updates.url"}, settingsOf(nil))
}

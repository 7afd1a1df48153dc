package helmtests

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"
)

// changed returns the values of the set production with the values of a YAML text merged into them. null removes a value.
func changed(t *testing.T, text string) map[string]any {
	t.Helper()
	var change map[string]any
	require.NoError(t, yaml.Unmarshal([]byte(text), &change))
	values := valuesOf(t, "production")
	merge(values, change)
	return values
}

func merge(into, from map[string]any) {
	for name, value := range from {
		inner, isMap := value.(map[string]any)
		own, both := into[name].(map[string]any)
		switch {
		case isMap && both:
			merge(own, inner)
		case value == nil:
			delete(into, name)
		default:
			into[name] = value
		}
	}
}

// Wrong values are refused with a sentence that names the value.
func TestWrongValuesAreRefused(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"replicas: 3":                                         "additional properties 'replicas' not allowed",
		"settings: {WAFT_SECRET_KEY: aaaa}":                   "at '/settings': additional properties 'WAFT_SECRET_KEY' not allowed",
		"settings: {DATABASE_URL: 'postgres://u:p@h/d'}":      "at '/settings': additional properties 'DATABASE_URL' not allowed",
		"settings: {AWS_SECRET_ACCESS_KEY: aaaa}":             "additional properties 'AWS_SECRET_ACCESS_KEY' not allowed",
		"settings: {WAFT_LISTEN_ADDR: ':80'}":                 "additional properties 'WAFT_LISTEN_ADDR' not allowed",
		"settings: {WAFT_QUOTA_FLAG: 7}":                      "additional properties 'WAFT_QUOTA_FLAG' not allowed",
		"settings: {WAFT_LOG_LEVEL: [debug]}":                 "at '/settings/WAFT_LOG_LEVEL': got array",
		"secretSettings: {WAFT_SECRET_KEY: aaaa}":             "at '/secretSettings/WAFT_SECRET_KEY': got string, want object",
		"secretSettings: {WAFT_SECRET_KEY: {value: aaaa}}":    "additional properties 'value' not allowed",
		"api: {replicas: 0}":                                  "at '/api/replicas': minimum: got 0, want 1",
		"api: {storage: {size: big}}":                         "at '/api/storage/size'",
		"image: {digest: latest}":                             "at '/image/digest'",
		"files: [{secret: a, configMap: b, path: /etc/waft}]": "at '/files/0'",
		"networkPolicy: {clients: [{}]}":                      "at '/networkPolicy/clients/0'",
		"topologySpread: Never":                               "at '/topologySpread': value must be one of 'ScheduleAnyway', 'DoNotSchedule'",

		// The templates check these, because a schema cannot.
		"image: {repository: ''}":                      "image.repository is required: set it to the repository",
		"image: {repository: 'registry/waft:0.1.0'}":   "image.repository must not have a tag or a digest: set image.tag",
		"settings: {WAFT_BASE_URL: ota.example.com}":   "settings.WAFT_BASE_URL must begin with https:// or http://",
		"settings: {WAFT_DASHBOARD_URL: example.com}":  "settings.WAFT_DASHBOARD_URL must begin with https:// or http://",
		"settings: {TEMPORAL_ADDRESS: temporal}":       "settings.TEMPORAL_ADDRESS must have a port, such as temporal-frontend.temporal:7233",
		"settings: {WAFT_ASSET_BUCKET_URL: assets}":    "settings.WAFT_ASSET_BUCKET_URL must be a URL, such as s3://assets",
		"settings: {WAFT_SHUTDOWN_TIMEOUT: 20}":        "settings.WAFT_SHUTDOWN_TIMEOUT must have a unit, such as 20s",
		"backup: {schedule: nightly}":                  "backup.schedule must have the five fields of cron",
		"backup: {schedule: 15 3 * *}":                 "backup.schedule must have the five fields of cron",
		"settings: {WAFT_BASE_URL: null}":              "settings.WAFT_BASE_URL is required: set it to the URL at which devices reach Waft",
		"settings: {TEMPORAL_ADDRESS: ''}":             "settings.TEMPORAL_ADDRESS is required: set it to host:port of Temporal's frontend",
		"settings: {WAFT_ASSET_BUCKET_URL: null}":      "settings.WAFT_ASSET_BUCKET_URL is required",
		"settings: {WAFT_ASSET_BUCKET_URL: file:///x}": "settings.WAFT_ASSET_BUCKET_URL must not be a folder, because each pod has its own",
		"settings: {WAFT_TRUSTED_PROXIES: ''}":         "settings.WAFT_TRUSTED_PROXIES is required with ingress.enabled",
		"settings: {WAFT_SHUTDOWN_TIMEOUT: 40s}":       "stopSeconds must be at least 50, because settings.WAFT_SHUTDOWN_TIMEOUT is 40s",
		"settings: {WAFT_SHUTDOWN_TIMEOUT: 1m}":        "stopSeconds must be at least 70",
		"secretSettings: {DATABASE_URL: null}":         "secretSettings.DATABASE_URL is required: set its secret to the name",
		"secretSettings: {WAFT_SECRET_KEY: null}":      "secretSettings.WAFT_SECRET_KEY is required",
		"networkPolicy: {engines: []}":                 "networkPolicy.engines is required with networkPolicy.enabled",
		"networkPolicy: {prometheus: []}":              "networkPolicy.prometheus is required with serviceMonitor.enabled",
		"backup: {claim: ''}":                          "backup.claim is required with backup.schedule and restore.enabled",
		"restore: {to: tonight}":                       "at '/restore/to'",
		"ingress: {dashboardTLSSecret: a}":             "settings.WAFT_DASHBOARD_URL is required with ingress.dashboardTLSSecret",

		"secretSettings: {WAFT_ASSET_BUCKET_URL: {secret: a}}": "settings.WAFT_ASSET_BUCKET_URL is in secretSettings too: remove one of them",
	} {
		_, err := render(t, changed(t, text))
		require.ErrorContains(t, err, want, text)
	}
}

// The checks accept other forms of right values.
func TestRightValuesAreAccepted(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"image: {repository: 'registry:5000/team/waft'}", "settings: {TEMPORAL_ADDRESS: '[fd00::7]:7233'}", "backup: {schedule: '@daily'}",
		"backup: {schedule: 15 3 * * mon-fri}", "settings: {WAFT_SHUTDOWN_TIMEOUT: 1m10s}", "settings: {WAFT_BASE_URL: http://waft.internal/}",
	} {
		_, err := render(t, changed(t, text))
		require.NoError(t, err, text)
	}
}

// All problems come together, as waftd reports its settings.
func TestTheFirstAttemptNamesEverythingThatIsMissing(t *testing.T) {
	t.Parallel()
	_, err := render(t, map[string]any{})
	for _, name := range []string{
		"image.repository", "settings.WAFT_BASE_URL", "settings.TEMPORAL_ADDRESS", "settings.WAFT_ASSET_BUCKET_URL",
		"secretSettings.DATABASE_URL", "secretSettings.CLICKHOUSE_URL", "secretSettings.WAFT_SECRET_KEY", "networkPolicy.engines",
	} {
		require.ErrorContains(t, err, name+" is required")
	}
}

// The set everything has each value of values.yaml.
func TestEverythingHasEveryValue(t *testing.T) {
	t.Parallel()
	content, err := os.ReadFile(filepath.Join(chart, "values.yaml"))
	require.NoError(t, err)
	var defaults map[string]any
	require.NoError(t, yaml.Unmarshal(content, &defaults))
	requireSame(t, defaults, valuesOf(t, "everything"), "")
}

func requireSame(t *testing.T, defaults, all map[string]any, path string) {
	t.Helper()
	for name, value := range defaults {
		if path+name == "image.digest" { // it hides image.tag
			continue
		}
		require.Contains(t, all, name, "%s is missing in testdata/values/everything.yaml", path+name)
		if inner, isMap := value.(map[string]any); isMap {
			own, ok := all[name].(map[string]any)
			require.True(t, ok, path+name)
			requireSame(t, inner, own, path+name+".")
		}
	}
}

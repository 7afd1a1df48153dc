// Package deploy holds what the files for running Waft in containers promise, on
// machines where no container can run.
package deploy

import (
	"maps"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/compose-spec/compose-go/v2/loader"
	"github.com/compose-spec/compose-go/v2/types"
	"github.com/stretchr/testify/require"
	"gocloud.dev/blob"
	_ "gocloud.dev/blob/s3blob" // the scheme of the bucket in docker-compose.yml

	"github.com/waft-ota/waft/internal/config"
)

const (
	root         = ".."
	composeFile  = "docker-compose.yml"
	dockerfile   = "Dockerfile"
	dockerignore = ".dockerignore"
)

var (
	// pinned is a tag of a release, at least major and minor, so neither
	// "latest" nor "18", and its digest.
	pinned = regexp.MustCompile(`:v?\d+\.\d+[\w.-]*@sha256:[0-9a-f]{64}$`)

	ofCompose = map[string]string{
		"WAFT_ROOT_KEY":   "waft_0123abcd_" + strings.Repeat("0123456789abcdef", 4),
		"WAFT_SECRET_KEY": "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=",

		"POSTGRES_PASSWORD": "given-to-postgres", "CLICKHOUSE_PASSWORD": "given-to-clickhouse", "S3_SECRET_KEY": "given-to-objects",
	}

	// secret matches the name of a variable whose value must stay secret.
	secret = regexp.MustCompile(`PASSWORD|_PWD$|SECRET|_KEYS?$`)
)

// load reads docker-compose.yml as Docker Compose does: checked against the
// schema, with the references between its parts, and with nothing of the
// environment but the given variables.
func load(t *testing.T, environment map[string]string) (*types.Project, error) {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(root, composeFile))
	require.NoError(t, err)
	return loader.LoadWithContext(t.Context(), types.ConfigDetails{
		WorkingDir:  root,
		ConfigFiles: []types.ConfigFile{{Filename: composeFile, Content: content}},
		Environment: maps.Clone(environment), // the loader adds to it
	})
}

func mustLoad(t *testing.T) *types.Project {
	t.Helper()
	project, err := load(t, ofCompose)
	require.NoError(t, err)
	return project
}

// waftd returns the services that run Waft's own image.
func waftd(t *testing.T, project *types.Project) types.Services {
	t.Helper()
	own := types.Services{}
	for name, service := range project.Services {
		if service.Build != nil {
			own[name] = service
		}
	}
	require.ElementsMatch(t, []string{"api", "worker", "migrate"}, slices.Collect(maps.Keys(own)))
	return own
}

func TestComposeHasEveryPart(t *testing.T) {
	t.Parallel()
	require.Subset(t, mustLoad(t).ServiceNames(), []string{
		"api", "worker", "migrate", "postgres", "temporal", "temporal-ui", "clickhouse", "objects",
	})
}

func TestComposeAsksForTheSecrets(t *testing.T) {
	t.Parallel()
	for secret := range ofCompose {
		t.Run(secret, func(t *testing.T) {
			t.Parallel()
			rest := maps.Clone(ofCompose)
			delete(rest, secret)
			_, err := load(t, rest)
			require.ErrorContains(t, err, secret)
			rest[secret] = ""
			_, err = load(t, rest)
			require.ErrorContains(t, err, secret)
		})
	}
}

// isSecret reports whether a variable's name is one of a secret, and not of a limit on keys.
func isSecret(variable string) bool {
	return secret.MatchString(variable) && !strings.HasPrefix(variable, "WAFT_QUOTA_") && !strings.HasPrefix(variable, "WAFT_RATE_")
}

// A person who has read this repository does not know a password of an installation.
func TestComposeHasNoPassword(t *testing.T) {
	t.Parallel()
	optional := []string{"WAFT_SECRET_KEY_PREVIOUS", "WAFT_TEMPORAL_PAYLOAD_KEYS"}
	for _, use := range regexp.MustCompile(`\$\{(\w+)([^}]*)\}`).FindAllStringSubmatch(readFile(t, composeFile), -1) {
		if isSecret(use[1]) && !slices.Contains(optional, use[1]) {
			require.Regexp(t, `^:\?.+`, use[2], "%s has a default", use[1])
		}
	}
	given := slices.Collect(maps.Values(ofCompose))
	for name, service := range mustLoad(t).Services {
		for variable, value := range service.Environment {
			if !isSecret(variable) || variable == "AWS_ACCESS_KEY_ID" || variable == "ROOT_ACCESS_KEY_ID" {
				continue
			}
			if slices.Contains(optional, variable) {
				require.Empty(t, *value, "%s: %s", name, variable)
				continue
			}
			require.Contains(t, given, *value, "%s: %s", name, variable)
		}
	}
}

// Each service has only the secrets that it needs, so an attacker who breaks into a service does not learn other secrets.
func TestComposeGivesEachServiceItsOwnSecrets(t *testing.T) {
	t.Parallel()
	engines := []string{"POSTGRES_PASSWORD", "CLICKHOUSE_PASSWORD"}
	want := map[string][]string{
		"api":      append([]string{"WAFT_ROOT_KEY", "WAFT_SECRET_KEY", "S3_SECRET_KEY"}, engines...),
		"worker":   append([]string{"WAFT_SECRET_KEY", "S3_SECRET_KEY"}, engines...),
		"migrate":  engines,
		"postgres": {"POSTGRES_PASSWORD"}, "temporal": {"POSTGRES_PASSWORD"}, "temporal-schema": {"POSTGRES_PASSWORD"},
		"clickhouse": {"CLICKHOUSE_PASSWORD"}, "objects": {"S3_SECRET_KEY"},
	}
	for name, service := range mustLoad(t).Services {
		var has []string
		for secret, value := range ofCompose {
			for _, set := range service.Environment {
				if strings.Contains(*set, value) && !slices.Contains(has, secret) {
					has = append(has, secret)
				}
			}
		}
		require.ElementsMatch(t, want[name], has, name)
	}
}

func TestComposePinsEveryImage(t *testing.T) {
	t.Parallel()
	for name, service := range mustLoad(t).Services {
		if service.Build == nil {
			require.Regexp(t, pinned, service.Image, name)
			continue
		}
		file := filepath.Join(service.Build.Context, service.Build.Dockerfile)
		require.FileExists(t, file, name)
		require.Equal(t, types.PullPolicyBuild, service.PullPolicy, name)
	}
}

func TestComposePublishesOnThisMachineOnly(t *testing.T) {
	t.Parallel()
	taken := map[string]string{}
	for name, service := range mustLoad(t).Services {
		for _, port := range service.Ports {
			require.Equal(t, "127.0.0.1", port.HostIP, name)
			if listen := service.Environment["WAFT_LISTEN_ADDR"]; listen != nil {
				_, public, err := net.SplitHostPort(*listen)
				require.NoError(t, err)
				require.Equal(t, public, strconv.FormatUint(uint64(port.Target), 10), "%s publishes what is not for the public", name)
			}
			require.NotContains(t, taken, port.Published, name)
			taken[port.Published] = name
		}
	}
}

// Metrics are for a Prometheus in the network of the services, and for nobody else.
func TestComposeKeepsMetricsInside(t *testing.T) {
	t.Parallel()
	for name, service := range waftd(t, mustLoad(t)) {
		if service.Environment["WAFT_LISTEN_ADDR"] != nil {
			require.Equal(t, "0.0.0.0:8082", *service.Environment["WAFT_ADMIN_ADDR"], name)
		}
		for _, port := range service.Ports {
			require.NotEqual(t, uint32(8082), port.Target, name)
		}
	}
}

func TestComposeStartsInOrder(t *testing.T) {
	t.Parallel()
	project := mustLoad(t)
	for name, service := range project.Services {
		for dependency, edge := range service.DependsOn {
			needed, ok := project.Services[dependency]
			require.True(t, ok, "%s depends on %s, which is not there", name, dependency)
			switch edge.Condition {
			case types.ServiceConditionHealthy:
				require.NotNil(t, needed.HealthCheck, "%s waits for the health of %s", name, dependency)
			case types.ServiceConditionCompletedSuccessfully:
				require.Regexp(t, `^(no|on-failure(:\d+)?)$`, needed.Restart, "%s waits for the end of %s", name, dependency)
			default:
				require.Fail(t, "a dependency without a condition", "%s on %s: %s", name, dependency, edge.Condition)
			}
		}
	}
	for name := range waftd(t, project) {
		require.Contains(t, ancestors(project, name), "postgres", name)
		require.Contains(t, ancestors(project, name), "clickhouse", name)
	}
	for _, name := range []string{"api", "worker"} {
		require.Subset(t, ancestors(project, name), []string{"migrate", "temporal", "objects"}, name)
	}
}

// ancestors returns every service that has to be up before the named one.
func ancestors(project *types.Project, name string) []string {
	var found []string
	for dependency := range project.Services[name].DependsOn {
		found = append(found, dependency)
		found = append(found, ancestors(project, dependency)...)
	}
	return found
}

func TestComposeKeepsDataInNamedVolumes(t *testing.T) {
	t.Parallel()
	project := mustLoad(t)
	users := map[string][]string{}
	for name, service := range project.Services {
		for _, volume := range service.Volumes {
			require.Equal(t, types.VolumeTypeVolume, volume.Type, name)
			require.Contains(t, project.Volumes, volume.Source, name)
			users[volume.Source] = append(users[volume.Source], name)
		}
	}
	for volume := range project.Volumes {
		// Two processes with one ingest log would lose reports.
		require.Len(t, users[volume], 1, "users of %s", volume)
	}
}

func TestComposeSetsWhatTheServerKnows(t *testing.T) {
	t.Parallel()
	known := map[string]config.Variable{}
	for _, variable := range config.Variables() {
		known[variable.Name] = variable
	}
	project := mustLoad(t)
	for name, service := range waftd(t, project) {
		settings := map[string]string{}
		for variable, value := range service.Environment {
			require.NotNil(t, value, "%s: %s has no value", name, variable)
			settings[variable] = *value
			if strings.HasPrefix(variable, "AWS_") {
				continue // read by the S3 client
			}
			require.Contains(t, known, variable, name)
		}
		read := config.FromMap
		if name == "migrate" {
			read = config.MigrationFromMap
		}
		cfg, err := read(settings)
		require.NoError(t, err, name)

		requireService(t, project, "DATABASE_URL", hostOf(t, cfg.DatabaseURL))
		requireService(t, project, "CLICKHOUSE_URL", hostOf(t, cfg.ClickHouseURL))
		requireService(t, project, "TEMPORAL_ADDRESS", strings.Split(cfg.TemporalAddress, ":")[0])
		if len(service.Volumes) > 0 {
			require.Equal(t, cfg.DataDir, service.Volumes[0].Target, name)
		}
	}
}

// fixed are the settings that docker-compose.yml itself decides, since it makes what
// they name. Every other one is for the environment of `docker compose`.
var fixed = []string{
	"WAFT_LISTEN_ADDR", "WAFT_ADMIN_ADDR", "DATABASE_URL", "CLICKHOUSE_URL", "TEMPORAL_ADDRESS", "TEMPORAL_NAMESPACE", "WAFT_TASK_QUEUE",
	"WAFT_ASSET_BUCKET_URL", "WAFT_DATA_DIR", "WAFT_LOG_FORMAT",
}

// ownDefaults are the settings whose defaults are ports and services of docker-compose.yml.
var ownDefaults = []string{"WAFT_BASE_URL", "WAFT_TEMPORAL_UI_URL", "WAFT_OTHER_ADMIN_ADDRS"}

// elsewhere are the settings of a Temporal outside docker-compose.yml. The one inside takes
// neither TLS nor an API key.
var elsewhere = []string{
	"TEMPORAL_API_KEY", "TEMPORAL_TLS", "TEMPORAL_TLS_SERVER_CA_CERT_PATH", "TEMPORAL_TLS_CLIENT_CERT_PATH",
	"TEMPORAL_TLS_CLIENT_KEY_PATH", "TEMPORAL_TLS_SERVER_NAME",
}

// ofMigration are the settings of `waftd migrate`.
var ofMigration = []string{
	"DATABASE_URL", "CLICKHOUSE_URL", "WAFT_CLICKHOUSE_CLUSTER", "TEMPORAL_ADDRESS", "TEMPORAL_NAMESPACE", "WAFT_LOG_FORMAT", "WAFT_LOG_LEVEL",
}

// reads reports whether a service of Waft needs the setting.
func reads(service, variable string) bool {
	switch {
	case slices.Contains(elsewhere, variable):
		return false
	case service == "migrate":
		return slices.Contains(ofMigration, variable)
	default:
		return service == "api" || variable != "WAFT_ROOT_KEY"
	}
}

// TestComposePassesEverySetting compares the file with the settings of the server:
// each setting is passed to the services that read it, has the server's own default, and can be changed.
func TestComposePassesEverySetting(t *testing.T) {
	t.Parallel()
	given := maps.Clone(ofCompose)
	for _, variable := range config.Variables() {
		given[variable.Name] = "given-" + variable.Name
	}
	changed, err := load(t, given)
	require.NoError(t, err)
	defaults := mustLoad(t)
	for name, service := range waftd(t, changed) {
		for _, variable := range config.Variables() {
			if !reads(name, variable.Name) {
				require.NotContains(t, service.Environment, variable.Name, name)
				continue
			}
			require.Contains(t, service.Environment, variable.Name, name)
			if slices.Contains(fixed, variable.Name) {
				continue
			}
			require.Equal(t, given[variable.Name], *service.Environment[variable.Name], name)
			if !slices.Contains(ownDefaults, variable.Name) && ofCompose[variable.Name] == "" {
				require.Equal(t, variable.Default, *defaults.Services[name].Environment[variable.Name], "%s: %s", name, variable.Name)
			}
		}
	}
}

func TestComposeGivesTheEnginesTheSameNamesAsTheServer(t *testing.T) {
	t.Parallel()
	project := mustLoad(t)
	api := func(variable string) string { return *project.Services["api"].Environment[variable] }
	value := func(service, variable string) string {
		set := project.Services[service].Environment[variable]
		require.NotNil(t, set, "%s: %s", service, variable)
		return *set
	}

	for _, engine := range []struct{ service, prefix, setting string }{
		{"postgres", "POSTGRES_", "DATABASE_URL"},
		{"clickhouse", "CLICKHOUSE_", "CLICKHOUSE_URL"},
	} {
		address, err := url.Parse(api(engine.setting))
		require.NoError(t, err)
		password, _ := address.User.Password()
		require.Equal(t, value(engine.service, engine.prefix+"USER"), address.User.Username())
		require.Equal(t, value(engine.service, engine.prefix+"PASSWORD"), password)
		require.Equal(t, value(engine.service, engine.prefix+"DB"), strings.Trim(address.Path, "/"))
	}
	require.Equal(t, value("temporal-namespace", "TEMPORAL_NAMESPACE"), api("TEMPORAL_NAMESPACE"))
	require.Equal(t, value("objects", "ROOT_ACCESS_KEY_ID"), api("AWS_ACCESS_KEY_ID"))
	require.Equal(t, value("objects", "ROOT_SECRET_ACCESS_KEY"), api("AWS_SECRET_ACCESS_KEY"))

	bucket, err := url.Parse(api("WAFT_ASSET_BUCKET_URL"))
	require.NoError(t, err)
	requireService(t, project, "WAFT_ASSET_BUCKET_URL", hostOf(t, bucket.Query().Get("endpoint")))
	require.Equal(t, value("objects", "VGW_REGION"), bucket.Query().Get("region"))
	require.Contains(t, strings.Join(project.Services["objects"].Command, "\n"), "/data/"+bucket.Host)
	// Opening checks the parameters without a request.
	opened, err := blob.OpenBucket(t.Context(), bucket.String())
	require.NoError(t, err)
	require.NoError(t, opened.Close())
}

func requireService(t *testing.T, project *types.Project, setting, host string) {
	t.Helper()
	_, ok := project.Services[host]
	require.True(t, ok, "%s: no service is called %q", setting, host)
}

func hostOf(t *testing.T, raw string) string {
	t.Helper()
	address, err := url.Parse(raw)
	require.NoError(t, err)
	return address.Hostname()
}

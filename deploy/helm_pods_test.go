package deploy

import (
	"fmt"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/waft-ota/waft/internal/config"
)

// pod is the pod template of a component, as the chart renders it for a set of values.
type pod struct {
	Spec struct {
		TerminationGracePeriodSeconds int
		SecurityContext               struct{ RunAsUser, RunAsGroup int }
		Containers                    []container
	}
}

type container struct {
	Args []string
	Env  []struct {
		Name, Value string
		ValueFrom   *struct {
			SecretKeyRef struct{ Name, Key string }
		}
	}
	Ports []struct {
		Name          string
		ContainerPort int
	}
	StartupProbe, LivenessProbe, ReadinessProbe *probe
	VolumeMounts                                []struct{ Name, MountPath string }
}

type probe struct{ HTTPGet struct{ Path, Port string } }

// UnmarshalYAML reads a pod by the names of Kubernetes, which are in camel case.
func (p *pod) UnmarshalYAML(node *yaml.Node) error {
	lower(node)
	type plain pod
	return node.Decode((*plain)(p))
}

// lower makes the names of fields lower-case, as package yaml expects them of fields without a tag.
func lower(node *yaml.Node) {
	for i, inner := range node.Content {
		if node.Kind == yaml.MappingNode && i%2 == 0 {
			inner.Value = strings.ToLower(inner.Value)
		}
		lower(inner)
	}
}

// chartPods returns the pods of a set of values by their component. deploy/helm/tests keeps testdata/rendered as Helm renders it.
func chartPods(t *testing.T, set string) map[string]pod {
	t.Helper()
	decoder := yaml.NewDecoder(strings.NewReader(readFile(t, "deploy/helm/tests/testdata/rendered/"+set+".yaml")))
	pods := map[string]pod{}
	for {
		var manifest struct {
			Metadata struct{ Labels map[string]string }
			Spec     struct {
				Template    pod
				JobTemplate struct{ Spec struct{ Template pod } } `yaml:"jobTemplate"`
			}
		}
		if err := decoder.Decode(&manifest); err != nil {
			require.EqualError(t, err, "EOF")
			break
		}
		for _, pod := range []pod{manifest.Spec.Template, manifest.Spec.JobTemplate.Spec.Template} {
			if len(pod.Spec.Containers) > 0 {
				pods[manifest.Metadata.Labels["app.kubernetes.io/component"]] = pod
			}
		}
	}
	require.Len(t, pods, map[string]int{"small": 5, "production": 4, "everything": 5}[set], set)
	return pods
}

var chartSets = []string{"small", "production", "everything"}

// fromSecret are valid values of the settings that the chart reads from secrets.
var fromSecret = map[string]string{
	"DATABASE_URL": "postgres://waft:p@postgres/waft", "CLICKHOUSE_URL": "http://waft:p@clickhouse:8123/waft", "TEMPORAL_API_KEY": "key",
	"WAFT_ROOT_KEY": ofCompose["WAFT_ROOT_KEY"], "WAFT_SECRET_KEY": ofCompose["WAFT_SECRET_KEY"],
	"WAFT_SECRET_KEY_PREVIOUS": ofCompose["WAFT_SECRET_KEY"], "WAFT_TEMPORAL_PAYLOAD_KEYS": ofCompose["WAFT_SECRET_KEY"],
	"WAFT_SMTP_URL": "smtp://mail.example.com?from=waft@example.com", bucketURL: "s3://assets?region=eu-central-1",
	"WAFT_OIDC_PROVIDERS": `[{"id":"example","name":"Example","issuer":"https://login.example.com","clientId":"waft","clientSecret":"s"}]`,
}

// TestChartSetsWhatTheServerKnows gives the environment of each pod to the server's own check of settings.
func TestChartSetsWhatTheServerKnows(t *testing.T) {
	t.Parallel()
	known := map[string]config.Variable{}
	for _, variable := range config.Variables() {
		known[variable.Name] = variable
	}
	for _, set := range chartSets {
		for component, pod := range chartPods(t, set) {
			name, settings := component+" of "+set, map[string]string{}
			for _, variable := range pod.Spec.Containers[0].Env {
				require.NotContains(t, settings, variable.Name, "%s: twice", name)
				setting, isWafts := known[variable.Name]
				require.True(t, isWafts || !strings.HasPrefix(variable.Name, "WAFT_"), "%s: nothing reads %s", name, variable.Name)
				settings[variable.Name] = variable.Value
				if variable.ValueFrom == nil {
					require.True(t, !setting.Secret || variable.Name == bucketURL, "%s: the value of %s is in the manifest", name, variable.Name)
					continue
				}
				require.True(t, setting.Secret || !isWafts, "%s: %s", name, variable.Name)
				settings[variable.Name] = fromSecret[variable.Name]
			}
			read := config.FromMap
			switch component {
			case "migrate":
				read = config.MigrationFromMap
			case "backup":
				read = config.BackupFromMap
			case "restore":
				read = config.RestoreFromMap
			}
			cfg, err := read(settings)
			require.NoError(t, err, name)
			if component == "api" || component == "worker" {
				require.Len(t, cfg.OtherAdminAddrs, map[bool]int{false: 2, true: 3}[set == "everything"], name)
				require.Greater(t, time.Duration(pod.Spec.TerminationGracePeriodSeconds)*time.Second, cfg.ShutdownTimeout, name)
			}
			if set == "everything" && component == "api" {
				require.Equal(t, int64(214748364800), cfg.QuotaBuildBytes, "large numbers have no exponent")
			}
		}
	}
}

// ofBackup are the settings of Waft that `waftd backup` and `waftd restore` get in a pod, whose folder for data has no ingest log.
var ofBackup = []string{
	"DATABASE_URL", "CLICKHOUSE_URL", "WAFT_CLICKHOUSE_CLUSTER", "WAFT_SECRET_KEY", "WAFT_SECRET_KEY_PREVIOUS", bucketURL,
	"WAFT_OTHER_ADMIN_ADDRS", "WAFT_DATA_DIR", "WAFT_LOG_FORMAT", "WAFT_LOG_LEVEL",
}

// TestChartPassesEverySetting fails when a setting cannot be set by a value of the chart, or does not reach a process that reads it.
func TestChartPassesEverySetting(t *testing.T) {
	t.Parallel()
	for component, pod := range chartPods(t, "everything") {
		var has []string
		for _, variable := range pod.Spec.Containers[0].Env {
			has = append(has, variable.Name)
		}
		for _, variable := range config.Variables() {
			want := variable.Name != "WAFT_ROOT_KEY"
			switch component {
			case "api":
				want = true
			case "migrate":
				want = slices.Contains(ofMigration, variable.Name) || slices.Contains(elsewhere, variable.Name)
			case "backup", "restore":
				want = slices.Contains(ofBackup, variable.Name) || component == "restore" && strings.HasPrefix(variable.Name, "TEMPORAL_")
			}
			require.Equal(t, want, slices.Contains(has, variable.Name), "%s: %s", component, variable.Name)
		}
	}
}

// The chart and docker-compose.yml run the same processes in the same way.
func TestChartAgreesWithCompose(t *testing.T) {
	t.Parallel()
	project, user := mustLoad(t), imageUser(t)
	for component, pod := range chartPods(t, "small") {
		if component == "backup" || component == "restore" {
			continue // Compose runs these as commands of the API
		}
		service, container := project.Services[component], pod.Spec.Containers[0]
		require.Equal(t, []string(service.Command), container.Args)
		require.Equal(t, user, fmt.Sprintf("%d:%d", pod.Spec.SecurityContext.RunAsUser, pod.Spec.SecurityContext.RunAsGroup))
		if component == "migrate" {
			continue
		}
		require.Equal(t, time.Duration(*service.StopGracePeriod), time.Duration(pod.Spec.TerminationGracePeriodSeconds)*time.Second)
		ports := map[string]string{}
		for _, port := range container.Ports {
			ports[port.Name] = strconv.Itoa(port.ContainerPort)
		}
		settings := map[string]string{}
		for _, variable := range container.Env {
			settings[variable.Name] = variable.Value
		}
		for _, setting := range []string{"WAFT_LISTEN_ADDR", "WAFT_ADMIN_ADDR", "WAFT_DATA_DIR", "WAFT_LOG_FORMAT"} {
			require.Equal(t, *service.Environment[setting], settings[setting], "%s: %s", component, setting)
		}
		for setting, name := range map[string]string{"WAFT_LISTEN_ADDR": "http", "WAFT_ADMIN_ADDR": "admin"} {
			_, port, err := net.SplitHostPort(settings[setting])
			require.NoError(t, err)
			require.Equal(t, port, ports[name], component)
		}
		require.Equal(t, service.Volumes[0].Target, container.VolumeMounts[1].MountPath)
		for _, temporary := range service.Tmpfs {
			require.Equal(t, temporary, container.VolumeMounts[0].MountPath)
		}
		for _, probe := range []*probe{container.StartupProbe, container.LivenessProbe, container.ReadinessProbe} {
			require.Equal(t, "http", probe.HTTPGet.Port)
		}
		require.Equal(t, "/healthz", container.StartupProbe.HTTPGet.Path)
		require.Equal(t, "/healthz", container.LivenessProbe.HTTPGet.Path, "an unavailable engine must not restart a process")
		require.Equal(t, map[string]string{"api": "/healthz", "worker": "/readyz"}[component], container.ReadinessProbe.HTTPGet.Path,
			"devices are served while an engine is unavailable")
	}
	check := project.Services["worker"].HealthCheck.Test
	i := slices.IndexFunc(check, func(word string) bool { return strings.HasPrefix(word, "http://") })
	if i >= 0 {
		address, err := url.Parse(check[i])
		require.NoError(t, err)
		require.Equal(t, "8080", address.Port())
		require.Equal(t, chartPods(t, "small")["worker"].Spec.Containers[0].ReadinessProbe.HTTPGet.Path, address.Path)
	}
}

// imageUser returns the user of the image, uid:gid.
func imageUser(t *testing.T) string {
	t.Helper()
	var users []string
	for _, stage := range readStages(t) {
		for _, args := range stage.all("USER") {
			users = append(users, args[0])
		}
	}
	require.Len(t, slices.Compact(users), 1, "%s", users)
	return users[0]
}

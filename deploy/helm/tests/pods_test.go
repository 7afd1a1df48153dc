package helmtests

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"
)

// TestPodsMeetTheRestrictedStandard evaluates every pod with the library of Kubernetes' own admission plugin.
func TestPodsMeetTheRestrictedStandard(t *testing.T) {
	t.Parallel()
	evaluator, err := policy.NewEvaluator(policy.DefaultChecks(), nil)
	require.NoError(t, err)
	restricted := api.LevelVersion{Level: api.LevelRestricted, Version: api.LatestVersion()}
	for _, set := range sets {
		templates := templatesOf(t, set)
		require.Len(t, templates, map[string]int{"small": 5, "production": 4, "everything": 5}[set], set)
		for component, template := range templates {
			results := evaluator.EvaluatePod(restricted, &template.ObjectMeta, &template.Spec)
			require.Greater(t, len(results), 10)
			for _, result := range results {
				require.True(t, result.Allowed, "%s of %s: %s: %s", component, set, result.ForbiddenReason, result.ForbiddenDetail)
			}
			// The library notices what the chart must not do.
			template.Spec.SecurityContext = nil
			require.False(t, policy.AggregateCheckResults(evaluator.EvaluatePod(restricted, &template.ObjectMeta, &template.Spec)).Allowed)
		}
	}
}

// The chart is stricter than the standard.
func TestPodsCanDoLittle(t *testing.T) {
	t.Parallel()
	for _, set := range sets {
		for component, template := range templatesOf(t, set) {
			spec, container := template.Spec, template.Spec.Containers[0]
			require.Len(t, spec.Containers, 1)
			require.Equal(t, int64(10001), *spec.SecurityContext.RunAsUser, component)
			require.Equal(t, int64(10001), *spec.SecurityContext.FSGroup, component)
			require.True(t, *container.SecurityContext.ReadOnlyRootFilesystem, component)
			require.Equal(t, []corev1.Capability{"ALL"}, container.SecurityContext.Capabilities.Drop, component)
			require.False(t, *spec.AutomountServiceAccountToken, component)
			require.False(t, *spec.EnableServiceLinks, "Kubernetes would set WAFT_PORT and others")
			require.NotZero(t, container.Resources.Requests.Cpu().MilliValue(), component)
			require.NotZero(t, container.Resources.Limits.Memory().Value(), component)
			require.Equal(t, component, container.Args[0])
			require.Empty(t, container.Command, "the image has the entry point")
		}
	}
}

// Every volume that a container mounts exists, and every volume is mounted.
func TestPodsMountTheirVolumes(t *testing.T) {
	t.Parallel()
	for _, set := range sets {
		objects := objectsOf(t, set)
		for component, template := range templatesOf(t, set) {
			var has, mounts []string
			for _, volume := range template.Spec.Volumes {
				has = append(has, volume.Name)
			}
			if component == "api" {
				for _, claim := range of[*appsv1.StatefulSet](objects)["waft-api"].Spec.VolumeClaimTemplates {
					has = append(has, claim.Name)
				}
			}
			paths := map[string]bool{}
			for _, mount := range template.Spec.Containers[0].VolumeMounts {
				mounts = append(mounts, mount.Name)
				require.False(t, paths[mount.MountPath], mount.MountPath)
				paths[mount.MountPath] = true
			}
			require.ElementsMatch(t, has, mounts, "%s of %s", component, set)
			require.Equal(t, component == "api" || component == "worker", paths["/var/lib/waft"], component)
			require.Equal(t, component == "backup" || component == "restore", paths["/backup"], component)
		}
	}
}

// Jobs run before everything else of the chart exists, each after the network policy that it needs, and a restore before the migration.
// A restore needs databases that no process uses, so upgrades do not restore.
func TestJobsRunInOrder(t *testing.T) {
	t.Parallel()
	for _, set := range sets {
		jobs := of[*batchv1.Job](objectsOf(t, set))
		hooks := map[string][2]string{"waft-migrate": {"pre-install,pre-upgrade,pre-rollback", "0"}}
		if set != "production" {
			hooks["waft-restore"] = [2]string{"pre-install", "-1"}
		}
		require.Len(t, jobs, len(hooks), set)
		for name, hook := range hooks {
			job := jobs[name]
			require.NotNil(t, job, "%s of %s", name, set)
			require.Equal(t, hook, [2]string{job.Annotations["helm.sh/hook"], job.Annotations["helm.sh/hook-weight"]})
			require.Empty(t, job.Spec.Template.Spec.ServiceAccountName, "the chart's account does not exist yet")
			require.Equal(t, corev1.RestartPolicyNever, job.Spec.Template.Spec.RestartPolicy)
		}
	}
}

// A backup asks every API process for its reports, by its own name.
func TestBackupsKnowEveryAPIProcess(t *testing.T) {
	t.Parallel()
	container := templatesOf(t, "production")["backup"].Spec.Containers[0]
	require.Equal(t, []string{"backup", "/backup", "--files", "copy", "--keep", "14"}, container.Args)
	require.Contains(t, container.Env, corev1.EnvVar{
		Name: "WAFT_OTHER_ADMIN_ADDRS", Value: "waft-api-0.waft-api:8082,waft-api-1.waft-api:8082,waft-api-2.waft-api:8082",
	})
	everything := templatesOf(t, "everything")
	var asked string
	for _, variable := range everything["backup"].Spec.Containers[0].Env {
		if variable.Name == "WAFT_OTHER_ADMIN_ADDRS" {
			asked = variable.Value
		}
	}
	require.True(t, strings.HasSuffix(asked, ",waft-api-4.waft-api:8082,other.example.com:8082"), "%s: the values name another process", asked)
	restore := everything["restore"].Spec.Containers[0]
	for _, env := range [][]corev1.EnvVar{container.Env, restore.Env} {
		require.Contains(t, env, corev1.EnvVar{Name: "WAFT_DATA_DIR", Value: "/tmp"}, "files of the bucket pass through it")
	}
	require.Equal(t, []string{"restore", "/backup", "--to", "2026-11-30T12:00:00Z"}, restore.Args)
}

// A backup that hangs ends before it would prevent the next one, and a backup that could not start is made up for.
func TestBackupsHaveDeadlines(t *testing.T) {
	t.Parallel()
	for set, want := range map[string]int64{"small": 43200, "production": 43200, "everything": 7200} {
		backup := of[*batchv1.CronJob](objectsOf(t, set))["waft-backup"].Spec
		require.Equal(t, batchv1.ForbidConcurrent, backup.ConcurrencyPolicy, set)
		require.Equal(t, want, *backup.JobTemplate.Spec.ActiveDeadlineSeconds, set)
		require.Equal(t, int64(14400), *backup.StartingDeadlineSeconds, set)
	}
}

// Without a schedule, the chart leaves the backup out, and the admin address of the API is closed to it.
func TestBackupsAreOffWithoutASchedule(t *testing.T) {
	t.Parallel()
	with, err := render(t, valuesOf(t, "production"))
	require.NoError(t, err)
	without, err := render(t, changed(t, "backup: null"))
	require.NoError(t, err)
	require.Contains(t, with["backup.yaml"], "kind: CronJob")
	require.Contains(t, with["networkpolicies.yaml"], "component: backup")
	for name, text := range without {
		require.NotContains(t, text, "backup", name)
	}
}

func TestOnlyTheAPIHasTheRootKey(t *testing.T) {
	t.Parallel()
	for component, template := range templatesOf(t, "everything") {
		var names []string
		for _, variable := range template.Spec.Containers[0].Env {
			names = append(names, variable.Name)
		}
		if component == "api" {
			require.Contains(t, names, "WAFT_ROOT_KEY")
		} else {
			require.NotContains(t, names, "WAFT_ROOT_KEY", component)
		}
		if component == "migrate" {
			require.NotContains(t, names, "WAFT_SECRET_KEY")
			require.NotContains(t, names, "AWS_SECRET_ACCESS_KEY")
		}
		if component == "backup" || component == "restore" {
			require.Subset(t, names, []string{"WAFT_SECRET_KEY", "AWS_SECRET_ACCESS_KEY", "SSL_CERT_FILE"}, component)
			require.Equal(t, component == "restore", slices.Contains(names, "TEMPORAL_API_KEY"), "a restore checks that the namespace is empty")
			for _, other := range []string{"WAFT_TEMPORAL_PAYLOAD_KEYS", "WAFT_OIDC_PROVIDERS", "WAFT_SMTP_URL"} {
				require.NotContains(t, names, other, component)
			}
		}
	}
}

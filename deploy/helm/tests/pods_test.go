package helmtests

import (
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
		require.Len(t, templates, 3, set)
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
			require.Equal(t, component != "migrate", paths["/var/lib/waft"], component)
		}
	}
}

// The migration runs before everything else of the chart exists, and after the network policy that it needs.
func TestTheMigrationRunsFirst(t *testing.T) {
	t.Parallel()
	for _, set := range sets {
		job := of[*batchv1.Job](objectsOf(t, set))["waft-migrate"]
		require.NotNil(t, job, set)
		require.Equal(t, "pre-install,pre-upgrade,pre-rollback", job.Annotations["helm.sh/hook"])
		require.Empty(t, job.Spec.Template.Spec.ServiceAccountName, "the chart's account does not exist yet")
		require.Equal(t, corev1.RestartPolicyNever, job.Spec.Template.Spec.RestartPolicy)
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
	}
}

package helmtests

import (
	"strings"
	"testing"

	monitoringv1 "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
)

// object is a decoded object of the chart.
type object interface {
	runtime.Object
	metav1.Object
}

// objectsOf decodes every object of a set into its Kubernetes type. An unknown field or a field that occurs twice fails the test.
func objectsOf(t *testing.T, set string) []object {
	t.Helper()
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		appsv1.AddToScheme, batchv1.AddToScheme, corev1.AddToScheme, networkingv1.AddToScheme, policyv1.AddToScheme, monitoringv1.AddToScheme,
	} {
		require.NoError(t, add(scheme))
	}
	decoder := serializer.NewCodecFactory(scheme, serializer.EnableStrict).UniversalDeserializer()
	var objects []object
	for text := range strings.SplitSeq(manifestsOf(t, set), "---\n") {
		if text == "" {
			continue
		}
		decoded, _, err := decoder.Decode([]byte(text), nil, nil)
		require.NoError(t, err, "%s:\n%s", set, text)
		typed, ok := decoded.(object)
		require.True(t, ok, "%T", decoded)
		objects = append(objects, typed)
	}
	return objects
}

// of returns the objects of a type by their name.
func of[T object](objects []object) map[string]T {
	found := map[string]T{}
	for _, one := range objects {
		if typed, ok := one.(T); ok {
			found[one.GetName()] = typed
		}
	}
	return found
}

// templatesOf returns the pod templates of a set, by the component.
func templatesOf(t *testing.T, set string) map[string]corev1.PodTemplateSpec {
	t.Helper()
	objects := objectsOf(t, set)
	templates := map[string]corev1.PodTemplateSpec{}
	add := func(template corev1.PodTemplateSpec) {
		templates[template.Labels["app.kubernetes.io/component"]] = template
	}
	for _, set := range of[*appsv1.StatefulSet](objects) {
		add(set.Spec.Template)
	}
	for _, deployment := range of[*appsv1.Deployment](objects) {
		add(deployment.Spec.Template)
	}
	for _, job := range of[*batchv1.Job](objects) {
		add(job.Spec.Template)
	}
	for _, job := range of[*batchv1.CronJob](objects) {
		add(job.Spec.JobTemplate.Spec.Template)
	}
	return templates
}

// selects reports whether a selector selects labels. A selector without requirements selects nothing here.
func selects(t *testing.T, selector *metav1.LabelSelector, with map[string]string) bool {
	t.Helper()
	require.NotEmpty(t, selector.MatchLabels)
	compiled, err := metav1.LabelSelectorAsSelector(selector)
	require.NoError(t, err)
	return compiled.Matches(labels.Set(with))
}

func TestEveryObjectIsOfItsType(t *testing.T) {
	t.Parallel()
	for _, set := range sets {
		names := map[string]bool{}
		for _, one := range objectsOf(t, set) {
			kind := one.GetObjectKind().GroupVersionKind().Kind
			require.False(t, names[kind+one.GetName()], "%s: two of %s %s", set, kind, one.GetName())
			names[kind+one.GetName()] = true
			require.Equal(t, "waft", one.GetLabels()["app.kubernetes.io/instance"], "%s: %s %s", set, kind, one.GetName())
			require.Empty(t, one.GetNamespace(), "the release's namespace applies")
		}
		require.Greater(t, len(names), 8, set)
	}
}

// Secrets come from outside: the chart has none, and no variable that is a secret has a value.
func TestNoSecretIsInTheChart(t *testing.T) {
	t.Parallel()
	for _, set := range sets {
		require.Empty(t, of[*corev1.Secret](objectsOf(t, set)), set)
		for component, template := range templatesOf(t, set) {
			secret := 0
			for _, variable := range template.Spec.Containers[0].Env {
				if variable.ValueFrom != nil {
					require.Empty(t, variable.Value, "%s: %s", component, variable.Name)
					require.NotEmpty(t, variable.ValueFrom.SecretKeyRef.Key, "%s: %s", component, variable.Name)
					secret++
				}
			}
			require.GreaterOrEqual(t, secret, 2, "%s of %s", component, set)
		}
	}
}

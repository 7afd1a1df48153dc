package helmtests

import (
	"net/netip"
	"testing"

	monitoringv1 "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// portOf returns the number of a container's port, or 0 if it has no such port.
func portOf(template corev1.PodTemplateSpec, name string) int32 {
	for _, port := range template.Spec.Containers[0].Ports {
		if port.Name == name {
			return port.ContainerPort
		}
	}
	return 0
}

// Services, budgets, spreads and monitors select what they are for, and name ports that exist.
func TestSelectorsFindTheirPods(t *testing.T) {
	t.Parallel()
	for _, set := range sets {
		objects, templates := objectsOf(t, set), templatesOf(t, set)
		services := of[*corev1.Service](objects)
		for name, component := range map[string]string{"waft": "api", "waft-api": "api", "waft-worker": "worker"} {
			service := services[name]
			require.NotNil(t, service, name)
			for other, template := range templates {
				selected := selects(t, &metav1.LabelSelector{MatchLabels: service.Spec.Selector}, template.Labels)
				require.Equal(t, other == component, selected, "%s and the pods of %s", name, other)
			}
			for _, port := range service.Spec.Ports {
				require.NotZero(t, portOf(templates[component], port.TargetPort.StrVal), "%s: %s", name, port.Name)
			}
		}
		require.Equal(t, "waft-api", of[*appsv1.StatefulSet](objects)["waft-api"].Spec.ServiceName)
		for _, component := range []string{"api", "worker"} {
			budget := of[*policyv1.PodDisruptionBudget](objects)["waft-"+component]
			require.NotNil(t, budget, component)
			require.True(t, selects(t, budget.Spec.Selector, templates[component].Labels))
			require.Equal(t, int32(1), budget.Spec.MaxUnavailable.IntVal)
			spreads := templates[component].Spec.TopologySpreadConstraints
			require.Len(t, spreads, 2)
			for _, spread := range spreads {
				require.True(t, selects(t, spread.LabelSelector, templates[component].Labels))
			}
		}
		for _, ingress := range of[*networkingv1.Ingress](objects) {
			for _, rule := range ingress.Spec.Rules {
				require.NotContains(t, rule.Host, ":")
				backend := rule.HTTP.Paths[0].Backend.Service
				require.True(t, hasPort(services[backend.Name], backend.Port.Name), "%s: %s", rule.Host, backend.Port.Name)
			}
		}
	}
}

func hasPort(service *corev1.Service, name string) bool {
	for _, port := range service.Spec.Ports {
		if port.Name == name {
			return true
		}
	}
	return false
}

// The monitor finds the admin addresses of both components, and nothing that is for the public.
func TestPrometheusFindsBothComponents(t *testing.T) {
	t.Parallel()
	for _, set := range []string{"production", "everything"} {
		objects := objectsOf(t, set)
		monitor := of[*monitoringv1.ServiceMonitor](objects)["waft"]
		require.NotNil(t, monitor, set)
		var found []string
		for name, service := range of[*corev1.Service](objects) {
			if selects(t, &monitor.Spec.Selector, service.Labels) {
				found = append(found, name)
				require.True(t, hasPort(service, monitor.Spec.Endpoints[0].Port), name)
			}
		}
		require.ElementsMatch(t, []string{"waft-api", "waft-worker"}, found)
		require.Equal(t, []string{"waft"}, monitor.Spec.NamespaceSelector.MatchNames)
	}
	require.Empty(t, of[*monitoringv1.ServiceMonitor](objectsOf(t, "small")))
}

// The admin address is not in the service for clients, and only Prometheus and, at the API, backups may reach it.
func TestTheAdminAddressIsForPrometheusOnly(t *testing.T) {
	t.Parallel()
	for _, set := range sets {
		for name, service := range of[*corev1.Service](objectsOf(t, set)) {
			require.Equal(t, name != "waft", service.Spec.ClusterIP == corev1.ClusterIPNone, name)
			require.Equal(t, name != "waft", hasPort(service, "admin"), name)
		}
	}
	for set, namespace := range map[string]string{"production": "monitoring", "everything": "metrics"} {
		policies, templates := of[*networkingv1.NetworkPolicy](objectsOf(t, set)), templatesOf(t, set)
		require.Len(t, policies, len(templates))
		for component, template := range templates {
			policy := policies["waft-"+component]
			require.True(t, selects(t, &policy.Spec.PodSelector, template.Labels), component)
			require.ElementsMatch(t, []networkingv1.PolicyType{"Ingress", "Egress"}, policy.Spec.PolicyTypes, component)
			var admitted []string
			for _, rule := range policy.Spec.Ingress {
				require.NotEmpty(t, rule.Ports, "a rule without ports admits to the admin address")
				for _, port := range rule.Ports {
					number := portOf(template, port.Port.StrVal)
					require.NotZero(t, number, port.Port)
					if number == 8082 {
						require.Len(t, rule.From, 1)
						admitted = append(admitted, nameOf(t, rule.From[0], templates))
					}
				}
			}
			require.Equal(t, map[string][]string{"api": {namespace, "backup"}, "worker": {namespace}}[component], admitted, component)
		}
		require.Len(t, policies["waft-worker"].Spec.Ingress, 1, "nobody but Prometheus reaches the worker")
		require.Equal(t, "-2", policies["waft-migrate"].Annotations["helm.sh/hook-weight"], "it exists before the job")
	}
}

// nameOf returns the namespace of a peer, or the component of its pods in the release's own namespace.
func nameOf(t *testing.T, peer networkingv1.NetworkPolicyPeer, templates map[string]corev1.PodTemplateSpec) string {
	t.Helper()
	if peer.NamespaceSelector != nil {
		return peer.NamespaceSelector.MatchLabels["kubernetes.io/metadata.name"]
	}
	for component, template := range templates {
		if selects(t, peer.PodSelector, template.Labels) {
			return component
		}
	}
	return ""
}

// reaches reports whether a policy lets its pods connect to an address.
func reaches(t *testing.T, policy *networkingv1.NetworkPolicy, address string) bool {
	t.Helper()
	to := netip.MustParseAddrPort(address)
	for _, rule := range policy.Spec.Egress {
		opened := false
		for _, port := range rule.Ports {
			opened = opened || *port.Protocol == corev1.ProtocolTCP && (port.Port == nil || port.Port.IntVal == int32(to.Port()))
		}
		for _, peer := range rule.To {
			if opened && peer.IPBlock != nil && inBlock(*peer.IPBlock, to.Addr()) {
				return true
			}
		}
	}
	return false
}

// reachesPods reports whether a policy lets its pods connect to a port of pods in the same namespace.
func reachesPods(t *testing.T, policy *networkingv1.NetworkPolicy, port int32, template corev1.PodTemplateSpec) bool {
	t.Helper()
	for _, rule := range policy.Spec.Egress {
		for _, peer := range rule.To {
			if peer.PodSelector != nil && peer.NamespaceSelector == nil && selects(t, peer.PodSelector, template.Labels) &&
				rule.Ports[0].Port.IntVal == port {
				return true
			}
		}
	}
	return false
}

func inBlock(block networkingv1.IPBlock, address netip.Addr) bool {
	for _, except := range block.Except {
		if netip.MustParsePrefix(except).Contains(address) {
			return false
		}
	}
	return netip.MustParsePrefix(block.CIDR).Contains(address)
}

// Pods reach the engines that the values name, and nothing else in private networks. Metadata services of clouds, which hand out
// credentials of the machine, are among these.
func TestPodsReachEnginesAndTheInternet(t *testing.T) {
	t.Parallel()
	production := of[*networkingv1.NetworkPolicy](objectsOf(t, "production"))
	everything := of[*networkingv1.NetworkPolicy](objectsOf(t, "everything"))
	require.True(t, reachesPods(t, production["waft-backup"], 8082, templatesOf(t, "production")["api"]), "a backup asks for reports")
	for _, component := range []string{"waft-api", "waft-worker", "waft-migrate", "waft-backup"} {
		server := component != "waft-migrate"
		for address, want := range map[string]bool{
			"10.20.3.4:5432": true, "10.20.3.4:8443": true, "10.20.3.4:22": false, "10.21.3.4:5432": false,
			"169.254.169.254:80": false, "8.8.8.8:443": server, "[2a00::1]:443": server, "[fd00::1]:443": false, "8.8.8.8:7233": true,
		} {
			require.Equal(t, want, reaches(t, production[component], address), "%s to %s", component, address)
		}
		for address, want := range map[string]bool{
			"10.20.3.4:5432": true, "10.20.7.4:5432": false, "[fd00:20::1]:7233": true, "8.8.8.8:443": false,
		} {
			require.Equal(t, want, reaches(t, everything[component], address), "%s to %s", component, address)
		}
	}
	require.Empty(t, of[*networkingv1.NetworkPolicy](objectsOf(t, "small")))
}

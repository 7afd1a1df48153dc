//go:build containers

package pods

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/waft-ota/waft/internal/lab/netns"
)

// podLimit bounds a test of pods.
const podLimit = 5 * time.Minute

// podman runs commands of Podman with the settings that the script run.sh has written.
type podman struct {
	t      *testing.T
	within context.Context
}

// newPodman returns a Podman. The script deletes what its tests create.
func newPodman(t *testing.T) *podman {
	t.Helper()
	require.NotEmpty(t, os.Getenv("CONTAINERS_STORAGE_CONF"), "the script deploy/pods/run.sh runs this test")
	within, cancel := context.WithTimeout(t.Context(), podLimit)
	t.Cleanup(cancel)
	return &podman{t: t, within: within}
}

// run returns the output of a command of Podman, which must succeed.
func (p *podman) run(arguments ...string) string {
	p.t.Helper()
	return p.runWith(nil, arguments...)
}

func (p *podman) runWith(input io.Reader, arguments ...string) string {
	p.t.Helper()
	command := exec.CommandContext(p.within, "podman", arguments...)
	var output, problems bytes.Buffer
	command.Stdin, command.Stdout, command.Stderr = input, &output, &problems
	require.NoError(p.t, command.Run(), "podman %s: %s%s", strings.Join(arguments, " "), output.String(), problems.String())
	return strings.TrimSpace(output.String())
}

// createSecret creates a secret in the form in which Podman keeps secrets of Kubernetes.
func (p *podman) createSecret(name string, values map[string]string) {
	p.t.Helper()
	encoded := map[string][]byte{}
	for key, value := range values {
		encoded[key] = []byte(value)
	}
	text, err := json.Marshal(encoded)
	require.NoError(p.t, err)
	p.runWith(bytes.NewReader(text), "secret", "create", name, "-")
}

// runningPod is a pod with one container in a network of its own.
type runningPod struct {
	t         *testing.T
	engine    *podman
	within    context.Context
	rendered  object // the container as it is rendered
	container string // its name
	network   netns.Network
	grace     string
}

// remove removes a pod as its controller does when the pod has failed, or is not wanted any more. Volumes of claims stay.
func (p *podman) remove(pod object) {
	p.t.Helper()
	p.run("pod", "rm", "--force", "--time", "0", pod["metadata"].(object)["name"].(string))
}

// create creates a pod in which the ports of forwards lead elsewhere. Its container does not run yet.
func (p *podman) create(pod object, forwards map[string]netns.Dialer) *runningPod {
	p.t.Helper()
	spec := pod["spec"].(object)
	rendered := spec["containers"].([]any)[0].(object)
	name := pod["metadata"].(object)["name"].(string)
	created := &runningPod{t: p.t, engine: p, within: p.within, rendered: rendered, container: name + "-" + rendered["name"].(string)}
	created.grace = fmt.Sprint(spec["terminationGracePeriodSeconds"])
	p.runWith(strings.NewReader(p.playable(pod)), "kube", "play", "--start=false", "--network=none", "-")
	infra := p.run("pod", "inspect", "--format", "{{.InfraContainerID}}", name)
	p.run("start", infra)
	created.network = netns.Of(p.run("inspect", "--format", "{{.State.Pid}}", infra))
	for port, to := range forwards {
		created.network.Forward(p.t, net.JoinHostPort("127.0.0.1", port), to)
	}
	return created
}

// playable returns the manifest for `podman kube play`. The pod gets the image of this machine and loses ports and probes, which need a
// network. Its volumes get names that other pods do not have.
func (p *podman) playable(pod object) string {
	p.t.Helper()
	text, err := yaml.Marshal(pod)
	require.NoError(p.t, err)
	var copied object
	require.NoError(p.t, yaml.Unmarshal(text, &copied))
	spec, name := copied["spec"].(object), copied["metadata"].(object)["name"].(string)
	// A process that ends is for the test to see.
	spec["restartPolicy"] = "Never"
	container := spec["containers"].([]any)[0].(object)
	container["image"], container["imagePullPolicy"] = "localhost/waft:local", "Never"
	for _, network := range []string{"ports", "startupProbe", "livenessProbe", "readinessProbe", "lifecycle"} {
		delete(container, network)
	}
	manifests := []object{copied}
	for _, volume := range spec["volumes"].([]any) {
		volume := volume.(object)
		if source, ok := volume["persistentVolumeClaim"].(object); ok {
			claim := source["claimName"].(string)
			if !strings.Contains(p.run("volume", "ls", "--quiet"), claim) {
				manifests = append([]object{ownedClaim(claim, spec)}, manifests...)
			}
		}
		volume["name"] = name + "-" + volume["name"].(string)
	}
	for _, mount := range container["volumeMounts"].([]any) {
		mount := mount.(object)
		mount["name"] = name + "-" + mount["name"].(string)
	}
	var all strings.Builder
	for _, manifest := range manifests {
		text, err := yaml.Marshal(manifest)
		require.NoError(p.t, err)
		all.WriteString("---\n" + string(text))
	}
	return all.String()
}

// ownedClaim returns a claim whose volume belongs to the pod's fsGroup, which a kubelet takes care of.
func ownedClaim(name string, spec object) object {
	owner := fmt.Sprint(spec["securityContext"].(object)["fsGroup"])
	return object{
		"apiVersion": "v1", "kind": "PersistentVolumeClaim",
		"metadata": object{"name": name, "annotations": object{"volume.podman.io/uid": owner, "volume.podman.io/gid": owner}},
		"spec":     object{"accessModes": []string{"ReadWriteOnce"}, "resources": object{"requests": object{"storage": "1Gi"}}},
	}
}

func (p *runningPod) start() {
	p.t.Helper()
	p.engine.run("start", p.container)
}

// wait returns the exit code of the container once it has ended.
func (p *runningPod) wait() string {
	p.t.Helper()
	return p.engine.run("wait", p.container)
}

// stop stops the container as a kubelet does, within the pod's grace period, and returns its exit code.
func (p *runningPod) stop() string {
	p.t.Helper()
	p.engine.run("stop", "--time", p.grace, p.container)
	return p.engine.run("inspect", "--format", "{{.State.ExitCode}}", p.container)
}

func (p *runningPod) exec(arguments ...string) string {
	p.t.Helper()
	return p.engine.run(append([]string{"exec", p.container}, arguments...)...)
}

// logs returns what the container has logged, on both of its outputs.
func (p *runningPod) logs() string {
	p.t.Helper()
	command := exec.CommandContext(context.WithoutCancel(p.within), "podman", "logs", p.container)
	output, err := command.CombinedOutput()
	require.NoError(p.t, err, "%s", output)
	return string(output)
}

// request sends a GET to a port of the pod.
func (p *runningPod) request(port, path string, headers map[string]string) (status int, body string, err error) {
	request, err := http.NewRequestWithContext(p.within, http.MethodGet, "http://"+net.JoinHostPort("127.0.0.1", port)+path, nil)
	if err != nil {
		return 0, "", err
	}
	for name, value := range headers {
		request.Header.Set(name, value)
	}
	response, err := p.network.RoundTrip(request)
	if err != nil {
		return 0, "", err
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	return response.StatusCode, string(content), err
}

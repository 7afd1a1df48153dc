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
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
	"golang.org/x/sys/unix"
)

// podLimit bounds a test of pods.
const podLimit = 3 * time.Minute

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
	t        *testing.T
	engine   *podman
	within   context.Context
	rendered object // the container as it is rendered
	// container is the name of the container, and network the process whose network it has.
	container, network string
	grace              string
}

// create creates a pod in which the ports of forwards lead to addresses of this machine. Its container does not run yet.
func (p *podman) create(pod object, forwards map[string]string) *runningPod {
	p.t.Helper()
	spec := pod["spec"].(object)
	rendered := spec["containers"].([]any)[0].(object)
	name := pod["metadata"].(object)["name"].(string)
	created := &runningPod{t: p.t, engine: p, within: p.within, rendered: rendered, container: name + "-" + rendered["name"].(string)}
	created.grace = fmt.Sprint(spec["terminationGracePeriodSeconds"])
	p.runWith(strings.NewReader(p.playable(pod)), "kube", "play", "--start=false", "--network=none", "-")
	infra := p.run("pod", "inspect", "--format", "{{.InfraContainerID}}", name)
	p.run("start", infra)
	created.network = p.run("inspect", "--format", "{{.State.Pid}}", infra)
	for port, target := range forwards {
		created.forward(port, target)
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

// inside runs connect in the network of the pod.
func inside[T any](p *runningPod, connect func() (T, error)) (result T, err error) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // never unlocked: the thread, which is in another network then, ends with the goroutine
		network, openErr := os.Open("/proc/" + p.network + "/ns/net")
		if err = openErr; err != nil {
			return
		}
		defer network.Close()
		if err = unix.Setns(int(network.Fd()), unix.CLONE_NEWNET); err == nil {
			result, err = connect()
		}
	}()
	<-done
	return result, err
}

// forward makes a port in the pod lead to an address of this machine, until the test ends.
func (p *runningPod) forward(port, target string) {
	p.t.Helper()
	listener, err := inside(p, func() (net.Listener, error) {
		return new(net.ListenConfig).Listen(p.within, "tcp", net.JoinHostPort("127.0.0.1", port))
	})
	require.NoError(p.t, err)
	p.t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			from, err := listener.Accept()
			if err != nil {
				return
			}
			go p.join(from, target)
		}
	}()
}

// join copies both ways between a connection and a new one to target.
func (p *runningPod) join(from net.Conn, target string) {
	defer from.Close()
	to, err := new(net.Dialer).DialContext(p.within, "tcp", target)
	if err != nil {
		return
	}
	defer to.Close()
	ended := make(chan struct{}, 2)
	for _, pair := range [][2]net.Conn{{from, to}, {to, from}} {
		go func() {
			_, _ = io.Copy(pair[0], pair[1]) // either side may end at any time
			ended <- struct{}{}
		}()
	}
	<-ended
}

// request sends a GET to a port of the pod.
func (p *runningPod) request(port, path string) (status int, body string, err error) {
	transport := &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
		return inside(p, func() (net.Conn, error) { return new(net.Dialer).DialContext(ctx, network, address) })
	}}
	request, err := http.NewRequestWithContext(p.within, http.MethodGet, "http://127.0.0.1:"+port+path, nil)
	if err != nil {
		return 0, "", err
	}
	response, err := transport.RoundTrip(request)
	if err != nil {
		return 0, "", err
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	return response.StatusCode, string(content), err
}

//go:build containers

// Package pods runs the pods of the Helm chart. The script run.sh prepares Podman, builds the image and runs the tests.
package pods

import (
	"encoding/json"
	"maps"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/waft-ota/waft/internal/lab/enginetest"
	"github.com/waft-ota/waft/internal/lab/netns"
)

// object is an object of Kubernetes, as a manifest has it.
type object = map[string]any

// temporalPort and bucketPort are the ports of engines in the settings of the set small.
const temporalPort, bucketPort = "7233", "7070"

// TestThePodsOfTheChartRun runs the pods of the set small as Helm renders them: the same security contexts, environments and volumes.
// The hosts that the environments name are this machine's engines. The test does what a cluster would do: it fills the secret, runs the
// jobs in their order, asks the probes, and stops the pods. It then restores the backup with empty engines, as another cluster would.
func TestThePodsOfTheChartRun(t *testing.T) {
	t.Parallel()
	engine := newPodman(t)
	pods := renderedPods(t)
	forwards := engine.setEngines()
	engine.finish(pods["migrate"], forwards, "Temporal's search attributes are registered")

	api, worker := engine.create(pods["api"], forwards), engine.create(pods["worker"], forwards)
	for _, pod := range []*runningPod{api, worker} {
		pod.start()
		for _, probe := range []string{"startupProbe", "readinessProbe", "livenessProbe"} {
			pod.get(pod.probe(probe))
		}
		pod.get("8080", "/readyz") // it reaches every engine
		require.Contains(t, pod.get("8082", "/metrics"), "go_goroutines")
		pod.requireFewRights()
	}
	// As the notes of the chart say.
	require.Contains(t, api.exec("waftd", "setup-link"), "http://waft.waft.svc/")
	api.publish(api.project())
	served := api.serves()

	// The pod that takes the place of a killed one finds its ingest log, in the claim's volume.
	log := filepath.Join(engine.run("volume", "inspect", "--format", "{{.Mountpoint}}", "data-waft-api-0"), "ingest")
	require.DirExists(t, log)
	kept := filepath.Join(log, "kept")
	require.NoError(t, os.WriteFile(kept, nil, 0o600))
	engine.remove(pods["api"])
	api = engine.create(pods["api"], forwards)
	api.start()
	api.get(api.probe("readinessProbe"))
	require.FileExists(t, kept)
	require.NoError(t, os.Remove(kept))
	require.Equal(t, served, api.serves())

	// The backup asks the API's pod by the name that the chart gives it.
	forwards["8082"] = api.network.At("127.0.0.1:8082")
	backup := engine.finish(pods["backup"], forwards, "complete and verified")
	require.NotContains(t, backup, "Warning")

	for _, pod := range []*runningPod{api, worker} {
		require.Equal(t, "0", pod.stop(), pod.logs())
		require.Contains(t, pod.logs(), `"msg":"stopped"`)
	}
	for _, component := range []string{"api", "worker", "migrate"} {
		engine.remove(pods[component])
	}
	engine.run("volume", "rm", "data-waft-api-0")
	engine.run("secret", "rm", "waft")
	emptyTemporal(t)

	forwards = engine.setEngines()
	engine.finish(pods["restore"], forwards, "Next, run `waftd migrate`")
	engine.finish(pods["migrate"], forwards, "Temporal's search attributes are registered")
	api = engine.create(pods["api"], forwards)
	api.start()
	api.get("8080", "/readyz")
	require.Equal(t, served, api.serves(), "devices notice nothing")
}

// setEngines creates empty engines, fills the secret of the set small with their addresses, and returns what the ports in the settings of
// the set lead to.
func (p *podman) setEngines() map[string]netns.Dialer {
	p.t.Helper()
	temporal, namespace := enginetest.Temporal(p.t)
	require.Equal(p.t, "default", namespace, "the set small does not name a namespace")
	bucket, err := url.Parse(enginetest.Objects(p.t))
	require.NoError(p.t, err)
	endpoint, err := url.Parse(bucket.Query().Get("endpoint"))
	require.NoError(p.t, err)
	secret := map[string]string{
		"DATABASE_URL": enginetest.Postgres(p.t), "CLICKHOUSE_URL": enginetest.ClickHouse(p.t),
		"WAFT_SECRET_KEY":   "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=",
		"AWS_ACCESS_KEY_ID": os.Getenv("AWS_ACCESS_KEY_ID"), "AWS_SECRET_ACCESS_KEY": os.Getenv("AWS_SECRET_ACCESS_KEY"),
	}
	p.createSecret("waft", secret)
	forwards := map[string]netns.Dialer{temporalPort: netns.Host(temporal), bucketPort: netns.Host(endpoint.Host)}
	for _, name := range []string{"DATABASE_URL", "CLICKHOUSE_URL"} {
		address, err := url.Parse(secret[name])
		require.NoError(p.t, err)
		forwards[address.Port()] = netns.Host(address.Host)
	}
	return forwards
}

// finish runs the pod of a job to its end, which must succeed and log the text want. It returns the log.
func (p *podman) finish(job object, forwards map[string]netns.Dialer, want string) string {
	p.t.Helper()
	pod := p.create(job, forwards)
	pod.start()
	code := pod.wait()
	log := pod.logs()
	require.Equal(p.t, "0", code, log)
	require.Contains(p.t, log, want)
	return log
}

// renderedPods returns a pod for each component of the set small, by the component: the pod template of its workload, with the claim of a
// StatefulSet as a volume.
func renderedPods(t *testing.T) map[string]object {
	t.Helper()
	file, err := os.Open("../helm/tests/testdata/rendered/small.yaml")
	require.NoError(t, err)
	defer file.Close()
	pods := map[string]object{}
	for decoder := yaml.NewDecoder(file); ; {
		var manifest object
		if err := decoder.Decode(&manifest); err != nil {
			require.EqualError(t, err, "EOF")
			break
		}
		spec, _ := manifest["spec"].(object)
		if job, isScheduled := spec["jobTemplate"].(object); isScheduled {
			spec = job["spec"].(object)
		}
		template, isWorkload := spec["template"].(object)
		if !isWorkload {
			continue
		}
		metadata := maps.Clone(template["metadata"].(object))
		metadata["name"] = manifest["metadata"].(object)["name"]
		pod := object{"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": template["spec"]}
		if claims, ok := spec["volumeClaimTemplates"].([]any); ok {
			claim := claims[0].(object)["metadata"].(object)["name"].(string)
			volumes := template["spec"].(object)["volumes"].([]any)
			template["spec"].(object)["volumes"] = append(volumes, object{
				"name": claim, "persistentVolumeClaim": object{"claimName": claim + "-" + metadata["name"].(string) + "-0"},
			})
		}
		component := metadata["labels"].(object)["app.kubernetes.io/component"].(string)
		pods[component] = pod
	}
	require.Len(t, pods, 5)
	return pods
}

// probe returns the port and the path of a probe.
func (p *runningPod) probe(name string) (port, path string) {
	p.t.Helper()
	get := p.rendered[name].(object)["httpGet"].(object)
	for _, one := range p.rendered["ports"].([]any) {
		if one.(object)["name"] == get["port"] {
			number, err := json.Marshal(one.(object)["containerPort"])
			require.NoError(p.t, err)
			return string(number), get["path"].(string)
		}
	}
	require.Fail(p.t, "the probe names a port that the container does not have", name)
	return "", ""
}

// get returns the body of a response with the status 200, for which it waits.
func (p *runningPod) get(port, path string) string {
	p.t.Helper()
	return p.getWith(nil, port, path)
}

func (p *runningPod) getWith(headers map[string]string, port, path string) string {
	p.t.Helper()
	var last string
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		status, body, err := p.request(port, path, headers)
		if status == http.StatusOK {
			return body
		}
		if err != nil {
			body = err.Error()
		}
		last = body
		select {
		case <-tick.C:
		case <-p.within.Done():
			require.Fail(p.t, "a pod does not become ready", "%s:%s: %s\n%s", net.JoinHostPort(p.container, port), path, last, p.logs())
		}
	}
}

// requireFewRights compares the rights that the kernel gives to the process with the pod's security context.
func (p *runningPod) requireFewRights() {
	p.t.Helper()
	status, err := os.ReadFile("/proc/" + p.engine.run("inspect", "--format", "{{.State.Pid}}", p.container) + "/status")
	require.NoError(p.t, err)
	fields := map[string]string{}
	for line := range strings.Lines(string(status)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		fields[name] = strings.TrimSpace(value)
	}
	const none = "0000000000000000"
	for name, want := range map[string]string{
		"Uid": "10001\t10001\t10001\t10001", "Gid": "10001\t10001\t10001\t10001", "NoNewPrivs": "1", "Seccomp": "2",
		"CapInh": none, "CapPrm": none, "CapEff": none, "CapBnd": none, "CapAmb": none,
	} {
		require.Equal(p.t, want, fields[name], name)
	}
	require.Equal(p.t, "true", p.engine.run("inspect", "--format", "{{.HostConfig.ReadonlyRootfs}}", p.container))
}

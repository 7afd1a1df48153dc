package e2e

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"
)

// proxied returns an installation that trusts a proxy on this machine to name its clients. Its webhooks may be sent to
// this machine.
func proxied(t *testing.T, change ...func(env map[string]string)) installation {
	t.Helper()
	env := hooked(t)
	env["WAFT_TRUSTED_PROXIES"] = "127.0.0.1"
	for _, c := range change {
		c(env)
	}
	return installation{url: serve(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}
}

// visitor is a device and the client address that the proxy names for it.
type visitor struct{ device, address string }

// atHome gives each device its own network in its own allocation. There may be at most 512 devices.
func atHome(devices []string) (all []visitor) {
	for i, device := range devices {
		all = append(all, visitor{device, fmt.Sprintf("%d.%d.0.7", 100+i/256, i%256)})
	}
	return all
}

// inNetworks spreads devices over addresses of networks such as "203.0.113.".
func inNetworks(devices []string, networks ...string) (all []visitor) {
	for i, device := range devices {
		n := i / len(networks)
		all = append(all, visitor{device, fmt.Sprint(networks[i%len(networks)], 1+n%250)})
	}
	return all
}

// invented returns n new device IDs.
func invented(n int) (devices []string) {
	for range n {
		devices = append(devices, uuid.NewString())
	}
	return devices
}

// votesOf returns the health.votes that a rollout with these counts has.
func votesOf(networks, allocations, weight, errored, crashed float64) map[string]any {
	return map[string]any{"networks": networks, "allocations": allocations, "weight": weight, "errored": errored, "crashed": crashed}
}

// oneIn returns a function for the event of device i: one device in n crashes, the others launch.
func oneIn(n int) func(i int) string {
	return func(i int) string {
		if i%n == 0 {
			return "crash"
		}
		return "app_launch"
	}
}

func always(event string) func(int) string { return func(int) string { return event } }

// visit lets each visitor request its manifest. A visitor that gets the release reports an event. visit returns the
// number of accepted reports; the others were refused by the rate limit.
func (p *tenant) visit(release object, visitors []visitor, event func(i int) string) (accepted int) {
	p.t.Helper()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: truthSenders}}
	defer client.CloseIdleConnections()
	update := release["updateUuid"].(string)
	var reports atomic.Int64
	inParallel(p.t, len(visitors), func(i int) error {
		v := visitors[i]
		status, manifest, err := p.sendFrom(client, v.address, request{
			method: http.MethodGet, path: path("/v1/ota/manifest/%s?channel=production", p.slug),
			header: map[string]string{
				"Eas-Client-Id": v.device, "Expo-Platform": "ios", "Expo-Runtime-Version": "1.0.0", "Accept": "multipart/mixed",
				"Expo-Protocol-Version": "1",
			},
		})
		if err != nil || status != http.StatusOK {
			return fmt.Errorf("manifest request of %v: %d %w", v, status, err)
		}
		if !strings.Contains(manifest, update) {
			return nil
		}
		status, answer, err := p.sendFrom(client, v.address, request{method: http.MethodPost, path: "/v1/ota/health-metrics", body: object{
			"projectSlug": p.slug, "deviceId": v.device, "platform": "ios", "runtimeVersion": "1.0.0", "updateUuid": update,
			"channel": "production", "events": []object{{"type": event(i), "count": 1}},
		}})
		switch {
		case err != nil || status != http.StatusNoContent && status != http.StatusTooManyRequests:
			return fmt.Errorf("report of %v: %d %s %w", v, status, answer, err)
		case status == http.StatusNoContent:
			reports.Add(1)
		}
		return nil
	})
	return int(reports.Load())
}

// forAll begins a rollout whose only stage is 100%. It completes after a second once minDevices devices have reported.
func (p *tenant) forAll(minDevices int) (release object, id int64) {
	p.t.Helper()
	policy := p.inStages(1, 0, 100)
	policy["stages"].([]object)[0]["minDevices"] = minDevices
	release, id = p.rollOut(policy)
	p.awaitServed([]string{"anybody"}, is(release["updateUuid"]))
	return release, id
}

// hasCounted returns a condition on a rollout: it has counted these numbers of devices and of crashed devices.
func hasCounted(devices, crashed int) func(object) bool {
	return func(e object) bool {
		h := health(e)
		return h != nil && h["devices"] == float64(devices) && h["crashedDevices"] == float64(crashed)
	}
}

func isNotRunning(e object) bool { return e["status"] != "running" }

// trust sets the project's trusted networks, and returns once the server uses them for the devices that it serves.
func (p *tenant) trust(networks ...string) {
	p.t.Helper()
	change := request{method: http.MethodPatch, path: "/v1/ota/settings", body: object{"trustedNetworks": networks}}
	p.eventually(func() bool {
		a := p.do(change)
		a.record(http.StatusOK)
		return a.header.Get("Waft-Served") == ""
	})
}

// sendFrom sends a device's request. It may be called from any goroutine.
func (p *tenant) sendFrom(client *http.Client, address string, r request) (status int, text string, err error) {
	body := io.Reader(http.NoBody)
	if r.body != nil {
		content, err := json.Marshal(r.body)
		if err != nil {
			return 0, "", err
		}
		body = strings.NewReader(string(content))
	}
	req, err := http.NewRequestWithContext(p.t.Context(), r.method, p.url+r.path, body)
	if err != nil {
		return 0, "", err
	}
	for name, value := range r.header {
		req.Header.Set(name, value)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("X-Forwarded-For", address)
	res, err := client.Do(req)
	if err != nil {
		return 0, "", err
	}
	defer res.Body.Close()
	content, err := io.ReadAll(res.Body)
	return res.StatusCode, string(content), err
}

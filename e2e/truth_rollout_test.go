package e2e

import (
	"encoding/binary"
	"fmt"
	"io"
	"math/bits"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// truthShare is the percentage to which the second release is rolled out.
const truthShare = 40

// murmur3 returns the 32-bit MurmurHash3 with seed 0, as its author describes it.
func murmur3(data []byte) uint32 {
	const c1, c2 = 0xcc9e2d51, 0x1b873593
	var h uint32
	mix := func(k uint32) uint32 { return bits.RotateLeft32(k*c1, 15) * c2 }
	whole := len(data) / 4 * 4
	for i := 0; i < whole; i += 4 {
		h = bits.RotateLeft32(h^mix(binary.LittleEndian.Uint32(data[i:])), 13)*5 + 0xe6546b64
	}
	var tail [4]byte
	if n := copy(tail[:], data[whole:]); n > 0 {
		h ^= mix(binary.LittleEndian.Uint32(tail[:]))
	}
	h ^= uint32(len(data))
	h = (h ^ h>>16) * 0x85ebca6b
	h = (h ^ h>>13) * 0xc2b2ae35
	return h ^ h>>16
}

// inTruthShare reports whether the device is inside the rollout, by the documented rule for percentages.
func inTruthShare(groupID string, device int) bool {
	hash := murmur3([]byte("release:" + groupID + ":" + truthDeviceID(device)))
	return uint64(hash)*100_000>>32 < truthShare*1000
}

// asked holds the results of manifest requests.
type asked struct {
	now func() time.Time // the server's clock
	// served are the devices that were served each release.
	served map[string]map[int]bool
	// failed are the devices that reported that the second release failed before its first render.
	failed map[int]bool
	// failures are these failures as reports. Each is one crash of the device.
	failures []sent
	// refused are the devices whose requests were refused.
	refused map[refusal4]map[int]bool
	count   map[refusal4]int
	// The last refused request of each kind came between these times.
	since, until map[refusal4]time.Time
}

// refusal4 is the key by which refused requests are counted.
type refusal4 struct{ reason, channel, platform, runtime string }

// rollOut publishes a release and starts its rollout, which stays at truthShare.
func rollOut(p *tenant) (release object, execution int64) {
	p.t.Helper()
	policy := p.create("/v1/ota/rollout-policies", object{"name": "careful", "stages": []object{
		{"percentage": truthShare, "minDurationMinutes": 600}, {"percentage": 100},
	}}).id("id")
	release = p.create(path("/v1/ota/builds/%d/publish", p.build().id("id")), object{"channel": "production", "rolloutPolicyId": policy})
	execution = release.id("rolloutExecutionId")
	p.eventually(func() bool {
		e := p.read(path("/v1/ota/rollout-executions/%d", execution))
		return e["status"] == "running" && e["percentage"] == float64(truthShare)
	})
	return release, execution
}

// ask sends the manifest requests of two devices in three, and checks the responses. Some requests name something that
// does not exist, and some report that the second release failed.
func (w *truth) ask(t *testing.T, p *tenant, groupID string) asked {
	t.Helper()
	a := asked{
		now: w.now, served: map[string]map[int]bool{w.first: {}, w.second: {}}, failed: map[int]bool{}, refused: map[refusal4]map[int]bool{},
		count: map[refusal4]int{}, since: map[refusal4]time.Time{}, until: map[refusal4]time.Time{},
	}
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: truthSenders}}
	inShare := func(device int) bool { return inTruthShare(groupID, device) }
	note := func(device int, body string) {
		for update := range a.served {
			if strings.Contains(body, update) {
				a.served[update][device] = true
			}
		}
	}
	// The new percentage must have reached the server's memory.
	p.eventually(func() bool {
		for device := truthDevices; device < truthDevices+20; device++ {
			_, body, err := ask(p, client, device, "production", "1.0.0", "")
			require.NoError(t, err)
			note(device, body)
			if inShare(device) != strings.Contains(body, w.second) {
				return false
			}
		}
		return true
	})
	inParallel(t, truthDevices, func(device int) error {
		if device%3 == 2 {
			return nil
		}
		status, body, err := ask(p, client, device, "production", "1.0.0", "")
		if err != nil || status != http.StatusOK {
			return fmt.Errorf("device %d: %d %w", device, status, err)
		}
		if strings.Contains(body, w.second) != inShare(device) || strings.Contains(body, w.first) == inShare(device) {
			return fmt.Errorf("device %d is in the share: %t; it got %s", device, inShare(device), body)
		}
		return nil
	})
	for device := range truthDevices {
		switch {
		case device%3 == 2:
		case inShare(device):
			a.served[w.second][device] = true
		default:
			a.served[w.first][device] = true
		}
	}
	for device := 100; len(a.failed) < 30; device++ {
		if inShare(device) && device%3 != 2 {
			a.failed[device] = true
			a.failures = append(a.failures, sent{
				device: device, channel: "production", update: w.second, platform: "ios", runtime: "1.0.0",
				begun: w.now(), crashes: 1, errored: true, crashed: true,
			})
			for n := range 2 {
				_, body, err := ask(p, client, device, "production", "1.0.0", w.second)
				if n == 0 {
					a.failures[len(a.failures)-1].answered = w.now()
				}
				require.NoError(t, err)
				require.NotContains(t, body, w.second)
			}
		}
	}
	for device := range 60 {
		a.askInVain(t, p, client, device, refusal4{"no_release", "production", "ios", "9.9.9"}, http.StatusOK)
		if device%4 == 0 {
			a.askInVain(t, p, client, device, refusal4{"unknown_channel", "nowhere", "ios", "1.0.0"}, http.StatusNotFound)
			a.askInVain(t, p, client, device/8, refusal4{"no_release", "staging", "ios", "1.0.0"}, http.StatusOK)
		}
	}
	return a
}

func (a asked) askInVain(t *testing.T, p *tenant, client *http.Client, device int, r refusal4, want int) {
	t.Helper()
	a.since[r] = a.now()
	status, _, err := ask(p, client, device, r.channel, r.runtime, "")
	a.until[r] = a.now()
	require.NoError(t, err)
	require.Equal(t, want, status)
	if a.refused[r] == nil {
		a.refused[r] = map[int]bool{}
	}
	a.refused[r][device] = true
	a.count[r]++
}

// ask sends a manifest request for iOS.
func ask(p *tenant, client *http.Client, device int, channel, runtime, failed string) (status int, body string, err error) {
	req, err := http.NewRequestWithContext(p.t.Context(), http.MethodGet, p.url+"/v1/ota/manifest/"+p.slug+"?channel="+channel, http.NoBody)
	if err != nil {
		return 0, "", err
	}
	for name, value := range map[string]string{
		"Expo-Platform": "ios", "Expo-Runtime-Version": runtime, "Expo-Device-Id": truthDeviceID(device), "Expo-Protocol-Version": "1",
		"Accept": "multipart/mixed",
	} {
		req.Header.Set(name, value)
	}
	if failed != "" {
		req.Header.Set("Expo-Recent-Failed-Update-Ids", `"`+failed+`"`)
	}
	res, err := client.Do(req)
	if err != nil {
		return 0, "", err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	return res.StatusCode, string(text), err
}

// requireRolloutHealth compares the rollout's health. It counts devices inside the rollout that Waft served the
// release, and that reported or failed.
func (w *truth) requireRolloutHealth(p *tenant, a asked, execution int64, groupID string) {
	p.t.Helper()
	counted, notServed := newTally(), map[int]bool{}
	for i := range w.reports {
		switch s := &w.reports[i]; {
		case s.update != w.second:
		case !a.served[w.second][s.device]:
			notServed[s.device] = true
		case inTruthShare(groupID, s.device):
			counted.report(s)
		}
	}
	for device := range a.failed {
		counted.seen[device], counted.errored[device], counted.crashed[device] = true, true, true
	}
	want := object{
		"devices": float64(len(counted.seen)), "launches": float64(counted.launches), "erroredDevices": float64(len(counted.errored)),
		"crashedDevices": float64(len(counted.crashed)), "ignoredDevices": float64(len(notServed)),
	}
	require.NotEmpty(p.t, notServed)
	var health map[string]any
	eventually(p.t, func() bool {
		health, _ = p.read(path("/v1/ota/rollout-executions/%d", execution))["health"].(map[string]any)
		for field, figure := range want {
			if health[field] != figure {
				return false
			}
		}
		return true
	}, "%v are not %v", &health, want)
	requirePercentage(p.t, counted.errorRate(), health["errorRate"])
	requirePercentage(p.t, counted.crashRate(), health["crashRate"])
	require.Equal(p.t, map[string]any{"notServed": want["ignoredDevices"], "notInShare": 0.0, "rateLimited": 0.0}, health["ignoredReasons"])
	// The devices are on this machine, so each is a network of its own.
	devices := want["devices"].(float64)
	require.Equal(p.t, votesOf(devices, devices, devices, want["erroredDevices"].(float64), want["crashedDevices"].(float64)), health["votes"])
	require.Equal(p.t, "running", p.read(path("/v1/ota/rollout-executions/%d", execution))["status"])
}

package api

import (
	"context"
	"fmt"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/api/limit"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

// Every public endpoint is limited, except assets whose download is not recorded, because a device must get the files
// of an update that it was served.
func TestPublicEndpointsAreBoundByAddress(t *testing.T) {
	t.Parallel()
	for _, r := range table(t) {
		if r.Access != rest.Public || !strings.HasPrefix(r.Path, "/v1/ota/") {
			continue
		}
		t.Run(r.Method+" "+r.Path, func(t *testing.T) {
			t.Parallel()
			w := newTestAPI(t, func(d *parts) { d.Rates = limit.Rates{PerAddress: 0.2} }) // a burst of two
			call := callOn(r)
			call.anonymous = true
			for range 2 {
				require.NotEqual(t, 429, w.do(call).Code)
			}
			if strings.Contains(r.Path, "/assets/") {
				require.NotEqual(t, 429, w.do(call).Code)
				return
			}
			refused := w.do(call)
			w.problem(refused, 429, models.CodeRateLimited)
			require.Equal(t, "5", refused.Header().Get("Retry-After"))
		})
	}
}

func TestADeviceIsBoundAtItsAddress(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t, func(d *parts) {
		d.Rates, d.TrustedProxies = limit.Rates{PerDevice: 0.1}, []string{"192.0.2.1"}
	})
	manifest := func(address, device string) int {
		return w.do(request{method: get, path: "/v1/ota/manifest/demo?channel=production", anonymous: true, header: map[string]string{
			"X-Forwarded-For": address, "Client-Device-Id": device, "Expo-Runtime-Version": "1.0.0", "Expo-Platform": "ios",
		}}).Code
	}
	require.Equal(t, 200, manifest("198.51.100.1", "a"))
	require.Equal(t, 429, manifest("198.51.100.1", "A"))
	require.Equal(t, 200, manifest("198.51.100.1", "b"))
	require.Equal(t, 200, manifest("198.51.100.2", "a"), "somebody else took its share")

	report := request{method: post, path: "/v1/ota/health-metrics", anonymous: true, body: `{"projectSlug":"demo","deviceId":"c",
		"platform":"ios","runtimeVersion":"1.0.0","events":[{"type":"app_launch","count":1}]}`}
	require.Equal(t, 204, w.do(report).Code)
	w.problem(w.do(report), 429, models.CodeRateLimited)
}

// A client with a whole network is limited by the network's limit, however many addresses it uses.
func TestANetworkIsBound(t *testing.T) {
	t.Parallel()
	for name, addresses := range map[string][4]string{
		"IPv4":            {"198.51.100.1", "198.51.100.77", "198.51.100.255", "198.51.101.1"},
		"IPv6":            {"2001:db8:7:1::1", "2001:db8:7:2::1", "2001:db8:7:ffff::1", "2001:db8:8::1"},
		"6to4 and Teredo": {"198.51.100.1", "2002:c633:644d::1", "2001:0:1::39cc:9b00", "2002:c633:6501::1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newTestAPI(t, func(d *parts) { d.Rates, d.TrustedProxies = limit.Rates{PerNetwork: 0.2}, []string{"192.0.2.1"} })
			ask := func(address string) int {
				return w.do(request{
					method: get, path: "/v1/ota/flag-definitions/demo", anonymous: true,
					header: map[string]string{"X-Forwarded-For": address},
				}).Code
			}
			require.Equal(t, 200, ask(addresses[0]))
			require.Equal(t, 200, ask(addresses[1]))
			require.Equal(t, 429, ask(addresses[2]))
			require.Equal(t, 200, ask(addresses[3]))
		})
	}
}

// Device requests must not keep people at the same address from pausing a rollout.
func TestManagementHasALimitOfItsOwn(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t, func(d *parts) { d.Rates = limit.Rates{PerAddress: 0.2, PerDevice: 0.1} })
	device := request{method: get, path: "/v1/ota/flag-definitions/demo", anonymous: true}
	for range 2 {
		require.Equal(t, 200, w.do(device).Code)
	}
	require.Equal(t, 429, w.do(device).Code)
	for range 2 {
		require.Equal(t, 200, w.do(request{method: get, path: "/v1/ota/builds"}).Code)
	}
	require.Equal(t, 429, w.do(request{method: get, path: "/v1/ota/builds"}).Code)
	for range 5 {
		require.Equal(t, 200, w.do(request{method: get, path: "/healthz", anonymous: true}).Code)
	}
}

// invented is an API with a budget of one new device per minute and a burst of three. It remembers what is stored.
type invented struct {
	*testAPI
	at       time.Time
	reported []string
}

func newInvented(t *testing.T) *invented {
	t.Helper()
	w := &invented{at: now}
	w.testAPI = withFile(t, func(d *parts) {
		d.Rates, d.TrustedProxies = limit.Rates{NewDevicesPerMinute: 1, NewDevicesBurst: 3}, []string{"192.0.2.1"}
		d.Now = func() time.Time { return w.at }
	})
	w.store.appendReport = func(r models.HealthReport) error {
		w.reported = append(w.reported, r.DeviceID)
		return nil
	}
	return w
}

// ask requests an update as the device at the address, which must be served.
func (w *invented) ask(address, device string) {
	w.t.Helper()
	answer := w.do(manifest(manifestPath, map[string]string{
		"Accept": "application/expo+json", "Expo-Device-Id": device, "X-Forwarded-For": address,
	}))
	require.Equal(w.t, 200, answer.Code)
	require.Contains(w.t, answer.Body.String(), releasedUUID.String())
}

func (w *invented) report(address, device string) *httptest.ResponseRecorder {
	return w.do(crashOf(device, releasedUUID.String(), map[string]string{"X-Forwarded-For": address}))
}

// exposed returns the devices with a stored exposure.
func (w *invented) exposed() (devices []string) {
	for _, e := range w.store.served {
		devices = append(devices, e.DeviceID)
	}
	return devices
}

func TestANetworkStoresOnlyItsBudgetOfNewDevices(t *testing.T) {
	t.Parallel()
	for name, networks := range map[string][2]string{
		"IPv4": {"198.51.100.%d", "198.51.101.1"}, "IPv6": {"2001:db8:7:%d::1", "2001:db8:8::1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newInvented(t)
			address := func(n int) string { return fmt.Sprintf(networks[0], n) }
			for n := range 20 {
				w.ask(address(n), fmt.Sprint("Invented-", n))
			}
			require.Equal(t, []string{"invented-0", "invented-1", "invented-2"}, w.exposed())

			// Reports of new devices are refused; reports of known devices are stored from any address.
			refused := w.report(address(1), "invented-19")
			w.problem(refused, 429, models.CodeRateLimited)
			require.Equal(t, "60", refused.Header().Get("Retry-After"))
			require.Equal(t, 204, w.report(address(200), "INVENTED-1").Code)
			w.ask(networks[1], "real")
			require.Equal(t, 204, w.report(networks[1], "real").Code)
			require.Equal(t, []string{"invented-1", "real"}, w.reported)
			require.Len(t, w.exposed(), 4)

			w.at = w.at.Add(time.Minute)
			w.ask(address(30), "invented-30")
			w.ask(address(31), "invented-31")
			require.Equal(t, []string{"invented-0", "invented-1", "invented-2", "real", "invented-30"}, w.exposed())

			metrics := w.metrics()
			require.Contains(t, metrics, `waft_new_devices_refused_total{of="exposure"} 18`)
			require.Contains(t, metrics, `waft_new_devices_refused_total{of="report"} 1`)
		})
	}
}

// An exposure of any kind uses the budget. A request without an exposure does not.
func TestWhatCostsTheBudgetOfNewDevices(t *testing.T) {
	t.Parallel()
	w := newInvented(t)
	const address, path = "198.51.100.1", "/v1/ota/assets/" + releasedMD5 + "?project=demo"
	for n := range 9 {
		device := fmt.Sprint("idle-", n)
		w.do(manifest(manifestPath, map[string]string{
			"Expo-Device-Id": device, "X-Forwarded-For": address, "Expo-Current-Update-Id": releasedUUID.String(),
		}))
		w.do(asset(get, path, map[string]string{"Eas-Client-Id": device, "X-Forwarded-For": address}))
	}
	require.Empty(t, w.exposed())
	for n := range 3 {
		w.do(manifest(manifestPath, map[string]string{
			"Expo-Device-Id": fmt.Sprint("failed-", n), "X-Forwarded-For": address,
			"Expo-Current-Update-Id":        releasedUUID.String(),
			"Expo-Recent-Failed-Update-Ids": `"` + releasedUUID.String() + `"`,
		}))
	}
	require.Len(t, w.exposed(), 3)
	download := map[string]string{
		"Eas-Client-Id": "new", "Expo-Requested-Update-Id": releasedUUID.String(), "X-Forwarded-For": address,
	}
	require.Equal(t, 200, w.do(asset(get, path, download)).Code, "it is served")
	require.Len(t, w.exposed(), 3)
	download["Eas-Client-Id"] = "failed-1"
	for range 2 {
		require.Equal(t, 200, w.do(asset(get, path, download)).Code)
	}
	require.Len(t, w.exposed(), 4, "a known device, once")
}

// For invented devices, even the refusal of a report is stored only within a budget.
func TestNotesOfRefusedDevicesAreBound(t *testing.T) {
	t.Parallel()
	w := newInvented(t)
	for n := range 20 {
		w.report("198.51.100.1", fmt.Sprint("invented-", n))
	}
	require.Len(t, w.reported, 3)
	require.Len(t, w.store.limited, 3)
}

// Programs on the server's own machine are limited only if they declare that they forward requests.
func TestThisMachineHasNoBudgetOfNewDevices(t *testing.T) {
	t.Parallel()
	for header, bound := range map[string]bool{
		"": false, "X-Forwarded-For": true, "Forwarded": true, "X-Real-Ip": true, "Via": true,
	} {
		for _, peer := range []string{"127.0.0.1:1234", "[::1]:1234", "[::ffff:127.0.0.1]:1234"} {
			w := newInvented(t)
			for n := range 10 {
				request := httptest.NewRequestWithContext(context.Background(), get, manifestPath, nil)
				request.RemoteAddr = peer
				for name, value := range map[string]string{
					"Accept": "application/expo+json", "Expo-Device-Id": strconv.Itoa(n),
					"Expo-Platform": "ios", "Expo-Runtime-Version": "1.0.0",
				} {
					request.Header.Set(name, value)
				}
				if header != "" {
					request.Header.Set(header, "203.0.113.7")
				}
				w.handler.ServeHTTP(httptest.NewRecorder(), request)
			}
			want := 10
			if bound {
				want = 3
			}
			require.Len(t, w.exposed(), want, "%s %s", peer, header)
		}
	}
}

// Recorded downloads are limited like manifest requests. All other downloads are unlimited.
func TestRecordedDownloadsHaveRateLimits(t *testing.T) {
	t.Parallel()
	for name, rates := range map[string]limit.Rates{
		"address": {PerAddress: 0.2}, "network": {PerNetwork: 0.2}, "device": {PerDevice: 0.2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := withFile(t, func(d *parts) { d.Rates = rates })
			path := "/v1/ota/assets/" + releasedMD5 + "?project=demo"
			recorded := map[string]string{
				"Eas-Client-Id": "Device-1", "Expo-Requested-Update-Id": releasedUUID.String(),
				"Expo-Platform": "ios", "Expo-Runtime-Version": "1.0.0",
			}
			for range 2 {
				require.Equal(t, 200, w.do(asset(get, path, recorded)).Code)
			}
			refused := w.do(asset(get, path, recorded))
			w.problem(refused, 429, models.CodeRateLimited)
			require.Equal(t, "5", refused.Header().Get("Retry-After"))
			require.Equal(t, []models.RefusedRequest{{
				ProjectID: demo.ID, Reason: models.RefusedRateLimited, Platform: "ios", RuntimeVersion: "1.0.0",
				DeviceID: "device-1",
			}}, w.store.refused)
			require.Len(t, w.store.served, 1)
			require.Equal(t, 200, w.do(asset(get, path, map[string]string{"Eas-Client-Id": "device-1"})).Code)
			require.Equal(t, 200, w.do(asset(head, path, recorded)).Code)
		})
	}
}

package api

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/api/limit"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

// Every public endpoint of the interface is bound but the assets whose download is not
// recorded: what a device was told to download it must get.
func TestPublicEndpointsAreBoundByAddress(t *testing.T) {
	t.Parallel()
	for _, r := range table(t) {
		if r.Access != rest.Public || !strings.HasPrefix(r.Path, "/v1/ota/") {
			continue
		}
		t.Run(r.Method+" "+r.Path, func(t *testing.T) {
			t.Parallel()
			w := newTestAPI(t, func(d *parts) { d.Rates = limit.Rates{PerAddress: 0.2} }) // two at once
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

// Somebody who has a whole network has no more than its limit, from however many addresses.
func TestANetworkIsBound(t *testing.T) {
	t.Parallel()
	for name, addresses := range map[string][4]string{
		"IPv4": {"198.51.100.1", "198.51.100.77", "198.51.100.255", "198.51.101.1"},
		"IPv6": {"2001:db8:7:1::1", "2001:db8:7:2::1", "2001:db8:7:ffff::1", "2001:db8:8::1"},
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

// The devices at an address must not keep the people there from pausing a rollout.
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

func TestClientNetwork(t *testing.T) {
	t.Parallel()
	for ip, want := range map[string]string{
		"198.51.100.7": "198.51.100.7", "::ffff:198.51.100.7": "198.51.100.7", "2001:db8:1:2:3:4:5:6": "2001:db8:1:2::",
		"::1": "::1", "nonsense": "invalid IP",
	} {
		require.Equal(t, want, rest.ClientNetwork(ip).String())
	}
}

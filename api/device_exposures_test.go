package api

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/models"
)

const manifestPath = "/v1/ota/manifest/demo?channel=production"

// exposureOf returns the exposure of a tester's device to demo's one release.
func exposureOf(kind models.ExposureKind) models.Exposure {
	e := models.Exposure{
		ProjectID: demo.ID, DeviceID: "device-1", Platform: models.IOS, Channel: "production", RuntimeVersion: "1.0.0",
		UpdateUUID: releasedUUID.String(), Kind: kind,
	}
	if kind != models.ExposureFailure {
		from := netip.MustParseAddr("192.0.2.1") // of httptest.NewRequest
		e.Network, e.Allocation = models.HashNetwork(nil, from), models.HashAllocation(nil, from)
	}
	return e
}

func TestAnUpdateThatADeviceGetsIsNoted(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	ask := func(header map[string]string) {
		t.Helper()
		header["Expo-Device-Id"] = "Device-1"
		w.do(manifest(manifestPath, header))
	}
	ask(map[string]string{"Accept": "application/expo+json"})
	want := exposureOf(models.ExposureManifest)
	want.OfferChange = now.UnixNano() // when the release was created
	require.Equal(t, []models.Exposure{want}, w.store.served)

	// The following requests are not served anything.
	ask(map[string]string{"Accept": "text/html"})
	ask(map[string]string{"Accept": "multipart/mixed", "Expo-Current-Update-Id": releasedUUID.String()})
	w.do(manifest(manifestPath, map[string]string{"Accept": "application/expo+json"})) // without a device ID
	w.do(manifest("/v1/ota/manifest/demo?channel=nowhere", map[string]string{"Expo-Device-Id": "device-1"}))
	require.Len(t, w.store.served, 1)
}

// A device that asks for its update repeatedly is recorded once, until the exposure is forgotten or changes.
func TestAnExposureIsNotedOnce(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	for range 3 {
		w.do(manifest(manifestPath, map[string]string{"Accept": "application/expo+json", "Expo-Device-Id": "device-1"}))
	}
	require.Len(t, w.store.served, 1)
	w.do(manifest(manifestPath, map[string]string{"Accept": "application/expo+json", "Expo-Device-Id": "device-2"}))
	require.Len(t, w.store.served, 2)

}

func TestAFailureThatADeviceSpeaksOfIsNoted(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	for _, accept := range []string{"multipart/mixed", "text/html"} {
		w.do(manifest(manifestPath, map[string]string{
			"Accept": accept, "Eas-Client-Id": "DEVICE-1",
			"Expo-Recent-Failed-Update-Ids": `"AAAAAAAA-2222-4333-8444-555555555555", "99999999-2222-4333-8444-555555555555", "x"`,
		}))
	}
	require.Equal(t, []models.Exposure{exposureOf(models.ExposureFailure), exposureOf(models.ExposureFailure)}, w.store.served,
		"the release, once a request, and not what is none of the project's")
}

func TestADownloadOfTheBundleIsNoted(t *testing.T) {
	t.Parallel()
	w := withFile(t)
	path := "/v1/ota/assets/" + releasedMD5 + "?project=demo"
	headers := map[string]string{
		"Eas-Client-Id": "DEVICE-1", "Expo-Requested-Update-Id": "AAAAAAAA-2222-4333-8444-555555555555",
		"Expo-Platform": "ios", "Expo-Runtime-Version": "1.0.0",
	}
	require.Equal(t, 200, w.do(asset(get, path, headers)).Code)
	want := exposureOf(models.ExposureAsset)
	want.Channel = ""
	require.Equal(t, []models.Exposure{want}, w.store.served)

	for _, without := range []string{"Eas-Client-Id", "Expo-Requested-Update-Id"} {
		some := map[string]string{}
		for name, value := range headers {
			if name != without {
				some[name] = value
			}
		}
		require.Equal(t, 200, w.do(asset(get, path, some)).Code)
	}
	require.Equal(t, 200, w.do(asset(head, path, headers)).Code)
	headers["Expo-Requested-Update-Id"] = "99999999-2222-4333-8444-555555555555"
	require.Equal(t, 200, w.do(asset(get, path, headers)).Code)
	require.Len(t, w.store.served, 1)
}

// Both sides of the count must call a device the same, and its place in the share
// must survive the hash.
func TestTelemetryOfAProjectThatHashesIds(t *testing.T) {
	t.Parallel()
	key := []byte("0123456789abcdef0123456789abcdef")
	w := newTestAPI(t, func(d *parts) {
		d.Snapshots = newSnapshots(t, func(s *models.ProjectSnapshot) { s.HashKey = key })
	})
	var reports []models.HealthReport
	w.store.appendReport = func(r models.HealthReport) error {
		reports = append(reports, r)
		return nil
	}
	w.do(manifest(manifestPath, map[string]string{"Accept": "application/expo+json", "Expo-Device-Id": "Device-1"}))
	for _, update := range []any{releasedUUID.String(), "99999999-2222-4333-8444-555555555555", nil} {
		body := reportWith(map[string]any{"deviceId": "DEVICE-1", "updateUuid": update})
		require.Equal(t, 204, w.do(healthReport(body)).Code)
	}
	hashed := models.HashDeviceID(key, "device-1")
	require.Len(t, hashed, 64)
	require.NotContains(t, hashed, "device")
	require.Len(t, w.store.served, 1)
	require.Equal(t, hashed, w.store.served[0].DeviceID)
	salt := models.ReleaseSalt(releasedUUID)
	require.Equal(t, rollout.Bucket(salt, "device-1"), *w.store.served[0].ShareBucket)
	require.Len(t, reports, 3)
	for i, bucket := range []uint32{rollout.Bucket(salt, "device-1"), 100_000, 100_000} {
		require.Equal(t, hashed, reports[i].DeviceID)
		require.Equal(t, bucket, *reports[i].ShareBucket)
	}
}

func TestTheNetworkThatADeviceIsServedFrom(t *testing.T) {
	t.Parallel()
	key := []byte("0123456789abcdef0123456789abcdef")
	of := func(address string) models.NetworkHash { return models.HashNetwork(key, netip.MustParseAddr(address)) }
	own := models.HashOwnNetwork(key, "device-1")
	for name, tc := range map[string]struct {
		peer   string
		header map[string]string
		want   models.NetworkHash
	}{
		"an address":                             {"192.0.2.7:1", nil, of("192.0.2.200")},
		"an IPv6 address":                        {"[2001:db8:1:2::3]:1", nil, of("2001:db8:1:ffff::")},
		"another IPv6 network":                   {"[2001:db8:2::3]:1", nil, of("2001:db8:2::")},
		"an IPv4 address as IPv6":                {"[::ffff:192.0.2.7]:1", nil, of("192.0.2.1")},
		"a trusted network":                      {"203.0.113.9:1", nil, own},
		"a trusted IPv6 network":                 {"[2001:db8:aaaa:1::9]:1", nil, own},
		"this machine":                           {"127.0.0.1:1", nil, own},
		"this machine by IPv6":                   {"[::1]:1", nil, own},
		"this machine, forwarded":                {"127.0.0.1:1", map[string]string{"X-Forwarded-For": "198.51.100.4"}, of("127.0.0.1")},
		"this machine, forwarded without a name": {"127.0.0.1:1", map[string]string{"Via": "1.1 proxy"}, of("127.0.0.1")},
		"a proxy":                                {"10.0.0.1:1", map[string]string{"X-Forwarded-For": "198.51.100.4"}, of("198.51.100.4")},
		"a proxy for a trusted network":          {"10.0.0.1:1", map[string]string{"X-Forwarded-For": "203.0.113.4"}, own},
		"a proxy that is not one":                {"10.9.0.1:1", map[string]string{"X-Forwarded-For": "203.0.113.4"}, of("10.9.0.1")},
		"another header that a device made up":   {"10.0.0.1:1", map[string]string{"X-Real-Ip": "203.0.113.4"}, of("10.0.0.1")},
		"a header that a device made up":         {"10.0.0.1:1", map[string]string{"X-Forwarded-For": "203.0.113.4, 198.51.100.4"}, of("198.51.100.4")},
		"no address":                             {"@", nil, models.HashNetwork(key, netip.Addr{})},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newTestAPI(t, func(d *parts) {
				d.TrustedProxies = []string{"10.0.0.0/30"}
				d.Snapshots = newSnapshots(t, func(s *models.ProjectSnapshot) {
					s.NetworkKey = key
					s.Project.TrustedNetworks = []string{"203.0.113.0/24", "2001:db8:aaaa::/48"}
				})
			})
			req := httptest.NewRequest(http.MethodGet, manifestPath, nil)
			req.RemoteAddr = tc.peer
			req.Header = http.Header{
				"Accept": {"application/expo+json"}, "Expo-Device-Id": {"Device-1"}, "Expo-Platform": {"ios"},
				"Expo-Runtime-Version": {"1.0.0"},
			}
			for name, value := range tc.header {
				req.Header.Set(name, value)
			}
			w.handler.ServeHTTP(httptest.NewRecorder(), req)
			require.Len(t, w.store.served, 1)
			require.Equal(t, tc.want, w.store.served[0].Network)
			require.Equal(t, tc.want == own || tc.peer == "@", w.store.served[0].Allocation == 0, "such a network is an allocation by itself")
		})
	}
}

package api

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/api/limit"
	"github.com/waft-ota/waft/models"
)

// crashOf is a report of a crash of a release, as a device posts it.
func crashOf(device, update string, header map[string]string) request {
	return request{method: post, path: "/v1/ota/health-metrics", anonymous: true, header: header, body: fmt.Sprintf(
		`{"projectSlug":"demo","deviceId":"%s","platform":"ios","runtimeVersion":"1.0.0","updateUuid":%q,"events":[{"type":"crash","count":1}]}`,
		device, update)}
}

func limitedOf(device string) models.LimitedReport {
	return models.LimitedReport{ProjectID: demo.ID, DeviceID: device, UpdateUUID: releasedUUID.String()}
}

func TestReportsRefusedForTheirRateAreNotedWithTheirRelease(t *testing.T) {
	t.Parallel()
	for name, rates := range map[string]limit.Rates{"of the address": {PerAddress: 0.1}, "of the device": {PerDevice: 0.1}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newTestAPI(t, func(d *parts) { d.Rates = rates })
			update := strings.ToUpper(releasedUUID.String())
			require.Equal(t, 204, w.do(crashOf("Device-1", update, nil)).Code)
			require.Empty(t, w.store.limited)
			w.problem(w.do(crashOf("Device-1", update, nil)), 429, models.CodeRateLimited)
			require.Equal(t, []models.LimitedReport{limitedOf("device-1")}, w.store.limited)

			// What is no release of the project is not kept: anybody could fill the memory.
			for _, call := range []request{
				crashOf("Device-1", "99999999-2222-4333-8444-555555555555", nil), crashOf("Device-1", "x", nil),
				{method: post, path: "/v1/ota/health-metrics", anonymous: true, body: "not json"},
			} {
				require.NotEqual(t, 204, w.do(call).Code)
			}
			require.Len(t, w.store.limited, 1)
		})
	}
}

func TestADeviceThatItsHeaderNamesIsNoted(t *testing.T) {
	t.Parallel()
	// Two at once: its header and the report itself name the device.
	w := newTestAPI(t, func(d *parts) { d.Rates = limit.Rates{PerDevice: 0.2} })
	header := map[string]string{"Eas-Client-Id": "device-1"}
	for range 2 {
		w.do(crashOf("device-1", releasedUUID.String(), header))
	}
	require.Equal(t, []models.LimitedReport{limitedOf("device-1")}, w.store.limited)
}

func TestALimitedDeviceIsHashedWhereTheProjectSaysSo(t *testing.T) {
	t.Parallel()
	key := []byte("0123456789abcdef0123456789abcdef")
	w := newTestAPI(t, func(d *parts) {
		d.Rates = limit.Rates{PerAddress: 0.1}
		d.Snapshots = newSnapshots(t, func(s *models.ProjectSnapshot) { s.HashKey = key })
	})
	for range 2 {
		w.do(crashOf("Device-1", releasedUUID.String(), nil))
	}
	require.Equal(t, []models.LimitedReport{limitedOf(models.HashDeviceID(key, "device-1"))}, w.store.limited)
}

// A flood must stay cheap: only so many refused reports are read, and no large ones.
func TestAFloodOfReportsIsNotRead(t *testing.T) {
	t.Parallel()
	at := now
	w := newTestAPI(t, func(d *parts) { d.Rates, d.Now = limit.Rates{PerAddress: 0.1}, func() time.Time { return at } })
	large := crashOf("device-1", releasedUUID.String(), nil)
	large.body = large.body.(string) + strings.Repeat(" ", 64<<10)
	for range 2 {
		w.do(large)
	}
	require.Empty(t, w.store.limited)
	for range 2 * 200 {
		w.do(crashOf("device-1", releasedUUID.String(), nil))
	}
	require.Len(t, w.store.limited, 200)
	metrics := w.metrics()
	require.Contains(t, metrics, fmt.Sprintf("waft_reports_limited_total{noted=\"true\"} %d\n", 200))
	require.Contains(t, metrics, fmt.Sprintf("waft_reports_limited_total{noted=\"false\"} %d\n", 201))
}

func TestADeviceThatAsksTooOftenIsShownAsRefused(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t, func(d *parts) { d.Rates = limit.Rates{PerDevice: 0.1} })
	header := map[string]string{"Eas-Client-Id": "DEVICE-1", "Accept": "multipart/mixed"}
	require.Equal(t, 200, w.do(manifest(manifestPath, header)).Code)
	require.Empty(t, w.store.refused)
	require.Equal(t, 429, w.do(manifest(manifestPath, header)).Code)
	require.Equal(t, 429, w.do(manifest("/v1/ota/manifest/nowhere?channel=production", header)).Code)
	require.Equal(t, []models.RefusedRequest{{
		ProjectID: demo.ID, Reason: models.RefusedRateLimited, Channel: "production", Platform: "ios", RuntimeVersion: "1.0.0", DeviceID: "device-1",
	}}, w.store.refused)
}

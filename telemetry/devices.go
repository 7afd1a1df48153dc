package telemetry

import (
	"context"
	"strings"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"

	"github.com/waft-ota/waft/models"
)

// maxDeviceReleases is the maximum number of releases of a device.
const maxDeviceReleases = 100

// DeviceQueries are the queries about single devices and groups of devices.
type DeviceQueries struct{ *database }

type deviceRow struct {
	Key            string    `ch:"key"`
	ReceivedAt     time.Time `ch:"received_at"`
	UpdateUUID     string    `ch:"update_uuid"`
	Channel        string    `ch:"channel"`
	Platform       string    `ch:"platform"`
	RuntimeVersion string    `ch:"runtime_version"`
}

type deviceTotalsRow struct {
	Key      string    `ch:"key"`
	DeviceID string    `ch:"device_id"`
	FirstAt  time.Time `ch:"first_at"`
	JSErrors uint64    `ch:"js_errors"`
	Crashes  uint64    `ch:"crashes"`
}

type deviceHistoryRow struct {
	UpdateUUID     string     `ch:"update_uuid"`
	TouchedAt      time.Time  `ch:"touched_at"`
	ServedAt       *time.Time `ch:"first_served_at"`
	FirstAt        *time.Time `ch:"first_at"`
	LastAt         *time.Time `ch:"last_at"`
	ErrorAt        *time.Time `ch:"first_error_at"`
	CrashAt        *time.Time `ch:"first_crash_at"`
	FailedAt       *time.Time `ch:"first_failed_at"`
	Platform       string     `ch:"platform"`
	Channel        string     `ch:"channel"`
	RuntimeVersion string     `ch:"runtime_version"`
}

// Devices lists the project's devices that reported within 400 days, newest report first. It ignores reports without
// a device ID. It returns a models.Unavailable error while ClickHouse is unavailable.
func (d DeviceQueries) Devices(ctx context.Context, projectID int64, q models.DeviceQuery, now time.Time) ([]models.Device, error) {
	// The clock of another process may be ahead.
	after := models.DeviceCursor{At: now.Add(time.Hour), Key: strings.Repeat("F", 32)}
	if q.After != nil {
		after = *q.After
	}
	rows, err := selectOf[deviceRow](ctx, d.database, projectID, "devices", sqlDevices,
		clickhouse.Named("device_ids", append([]string{}, q.IDs...)), clickhouse.Named("update_uuid", q.UpdateUUID),
		clickhouse.Named("channel", q.Channel), milli("at", after.At), clickhouse.Named("after", after.Key),
		clickhouse.Named("search", containing(strings.ToLower(q.Search))),
		clickhouse.Named("search_ids", append([]string{}, q.SearchIDs...)), clickhouse.Named("most", uint32(q.Limit)))
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	keys := make([]string, len(rows))
	for i, r := range rows {
		keys[i] = r.Key
	}
	found, err := selectOf[deviceTotalsRow](ctx, d.database, projectID, "the totals of devices", sqlDeviceTotals,
		clickhouse.Named("keys", keys))
	totals := make(map[string]deviceTotalsRow, len(found))
	for _, t := range found {
		totals[t.Key] = t
	}
	var devices []models.Device
	for _, r := range rows {
		t, ok := totals[r.Key]
		if !ok {
			continue // the reports had no device ID, or the device was deleted a moment ago
		}
		devices = append(devices, models.Device{
			Key: r.Key, DeviceID: t.DeviceID, Platform: models.Platform(r.Platform), Channel: r.Channel, RuntimeVersion: r.RuntimeVersion,
			UpdateUUID: r.UpdateUUID, FirstSeenAt: t.FirstAt.UTC(), LastSeenAt: r.ReceivedAt.UTC(), Errors: int64(t.JSErrors), Crashes: int64(t.Crashes),
		})
	}
	return devices, err
}

// DeviceReleases returns a device's exposures and reports for the given releases, latest first. names are the
// identities of the device. It fails like Devices.
func (d DeviceQueries) DeviceReleases(ctx context.Context, projectID int64, names, updates []string) ([]models.DeviceRelease, error) {
	if len(updates) == 0 {
		return nil, nil
	}
	rows, err := selectOf[deviceHistoryRow](ctx, d.database, projectID, "the releases of a device", sqlDeviceHistory,
		clickhouse.Named("device_ids", names), clickhouse.Named("updates", updates), clickhouse.Named("most", uint32(maxDeviceReleases)))
	releases := make([]models.DeviceRelease, len(rows))
	for i, r := range rows {
		releases[i] = models.DeviceRelease{
			UpdateUUID: r.UpdateUUID, TouchedAt: r.TouchedAt.UTC(), ServedAt: r.ServedAt, FirstSeenAt: r.FirstAt, LastSeenAt: r.LastAt,
			FirstErrorAt: r.ErrorAt, FirstCrashAt: r.CrashAt, FailedAt: r.FailedAt,
			Platform: models.Platform(r.Platform), Channel: r.Channel, RuntimeVersion: r.RuntimeVersion,
		}
	}
	return releases, err
}

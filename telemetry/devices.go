package telemetry

import (
	"cmp"
	"context"
	"strings"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"

	"github.com/waft-ota/waft/models"
)

// maxDeviceReleases is the maximum number of releases of a device.
const maxDeviceReleases = 100

// DeviceQueries are the queries about single devices and groups of devices.
type DeviceQueries struct{ *database }

type deviceRow struct {
	Key            string    `ch:"key"`
	Value          string    `ch:"value"`
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

// deviceSort is a value that a list of devices can be sorted by, as SQL.
type deviceSort struct {
	// query contains {sorted}, {is_after} and {direction}.
	query projectQuery
	// sorted is the expression, and value the expression for the value in a cursor.
	sorted, value string
}

// page returns the query for a page in the given direction. Its text comes from this file only.
func (s deviceSort) page(descending, isFirst bool) projectQuery {
	compared, direction := ">", "ASC"
	if descending {
		compared, direction = "<", "DESC"
	}
	isAfter := "(" + s.sorted + ", device_key) " + compared + " (" + s.value + ", reinterpretAsUInt128(reverse(unhex({after:String}))))"
	if isFirst {
		isAfter = "1"
	}
	return projectQuery(strings.NewReplacer("{sorted}", s.sorted, "{is_after}", isAfter, "{direction}", direction).Replace(string(s.query)))
}

// numberOfCursor and textOfCursor are the value in a cursor as SQL. A cursor that was changed by hand has no effect on
// the query's success.
const (
	numberOfCursor = "toInt64OrZero({value:String})"
	textOfCursor   = "{value:String}"
)

func deviceSorts() map[string]deviceSort {
	return map[string]deviceSort{
		"channel":        {sqlDevices, "lowerUTF8(channel)", textOfCursor},
		"crashes":        {sqlDevicesByTotal, "toInt64(sum(device_totals.crashes))", numberOfCursor},
		"deviceId":       {sqlDevicesByTotal, "any(device_totals.device_id)", textOfCursor},
		"errors":         {sqlDevicesByTotal, "toInt64(sum(device_totals.js_errors))", numberOfCursor},
		"firstSeenAt":    {sqlDevicesByTotal, "toUnixTimestamp64Milli(min(device_totals.first_at))", numberOfCursor},
		"lastSeenAt":     {sqlDevices, "toUnixTimestamp64Milli(received_at)", numberOfCursor},
		"platform":       {sqlDevices, "lowerUTF8(platform)", textOfCursor},
		"runtimeVersion": {sqlDevices, "lowerUTF8(runtime_version)", textOfCursor},
	}
}

// Devices lists the project's devices that reported within 400 days, newest report first unless the query has a sort.
// It ignores reports without a device ID. It returns a models.Unavailable error while ClickHouse is unavailable.
func (d DeviceQueries) Devices(ctx context.Context, projectID int64, q models.DeviceQuery) ([]models.Device, error) {
	order := cmp.Or(q.Sort, "-lastSeenAt")
	field, descending := strings.CutPrefix(order, "-")
	sort := deviceSorts()[field]
	after := models.Cursor{}
	if q.After != nil {
		after = *q.After
	}
	rows, err := selectOf[deviceRow](ctx, d.database, projectID, "devices", sort.page(descending, q.After == nil), append(deviceFilters(q),
		clickhouse.Named("value", after.Value), clickhouse.Named("after", after.Key),
		clickhouse.Named("most", uint32(q.Limit)))...)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	keys := make([]string, len(rows))
	for i, r := range rows {
		keys[i] = r.Key
	}
	if sort.query == sqlDevicesByTotal {
		if err := d.addLastReports(ctx, projectID, keys, rows); err != nil {
			return nil, err
		}
	}
	found, err := selectOf[deviceTotalsRow](ctx, d.database, projectID, "the totals of devices", sqlDeviceTotals,
		clickhouse.Named("keys", keys))
	totals := make(map[string]deviceTotalsRow, len(found))
	for _, t := range found {
		totals[t.Key] = t
	}
	devices := make([]models.Device, len(rows))
	for i, r := range rows {
		t := totals[r.Key] // without values if the device was deleted a moment ago
		devices[i] = models.Device{
			Key: r.Key, DeviceID: t.DeviceID, Platform: models.Platform(r.Platform), Channel: r.Channel, RuntimeVersion: r.RuntimeVersion,
			UpdateUUID: r.UpdateUUID, FirstSeenAt: t.FirstAt.UTC(), LastSeenAt: r.ReceivedAt.UTC(), Errors: int64(t.JSErrors), Crashes: int64(t.Crashes),
			Cursor: models.Cursor{Order: order, Value: r.Value, Key: r.Key},
		}
	}
	return devices, err
}

// addLastReports adds the last report of each device to the rows.
func (d DeviceQueries) addLastReports(ctx context.Context, projectID int64, keys []string, rows []deviceRow) error {
	last, err := selectOf[deviceRow](ctx, d.database, projectID, "the last reports of devices", sqlDevicesByKey, clickhouse.Named("keys", keys))
	byKey := make(map[string]deviceRow, len(last))
	for _, r := range last {
		byKey[r.Key] = r
	}
	for i, r := range rows {
		rows[i] = byKey[r.Key]
		rows[i].Key, rows[i].Value = r.Key, r.Value
	}
	return err
}

// CountDevices returns the number of devices that Devices lists on all pages, or nil if counting them would take longer
// than two seconds. It fails like Devices.
func (d DeviceQueries) CountDevices(ctx context.Context, projectID int64, q models.DeviceQuery) (*int64, error) {
	return counted(ctx, d.database, projectID, "the number of devices", sqlDeviceCount, deviceFilters(q)...)
}

func deviceFilters(q models.DeviceQuery) []driver.NamedValue {
	return []driver.NamedValue{
		clickhouse.Named("device_ids", append([]string{}, q.IDs...)), clickhouse.Named("update_uuid", q.UpdateUUID),
		clickhouse.Named("channel", q.Channel), clickhouse.Named("search", containing(strings.ToLower(q.Search))),
		clickhouse.Named("search_ids", append([]string{}, q.SearchIDs...)),
	}
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

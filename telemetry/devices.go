package telemetry

import (
	"cmp"
	"context"
	"strconv"
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
	// counted is the column whose sum is the value, or "". Most devices have the value 0, so they are read in a query of their own.
	counted string
}

// numberOfCursor and textOfCursor are the value in a cursor as SQL. A cursor that was changed by hand has no effect on
// the query's success.
const (
	numberOfCursor = "toInt64OrZero({value:String})"
	textOfCursor   = "{value:String}"
)

func deviceSorts() map[string]deviceSort {
	byCount := func(column string) deviceSort {
		return deviceSort{sqlDevicesByCount, "toInt64(sum(" + column + "))", numberOfCursor, column}
	}
	return map[string]deviceSort{
		"channel":        {sqlDevices, "lowerUTF8(channel)", textOfCursor, ""},
		"crashes":        byCount("device_totals.crashes"),
		"deviceId":       {sqlDevicesByTotal, "any(device_totals.device_id)", textOfCursor, ""},
		"errors":         byCount("device_totals.js_errors"),
		"firstSeenAt":    {sqlDevicesByTotal, "toUnixTimestamp64Milli(min(device_totals.first_at))", numberOfCursor, ""},
		"lastSeenAt":     {sqlDevices, "toUnixTimestamp64Milli(received_at)", numberOfCursor, ""},
		"platform":       {sqlDevices, "lowerUTF8(platform)", textOfCursor, ""},
		"runtimeVersion": {sqlDevices, "lowerUTF8(runtime_version)", textOfCursor, ""},
	}
}

// withoutLast reports whether the query returns only keys, to which the last reports are added.
func (s deviceSort) withoutLast() bool { return s.query != sqlDevices }

// page returns the query for a page in the given direction. Its text comes from this file only.
func (s deviceSort) page(q models.DeviceQuery, descending bool) projectQuery {
	compared, direction := ">", "ASC"
	if descending {
		compared, direction = "<", "DESC"
	}
	key := "reinterpretAsUInt128(reverse(unhex({after:String})))"
	isAfter := "(" + s.sorted + ", device_key) " + compared + " (" + s.value + ", " + key + ")"
	switch {
	case q.After == nil:
		isAfter = "1"
	case s.query == sqlDevicesWithout:
		isAfter = "device_key " + compared + " " + key
	}
	text := strings.NewReplacer("{sorted}", s.sorted, "{is_after}", isAfter, "{direction}", direction, "{counted}", s.counted).Replace(string(s.query))
	if s.withoutLast() && q.Channel == "" && q.UpdateUUID == "" {
		// Only values of the last report need FINAL, which is costly.
		text = strings.ReplaceAll(text, "FROM devices FINAL\n", "FROM devices\n")
	}
	return projectQuery(text)
}

// sortedDevices returns the rows of a page.
func (d DeviceQueries) sortedDevices(
	ctx context.Context, projectID int64, q models.DeviceQuery, sort deviceSort, descending bool,
) (rows []deviceRow, err error) {
	parts := []devicePart{{sort, q.After}}
	if sort.counted != "" {
		parts = partsByCount(sort, q.After, descending)
	}
	for _, part := range parts {
		of := q
		of.After, of.Limit = part.after, q.Limit-len(rows)
		if of.Limit == 0 {
			break
		}
		after := models.Cursor{}
		if of.After != nil {
			after = *of.After
		}
		found, err := selectOf[deviceRow](ctx, d.database, projectID, "devices", part.sort.page(of, descending), append(deviceFilters(q),
			clickhouse.Named("value", after.Value), clickhouse.Named("after", after.Key),
			clickhouse.Named("most", uint32(of.Limit)))...)
		if err != nil {
			return nil, err
		}
		rows = append(rows, found...)
	}
	return rows, nil
}

// devicePart is a part of a sorted list, which one query returns from the place of a cursor on.
type devicePart struct {
	sort  deviceSort
	after *models.Cursor
}

// partsByCount returns the parts of a list that is sorted by a count: the devices with a count above 0, and all other devices.
func partsByCount(sort deviceSort, after *models.Cursor, descending bool) []devicePart {
	with, without := devicePart{sort: sort}, devicePart{sort: sort}
	without.sort.query = sqlDevicesWithout
	isWithout := false
	if after != nil {
		count, err := strconv.ParseInt(after.Value, 10, 64)
		isWithout = err != nil || count == 0
	}
	switch {
	case after == nil && descending:
		return []devicePart{with, without}
	case after == nil:
		return []devicePart{without, with}
	case isWithout:
		without.after = after
		if descending {
			return []devicePart{without}
		}
		return []devicePart{without, with}
	default:
		with.after = after
		if descending {
			return []devicePart{with, without}
		}
		return []devicePart{with}
	}
}

// Devices lists the project's devices that reported within 400 days, newest report first unless the query has a sort.
// It ignores reports without a device ID. It returns a models.Unavailable error while ClickHouse is unavailable.
func (d DeviceQueries) Devices(ctx context.Context, projectID int64, q models.DeviceQuery) ([]models.Device, error) {
	order := cmp.Or(q.Sort, "-lastSeenAt")
	field, descending := strings.CutPrefix(order, "-")
	sort := deviceSorts()[field]
	rows, err := d.sortedDevices(ctx, projectID, q, sort, descending)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	keys := make([]string, len(rows))
	for i, r := range rows {
		keys[i] = r.Key
	}
	if sort.withoutLast() {
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

package telemetry

import (
	"context"
	"slices"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"

	"github.com/waft-ota/waft/models"
)

type seenDeviceRow struct {
	DeviceID       string `ch:"device_id"`
	Channel        string `ch:"channel"`
	Platform       string `ch:"platform"`
	RuntimeVersion string `ch:"runtime_version"`
	UpdateUUID     string `ch:"update_uuid"`
}

type seenDevicesCostRow struct {
	Devices uint64 `ch:"devices"`
}

// SeenDevices returns the devices that reported in this hour and the 23 hours before, with the data of their last
// reports, in no particular order. If there are more than 150,000 devices, it returns a sample. It ignores reports
// without a device ID. It returns a models.Unavailable error while ClickHouse is unavailable.
func (d DeviceQueries) SeenDevices(ctx context.Context, projectID int64, q models.PreviewQuery, now time.Time) (models.SeenDevices, error) {
	var seen models.SeenDevices
	if len(q.Channels)+len(q.Updates) == 0 {
		return seen, nil
	}
	platforms, runtimeVersions := make([]string, len(q.Streams)), make([]string, len(q.Streams))
	for i, s := range q.Streams {
		platforms[i], runtimeVersions[i] = string(s.Platform), s.RuntimeVersion
	}
	from := now.UTC().Truncate(time.Hour).Add(-(models.OverviewHours - 1) * time.Hour)
	args := []driver.NamedValue{
		second("from", from), clickhouse.Named("channels", q.Channels), clickhouse.Named("updates", q.Updates),
		clickhouse.Named("platforms", platforms), clickhouse.Named("runtime_versions", runtimeVersions),
	}
	cost, err := selectOf[seenDevicesCostRow](ctx, d.database, projectID, "devices", sqlSeenDevicesCost, args...)
	if err != nil {
		return seen, err
	}
	share := uint64(wholeShare)
	if cost[0].Devices > d.exactRows {
		share = max(1, wholeShare*d.sampledDevices/cost[0].Devices)
	}
	args = append(args, clickhouse.Named("share", uint32(share)), clickhouse.Named("most", uint32(2*d.exactRows)))
	rows, err := selectOf[seenDeviceRow](ctx, d.database, projectID, "devices", sqlSeenDevices, args...)
	if err != nil {
		return seen, err
	}
	seen.List = make([]models.SeenDevice, len(rows))
	for i, r := range rows {
		seen.List[i] = models.SeenDevice{
			DeviceID: r.DeviceID, UpdateUUID: r.UpdateUUID,
			Stream: models.Stream{Channel: r.Channel, Platform: models.Platform(r.Platform), RuntimeVersion: r.RuntimeVersion},
		}
	}
	if seen.Total = int64(len(rows)); share < wholeShare {
		seen.Total = int64(cost[0].Devices)
	}
	return seen, nil
}

// seenBatch is the number of updates in one query. Its parameters are part of the URL.
const seenBatch = 100

// SeenUpdates returns the updates (UUIDs in lower case) that the project's devices reported since the given time, at
// most 180 days ago. It returns a models.Unavailable error while ClickHouse is unavailable.
func (d DeviceQueries) SeenUpdates(ctx context.Context, projectID int64, updates []string, since time.Time) ([]string, error) {
	var seen []string
	for batch := range slices.Chunk(updates, seenBatch) {
		found, err := selectOf[struct {
			UpdateUUID string `ch:"update_uuid"`
		}](ctx, d.database, projectID, "the updates that devices run", sqlSeenUpdates, clickhouse.Named("updates", batch), milli("since", since))
		if err != nil {
			return nil, err
		}
		for _, f := range found {
			seen = append(seen, f.UpdateUUID)
		}
	}
	return seen, nil
}

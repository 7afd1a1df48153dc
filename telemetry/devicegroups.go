package telemetry

import (
	"context"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"

	"github.com/waft-ota/waft/models"
)

const (
	// groupDays is how many days a device is known for after its last report, today
	// included.
	groupDays = 7
	// mostGroups bounds what is looked at, those with most reports: a project has some
	// releases times channels, but anybody can report what does not exist.
	mostGroups = 500
)

type deviceGroupRow struct {
	Key            uint64 `ch:"key"`
	UpdateUUID     string `ch:"update_uuid"`
	Channel        string `ch:"channel"`
	Platform       string `ch:"platform"`
	RuntimeVersion string `ch:"runtime_version"`
}

type groupDevicesRow struct {
	Part    uint32 `ch:"part"`
	Devices uint64 `ch:"devices"`
}

// DeviceGroups is what devices of the project reported to be within seven days, the 500
// groups with most reports. It fails with a models Unavailable error while ClickHouse is
// away.
func (c *ClickHouse) DeviceGroups(ctx context.Context, projectID int64, now time.Time) ([]models.DeviceGroup, error) {
	var rows []deviceGroupRow
	err := c.selectOf(ctx, projectID, "what devices are", &rows, sqlDeviceGroups,
		second("from", startOfDay(now, groupDays-1)), clickhouse.Named("most", uint32(mostGroups)))
	if err != nil {
		return nil, err
	}
	groups := make([]models.DeviceGroup, len(rows))
	for i, r := range rows {
		groups[i] = models.DeviceGroup{
			Key: r.Key, UpdateUUID: r.UpdateUUID, Channel: r.Channel, Platform: models.Platform(r.Platform), RuntimeVersion: r.RuntimeVersion,
		}
	}
	return groups, nil
}

// GroupDevices is how many distinct devices were in any of the groups with the keys of
// each union: exact up to 256, then off by 1.1 %. It fails as DeviceGroups does.
func (c *ClickHouse) GroupDevices(ctx context.Context, projectID int64, unions [][]uint64, now time.Time) ([]int64, error) {
	devices := make([]int64, len(unions))
	var parts []uint32
	var keys []uint64
	for i, union := range unions {
		for _, key := range union {
			parts, keys = append(parts, uint32(i)), append(keys, key)
		}
	}
	if len(keys) == 0 {
		return devices, nil
	}
	var rows []groupDevicesRow
	err := c.selectOf(ctx, projectID, "devices of groups", &rows, sqlGroupDevices,
		second("from", startOfDay(now, groupDays-1)), clickhouse.Named("unions", parts), clickhouse.Named("keys", keys))
	for _, r := range rows {
		devices[r.Part] = int64(r.Devices)
	}
	return devices, err
}

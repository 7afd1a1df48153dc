package telemetry

import (
	"context"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"

	"github.com/waft-ota/waft/models"
)

const (
	// groupDays is for how many days a device counts after its last report, today included.
	groupDays = 7
	// mostGroups bounds the groups, which reports of invented names could make many.
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

// DeviceGroups returns the combinations of release, channel, platform and runtime version
// that devices of the project reported within seven days: the 500 with most reports. It fails with a models Unavailable error while ClickHouse is
// away.
func (d DeviceQueries) DeviceGroups(ctx context.Context, projectID int64, now time.Time) ([]models.DeviceGroup, error) {
	rows, err := selectOf[deviceGroupRow](ctx, d.database, projectID, "groups of devices", sqlDeviceGroups,
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

// GroupDevices returns for each union of groups, named by their keys, the number of its
// distinct devices: exact up to 256, then with a standard error of 1.1 %. It fails as DeviceGroups does.
func (d DeviceQueries) GroupDevices(ctx context.Context, projectID int64, unions [][]uint64, now time.Time) ([]int64, error) {
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
	rows, err := selectOf[groupDevicesRow](ctx, d.database, projectID, "devices of groups", sqlGroupDevices,
		second("from", startOfDay(now, groupDays-1)), clickhouse.Named("unions", parts), clickhouse.Named("keys", keys))
	for _, r := range rows {
		devices[r.Part] = int64(r.Devices)
	}
	return devices, err
}

package telemetry

import (
	"context"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"

	"github.com/waft-ota/waft/models"
)

const (
	// groupDays is the number of days for which a device counts after its last report, including today.
	groupDays = 7
	// maxGroups is the maximum number of groups. Reports with invented names could create many.
	maxGroups = 500
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

// DeviceGroups returns the combinations of release, channel, platform and runtime version that the project's devices
// reported within seven days. It returns the 500 combinations with the most reports. It returns a models.Unavailable
// error while ClickHouse is unavailable.
func (d DeviceQueries) DeviceGroups(ctx context.Context, projectID int64, now time.Time) ([]models.DeviceGroup, error) {
	rows, err := selectOf[deviceGroupRow](ctx, d.database, projectID, "groups of devices", sqlDeviceGroups,
		second("from", startOfDay(now, groupDays-1)), clickhouse.Named("most", uint32(maxGroups)))
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

// GroupDevices returns the number of distinct devices for each union of groups, given by their keys. The number is
// exact up to 256, and has a standard error of 1.1% above. It fails like DeviceGroups.
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

package telemetry

import (
	"context"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"

	"github.com/waft-ota/waft/models"
)

const (
	// slotLength is that of activity's slots.
	slotLength = 5 * time.Minute
	// mostReleaseHours bounds how many releases and channels are looked at, those with
	// most errored devices.
	mostReleaseHours = 1000
)

type releaseHourRow struct {
	UpdateUUID     string `ch:"update_uuid"`
	Channel        string `ch:"channel"`
	Platform       string `ch:"platform"`
	RuntimeVersion string `ch:"runtime_version"`
	Devices        uint64 `ch:"devices"`
	Errored        uint64 `ch:"errored"`
	Crashed        uint64 `ch:"crashed"`
	BeforeDevices  uint64 `ch:"before_devices"`
	BeforeErrored  uint64 `ch:"before_errored"`
}

type flagStateRow struct {
	FlagKey   string `ch:"flag_key"`
	Variation string `ch:"variation"`
	Devices   uint64 `ch:"devices"`
	Errored   uint64 `ch:"errored"`
}

// recentSince is when this hour began: twelve slots ago, of which the one that now
// lies in is the last.
func recentSince(now time.Time) time.Time {
	return now.UTC().Truncate(slotLength).Add(slotLength - time.Hour)
}

// ReleaseHours is how the devices of each of the project's releases fare in this hour
// and fared in the 24 before, by channel, most errors first. It fails with a models
// Unavailable error while ClickHouse is away.
func (c *ClickHouse) ReleaseHours(ctx context.Context, projectID int64, now time.Time) ([]models.ReleaseHour, error) {
	recent := recentSince(now)
	var rows []releaseHourRow
	err := c.selectOf(ctx, projectID, "this hour's devices", &rows, sqlReleaseHours,
		second("recent", recent), second("from", recent.Truncate(time.Hour).Add(-24*time.Hour)),
		clickhouse.Named("most", uint32(mostReleaseHours)))
	if err != nil {
		return nil, err
	}
	hours := make([]models.ReleaseHour, len(rows))
	for i, r := range rows {
		hours[i] = models.ReleaseHour{
			UpdateUUID: r.UpdateUUID, Channel: r.Channel, Platform: models.Platform(r.Platform), RuntimeVersion: r.RuntimeVersion,
			DeviceCounts: deviceCounts(r.Devices, r.Errored, r.Crashed),
			Before:       models.DeviceCounts{Devices: int64(r.BeforeDevices), ErroredDevices: capped(r.BeforeErrored, r.BeforeDevices)},
		}
	}
	return hours, nil
}

// FlagStates is how the devices of this hour fare on a release and channel by flag
// variation, from the states that their events name.
func (c *ClickHouse) FlagStates(ctx context.Context, projectID int64, of models.ReleaseHour, now time.Time) ([]models.FlagState, error) {
	var rows []flagStateRow
	err := c.selectOf(ctx, projectID, "this hour's flags", &rows, sqlIncidentStates,
		second("recent", recentSince(now)),
		clickhouse.Named("update_uuid", of.UpdateUUID),
		clickhouse.Named("channel", of.Channel),
		clickhouse.Named("platform", string(of.Platform)),
		clickhouse.Named("runtime_version", of.RuntimeVersion),
		clickhouse.Named("most", uint32(mostImpacts)))
	if err != nil {
		return nil, err
	}
	states := make([]models.FlagState, len(rows))
	for i, r := range rows {
		states[i] = models.FlagState{FlagKey: r.FlagKey, Variation: r.Variation, DeviceCounts: deviceCounts(r.Devices, r.Errored, 0)}
	}
	return states, nil
}

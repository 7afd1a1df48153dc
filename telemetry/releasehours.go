package telemetry

import (
	"context"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"

	"github.com/waft-ota/waft/models"
)

const (
	// slotLength is the length of an activity slot.
	slotLength = 5 * time.Minute
	// maxReleaseHours is the maximum number of pairs of release and channel. The pairs with most errors come first.
	maxReleaseHours = 1000
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

// recentSince returns the start of this hour, which has twelve slots and ends with the slot that contains now.
func recentSince(now time.Time) time.Time {
	return now.UTC().Truncate(slotLength).Add(slotLength - time.Hour)
}

// ReleaseHours returns the health of the devices of each of the project's releases in this hour and in the 24 hours
// before, by channel, most errors first. It returns a models.Unavailable error while ClickHouse is unavailable.
func (e ErrorQueries) ReleaseHours(ctx context.Context, projectID int64, now time.Time) ([]models.ReleaseHour, error) {
	recent := recentSince(now)
	rows, err := selectOf[releaseHourRow](ctx, e.database, projectID, "this hour's devices", sqlReleaseHours,
		second("recent", recent), second("from", recent.Truncate(time.Hour).Add(-24*time.Hour)),
		clickhouse.Named("most", uint32(maxReleaseHours)))
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

// FlagStates returns the health of this hour's devices on a release and channel by flag variation. It reads the flag
// states in their events.
func (e ErrorQueries) FlagStates(ctx context.Context, projectID int64, of models.ReleaseHour, now time.Time) ([]models.FlagState, error) {
	rows, err := selectOf[flagRow](ctx, e.database, projectID, "this hour's flags", sqlIncidentStates,
		second("recent", recentSince(now)),
		clickhouse.Named("update_uuid", of.UpdateUUID),
		clickhouse.Named("channel", of.Channel),
		clickhouse.Named("platform", string(of.Platform)),
		clickhouse.Named("runtime_version", of.RuntimeVersion),
		clickhouse.Named("most", uint32(maxImpacts)))
	if err != nil {
		return nil, err
	}
	states := make([]models.FlagState, len(rows))
	for i, r := range rows {
		states[i] = models.FlagState{FlagKey: r.FlagKey, Variation: r.Variation, DeviceCounts: deviceCounts(r.Devices, r.Errored, 0)}
	}
	return states, nil
}

// WithdrawnDevices counts the devices that had a release in the day before devices stopped getting it. It returns a
// models.Unavailable error while ClickHouse is unavailable.
func (e ErrorQueries) WithdrawnDevices(ctx context.Context, projectID int64, of models.WithdrawnRelease) (models.WithdrawnDevices, error) {
	rows, err := selectOf[struct {
		Served  uint64 `ch:"served"`
		Pending uint64 `ch:"pending"`
	}](ctx, e.database, projectID, "the devices of a withdrawn release", sqlWithdrawnDevices,
		clickhouse.Named("update_uuid", of.UpdateUUID), clickhouse.Named("channel", of.Channel),
		milli("since", of.Since), milli("active", of.Since.Add(-24*time.Hour)))
	if err != nil {
		return models.WithdrawnDevices{}, err
	}
	return models.WithdrawnDevices{Served: int64(rows[0].Served), Pending: int64(rows[0].Pending)}, nil
}

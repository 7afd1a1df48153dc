package telemetry

import (
	"context"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"

	"github.com/waft-ota/waft/models"
)

type flagImpactRow struct {
	FlagKey        string `ch:"flag_key"`
	Variation      string `ch:"variation"`
	UpdateUUID     string `ch:"update_uuid"`
	Channel        string `ch:"channel"`
	RuntimeVersion string `ch:"runtime_version"`
	Devices        uint64 `ch:"devices"`
	Errored        uint64 `ch:"errored"`
	Crashed        uint64 `ch:"crashed"`
}

// FlagImpacts is how the project's devices fared under flags, by variation, release
// and channel, most devices first, at most 1,000. It fails with a models Unavailable
// error while ClickHouse is away.
func (c *ClickHouse) FlagImpacts(
	ctx context.Context, projectID int64, q models.FlagImpactQuery, now time.Time,
) ([]models.FlagImpact, error) {
	from := startOfDay(now, q.Days-1)
	args := []driver.NamedValue{
		second("from", from),
		second("monday", firstMonday(from)),
		second("span", firstSpan(from)),
		clickhouse.Named("flag_key", q.FlagKey),
		clickhouse.Named("channel", q.Channel),
		clickhouse.Named("most", uint32(mostImpacts)),
	}
	rows, err := selectFlags[flagImpactRow](ctx, c, projectID, "flag impacts", sqlFlagImpacts, sqlFlagImpactsExact, now, args)
	if err != nil {
		return nil, err
	}
	impacts := make([]models.FlagImpact, len(rows))
	for i, r := range rows {
		impacts[i] = models.FlagImpact{
			FlagKey: r.FlagKey, Variation: r.Variation, UpdateUUID: r.UpdateUUID, RuntimeVersion: r.RuntimeVersion,
			Channel: r.Channel, DeviceCounts: deviceCounts(r.Devices, r.Errored, r.Crashed),
		}
	}
	models.CompareImpacts(impacts)
	return impacts, nil
}

// firstSpan is the first begin of a span of flag_spans from the day on.
func firstSpan(day time.Time) time.Time {
	const spans = 4 * 7 * 24 * time.Hour
	first := time.Date(1970, time.January, 5, 0, 0, 0, 0, time.UTC)
	return first.Add((day.Sub(first) + spans - 1) / spans * spans)
}

// deviceCounts keeps estimates from contradicting each other.
func deviceCounts(devices, errored, crashed uint64) models.DeviceCounts {
	return models.DeviceCounts{
		Devices: int64(devices), ErroredDevices: capped(errored, devices), CrashedDevices: capped(crashed, min(errored, devices)),
	}
}

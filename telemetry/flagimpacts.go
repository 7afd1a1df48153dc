package telemetry

import (
	"context"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"
	"golang.org/x/sync/errgroup"

	"github.com/waft-ota/waft/models"
)

// eventsKept is the period for which events are certain to be stored: 30 days minus the duration of a query.
const eventsKept = 30*24*time.Hour - time.Hour

// FlagQueries are the queries about flags: their evaluations, and the health of devices by flag variation.
type FlagQueries struct{ *database }

// flagRow has the columns of all queries about flags. Queries about one flag fill only some of them.
type flagRow struct {
	// Whole is 1 in the row for all variations together.
	Whole          uint64 `ch:"whole"`
	FlagKey        string `ch:"flag_key"`
	Variation      string `ch:"variation"`
	UpdateUUID     string `ch:"update_uuid"`
	Channel        string `ch:"channel"`
	RuntimeVersion string `ch:"runtime_version"`
	Devices        uint64 `ch:"devices"`
	Errored        uint64 `ch:"errored"`
	Crashed        uint64 `ch:"crashed"`
}

// FlagImpacts returns the health of the project's devices by flag variation, release and channel, most devices first,
// at most 1,000. It returns a models.Unavailable error while ClickHouse is unavailable.
func (f FlagQueries) FlagImpacts(
	ctx context.Context, projectID int64, q models.FlagImpactQuery, now time.Time,
) ([]models.FlagImpact, error) {
	rows, err := f.flagRows(ctx, projectID, "flag impacts", sqlFlagImpacts, sqlFlagImpactsExact, q, now)
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

// FlagHealth returns the health of the project's devices by variation of a flag in the last days, most devices first.
// It returns a models.Unavailable error while ClickHouse is unavailable.
func (f FlagQueries) FlagHealth(
	ctx context.Context, projectID int64, flagKey string, days int, now time.Time,
) (h models.FlagHealth, err error) {
	q := models.FlagImpactQuery{FlagKey: flagKey, Days: days}
	rows, err := f.flagRows(ctx, projectID, "the flag's health", sqlFlagHealth, sqlFlagHealthExact, q, now)
	for _, r := range rows {
		if counts := deviceCounts(r.Devices, r.Errored, r.Crashed); r.Whole == 1 {
			h.DeviceCounts = counts
		} else {
			h.Variations = append(h.Variations, models.VariationHealth{Variation: r.Variation, Channel: r.Channel, DeviceCounts: counts})
		}
	}
	return h, err
}

// flagRows returns exact counts if there are few states and all their events are stored, and otherwise estimates from
// sketches. It reads the number of states and the sketches concurrently, because the round trip is most of the cost.
func (f FlagQueries) flagRows(
	ctx context.Context, projectID int64, what string, sketches, exact projectQuery, q models.FlagImpactQuery, now time.Time,
) (rows []flagRow, err error) {
	from := startOfDay(now, q.Days-1)
	args := []driver.NamedValue{
		second("from", from),
		second("monday", firstMonday(from)),
		second("span", firstSpan(from)),
		clickhouse.Named("flag_key", q.FlagKey),
		clickhouse.Named("channel", q.Channel),
		clickhouse.Named("most", uint32(maxImpacts)),
	}
	type states struct {
		States uint64    `ch:"states"`
		Oldest time.Time `ch:"oldest"`
	}
	var behind []states
	g, reading := errgroup.WithContext(ctx)
	g.Go(func() (err error) {
		behind, err = selectOf[states](reading, f.database, projectID, what, sqlFlagStates, args...)
		return err
	})
	g.Go(func() (err error) {
		rows, err = selectOf[flagRow](reading, f.database, projectID, what, sketches, args...)
		return err
	})
	if err := g.Wait(); err != nil {
		return nil, err
	}
	if len(rows) == 0 || behind[0].States > f.exactRows || behind[0].Oldest.Before(now.Add(-eventsKept)) {
		return rows, nil
	}
	return selectOf[flagRow](ctx, f.database, projectID, what, exact, args...)
}

// firstMonday returns the first Monday on or after the day.
func firstMonday(day time.Time) time.Time {
	return day.AddDate(0, 0, int(8-day.Weekday())%7)
}

// firstSpan returns the first start of a span of flag_spans on or after the day.
func firstSpan(day time.Time) time.Time {
	const spans = 4 * 7 * 24 * time.Hour
	first := time.Date(1970, time.January, 5, 0, 0, 0, 0, time.UTC)
	return first.Add((day.Sub(first) + spans - 1) / spans * spans)
}

// deviceCounts keeps estimates consistent: crashed devices never exceed devices with errors, and neither exceeds all
// devices.
func deviceCounts(devices, errored, crashed uint64) models.DeviceCounts {
	return models.DeviceCounts{
		Devices: int64(devices), ErroredDevices: capped(errored, devices), CrashedDevices: capped(crashed, min(errored, devices)),
	}
}

// capped limits an estimate of some devices to the number of all devices.
func capped(part, whole uint64) int64 { return int64(min(part, whole)) }

package telemetry

import (
	"context"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"

	"github.com/waft-ota/waft/models"
)

type flagHealthRow struct {
	Whole     uint64    `ch:"whole"`
	Variation string    `ch:"variation"`
	Channel   string    `ch:"channel"`
	Devices   uint64    `ch:"devices"`
	Errored   uint64    `ch:"errored"`
	Crashed   uint64    `ch:"crashed"`
	Cost      uint64    `ch:"cost"`
	Oldest    time.Time `ch:"oldest"`
}

// FlagHealth is how the project's devices fared under a flag in the last days, most
// devices first. It fails with a models Unavailable error while ClickHouse is away.
func (c *ClickHouse) FlagHealth(
	ctx context.Context, projectID int64, flagKey string, days int, now time.Time,
) (h models.FlagHealth, err error) {
	from := startOfDay(now, days-1)
	args := []driver.NamedValue{
		second("from", from),
		second("monday", firstMonday(from)),
		second("span", firstSpan(from)),
		clickhouse.Named("flag_key", flagKey),
		clickhouse.Named("most", uint32(mostImpacts)),
	}
	var rows []flagHealthRow
	if err := c.selectOf(ctx, projectID, "the flag's health", &rows, sqlFlagHealth, args...); err != nil {
		return h, err
	}
	if len(rows) > 0 && c.countable(rows[0].Cost, rows[0].Oldest, now) {
		rows = nil
		if err := c.selectOf(ctx, projectID, "the flag's health", &rows, sqlFlagHealthExact, args...); err != nil {
			return h, err
		}
	}
	for _, r := range rows {
		if fare := fareOf(r.Devices, r.Errored, r.Crashed); r.Whole == 1 {
			h.Fare = fare
		} else {
			h.Variations = append(h.Variations, models.VariationHealth{Variation: r.Variation, Channel: r.Channel, Fare: fare})
		}
	}
	return h, nil
}

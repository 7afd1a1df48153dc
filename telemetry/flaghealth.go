package telemetry

import (
	"context"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"

	"github.com/waft-ota/waft/models"
)

type flagHealthRow struct {
	Whole     uint64 `ch:"whole"`
	Variation string `ch:"variation"`
	Channel   string `ch:"channel"`
	Devices   uint64 `ch:"devices"`
	Errored   uint64 `ch:"errored"`
	Crashed   uint64 `ch:"crashed"`
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
		clickhouse.Named("channel", ""),
		clickhouse.Named("most", uint32(mostImpacts)),
	}
	rows, err := selectFlags[flagHealthRow](ctx, c, projectID, "the flag's health", sqlFlagHealth, sqlFlagHealthExact, now, args)
	if err != nil {
		return h, err
	}
	for _, r := range rows {
		if counts := deviceCounts(r.Devices, r.Errored, r.Crashed); r.Whole == 1 {
			h.DeviceCounts = counts
		} else {
			h.Variations = append(h.Variations, models.VariationHealth{Variation: r.Variation, Channel: r.Channel, DeviceCounts: counts})
		}
	}
	return h, nil
}

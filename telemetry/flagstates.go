package telemetry

import (
	"context"
	"time"

	"github.com/waft-ota/waft/models"
)

// FlagsHealth returns what FlagHealth does, for every flag of the project that devices had in the last days, by its key. It
// fails with a models Unavailable error while ClickHouse is away.
func (f FlagQueries) FlagsHealth(ctx context.Context, projectID int64, days int, now time.Time) (map[string]models.FlagHealth, error) {
	q := models.FlagImpactQuery{Days: days}
	rows, err := f.flagRows(ctx, projectID, "the health of flags", sqlFlagsHealth, sqlFlagsHealthExact, q, now)
	if err != nil {
		return nil, err
	}
	all := map[string]models.FlagHealth{}
	for _, r := range rows {
		h := all[r.FlagKey]
		if counts := deviceCounts(r.Devices, r.Errored, r.Crashed); r.Whole == 1 {
			h.DeviceCounts = counts
		} else {
			h.Variations = append(h.Variations, models.VariationHealth{Variation: r.Variation, Channel: r.Channel, DeviceCounts: counts})
		}
		all[r.FlagKey] = h
	}
	return all, nil
}

// FlagsInUse returns the keys of the project's flags that clients evaluated, or that devices reported to have, since a
// time, whose day counts as a whole. It fails with a models Unavailable error while ClickHouse is away.
func (f FlagQueries) FlagsInUse(ctx context.Context, projectID int64, since time.Time) ([]string, error) {
	type row struct {
		FlagKey string `ch:"flag_key"`
	}
	rows, err := selectOf[row](ctx, f.database, projectID, "the flags in use", sqlFlagsInUse, second("from", startOfDay(since, 0)))
	keys := make([]string, len(rows))
	for i, r := range rows {
		keys[i] = r.FlagKey
	}
	return keys, err
}

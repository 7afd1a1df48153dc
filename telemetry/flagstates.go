package telemetry

import (
	"context"
	"time"

	"github.com/waft-ota/waft/models"
)

// FlagsHealth returns the same as FlagHealth, by key, for every flag that the project's devices had in the last days.
// It returns a models.Unavailable error while ClickHouse is unavailable.
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

// FlagsInUse returns the keys of the project's flags that clients evaluated or devices reported since a time. The
// whole day of that time counts. It returns a models.Unavailable error while ClickHouse is unavailable.
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

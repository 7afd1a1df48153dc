package telemetry

import (
	"context"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"

	"github.com/waft-ota/waft/models"
)

type flagEvaluationsRow struct {
	Time  time.Time `ch:"time"`
	Value string    `ch:"value"`
	Times uint64    `ch:"times"`
}

// FlagEvaluations returns the number of evaluations of a flag by value in the last days. It returns a
// models.Unavailable error while ClickHouse is unavailable.
func (f FlagQueries) FlagEvaluations(
	ctx context.Context, projectID int64, flagKey string, days int, now time.Time,
) (s models.FlagEvaluationSummary, err error) {
	const what = "flag evaluations"
	flag := clickhouse.Named("flag_key", flagKey)
	rows, err := selectOf[flagEvaluationsRow](ctx, f.database, projectID, what, sqlFlagEvaluations,
		flag, second("from", startOfDay(now, days-1)))
	if err != nil {
		return s, err
	}
	for _, r := range rows {
		s.Total += int64(r.Times)
		s.Days = append(s.Days, models.FlagEvaluationDay{Day: r.Time.UTC(), Value: r.Value, Count: int64(r.Times)})
	}
	last, err := selectOf[flagEvaluationsRow](ctx, f.database, projectID, what, sqlFlagLastEvaluated, flag)
	if err != nil {
		return s, err
	}
	if at := last[0].Time.UTC(); at.Unix() > 0 {
		s.LastEvaluatedAt = &at
	}
	return s, nil
}

package telemetry

import (
	"context"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"

	"github.com/waft-ota/waft/models"
)

// InsertEvaluations stores the evaluations, once, as InsertReports does.
func (c *ClickHouse) InsertEvaluations(ctx context.Context, token string, evaluations []models.FlagEvaluations) error {
	if err := insert(onceUnder(ctx, token), c, sqlInsertFlagEvaluations, evaluations, appendEvaluations); err != nil {
		return queryError("insert flag evaluations", err)
	}
	return nil
}

// appendEvaluations follows the column list of insert_flag_evaluations.sql.
func appendEvaluations(batch driver.Batch, e models.FlagEvaluations) error {
	return batch.Append(
		e.ProjectID, e.FlagKey, e.ReceivedAt.UTC().Truncate(24*time.Hour), e.Channel, e.Value, uint64(e.Count),
		e.LastAt.UTC().Truncate(time.Millisecond),
	)
}

type flagEvaluationsRow struct {
	Time  time.Time `ch:"time"`
	Value string    `ch:"value"`
	Times uint64    `ch:"times"`
}

type lastEvaluatedRow struct {
	At time.Time `ch:"last_evaluated_at"`
}

// FlagEvaluations is how often a flag of the project had which value in the last days.
// It fails with a models Unavailable error while ClickHouse is away.
func (c *ClickHouse) FlagEvaluations(
	ctx context.Context, projectID int64, flagKey string, days int, now time.Time,
) (s models.FlagEvaluationSummary, err error) {
	const what = "flag evaluations"
	flag := clickhouse.Named("flag_key", flagKey)
	var rows []flagEvaluationsRow
	err = c.selectOf(ctx, projectID, what, &rows, sqlFlagEvaluations, flag, second("from", startOfDay(now, days-1)))
	if err != nil {
		return s, err
	}
	for _, r := range rows {
		s.Total += int64(r.Times)
		s.Days = append(s.Days, models.FlagEvaluationDay{Day: r.Time.UTC(), Value: r.Value, Count: int64(r.Times)})
	}
	var last []lastEvaluatedRow
	if err := c.selectOf(ctx, projectID, what, &last, sqlFlagLastEvaluated, flag); err != nil {
		return s, err
	}
	if at := last[0].At.UTC(); at.Unix() > 0 {
		s.LastEvaluatedAt = &at
	}
	return s, nil
}

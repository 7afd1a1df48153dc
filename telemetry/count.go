package telemetry

import (
	"context"
	"errors"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"
)

// counted returns the number that a query counts. It returns nil if ClickHouse ended the query because it took longer
// than the query's settings allow.
func counted(
	ctx context.Context, db *database, projectID int64, what string, query projectQuery, args ...driver.NamedValue,
) (*int64, error) {
	rows, err := selectOf[struct {
		Records uint64 `ch:"records"`
	}](ctx, db, projectID, what, query, args...)
	var ended *clickhouse.Exception
	if errors.As(err, &ended) && ended.Code == timeoutExceeded && ctx.Err() == nil {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return new(int64(rows[0].Records)), nil
}

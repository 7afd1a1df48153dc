package telemetry

import (
	"context"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
)

// seenBatch is how many updates one query asks for: parameters travel in the URL.
const seenBatch = 100

// SeenUpdates returns those of the updates, UUIDs in lower case, that a device of
// the project reported with since the given moment. It knows 180 days. It fails
// with a models Unavailable error while ClickHouse is away.
func (c *ClickHouse) SeenUpdates(ctx context.Context, projectID int64, updates []string, since time.Time) ([]string, error) {
	var seen []string
	for len(updates) > 0 {
		batch := updates[:min(len(updates), seenBatch)]
		updates = updates[len(batch):]
		var found []struct {
			UpdateUUID string `ch:"update_uuid"`
		}
		err := c.conn.Select(seeingOnly(ctx, projectID), &found, sqlSeenUpdates,
			clickhouse.Named("project_id", projectID),
			clickhouse.Named("updates", batch),
			clickhouse.DateNamed("since", since.UTC(), clickhouse.MilliSeconds))
		if err != nil {
			return nil, queryError("read which updates devices run", err)
		}
		for _, f := range found {
			seen = append(seen, f.UpdateUUID)
		}
	}
	return seen, nil
}

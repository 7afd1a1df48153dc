package telemetry

import (
	"context"
	"slices"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
)

// seenBatch is how many updates one query is about: its parameters are in the URL.
const seenBatch = 100

// SeenUpdates returns those of the updates, UUIDs in lower case, that a device of
// the project reported with since the given moment, at most 180 days ago. It fails
// with a models Unavailable error while ClickHouse is away.
func (d DeviceQueries) SeenUpdates(ctx context.Context, projectID int64, updates []string, since time.Time) ([]string, error) {
	var seen []string
	for batch := range slices.Chunk(updates, seenBatch) {
		found, err := selectOf[struct {
			UpdateUUID string `ch:"update_uuid"`
		}](ctx, d.database, projectID, "which updates devices run", sqlSeenUpdates, clickhouse.Named("updates", batch), milli("since", since))
		if err != nil {
			return nil, err
		}
		for _, f := range found {
			seen = append(seen, f.UpdateUUID)
		}
	}
	return seen, nil
}

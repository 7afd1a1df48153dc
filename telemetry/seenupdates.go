package telemetry

import (
	"context"
	"slices"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
)

// seenBatch is the number of updates in one query. Its parameters are part of the URL.
const seenBatch = 100

// SeenUpdates returns the updates (UUIDs in lower case) that the project's devices reported since the given time, at
// most 180 days ago. It returns a models.Unavailable error while ClickHouse is unavailable.
func (d DeviceQueries) SeenUpdates(ctx context.Context, projectID int64, updates []string, since time.Time) ([]string, error) {
	var seen []string
	for batch := range slices.Chunk(updates, seenBatch) {
		found, err := selectOf[struct {
			UpdateUUID string `ch:"update_uuid"`
		}](ctx, d.database, projectID, "the updates that devices run", sqlSeenUpdates, clickhouse.Named("updates", batch), milli("since", since))
		if err != nil {
			return nil, err
		}
		for _, f := range found {
			seen = append(seen, f.UpdateUUID)
		}
	}
	return seen, nil
}

package telemetry

import (
	"context"
	"sync"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"

	"github.com/waft-ota/waft/models"
)

const (
	// limitedInterval is how long a device and release that were noted are not noted
	// again, and limitedDevices how many are noted in it.
	limitedInterval = time.Minute
	limitedDevices  = 2000
)

// limitedNotes are the devices whose reports were refused for their rate, in bounded
// memory.
type limitedNotes struct {
	now func() time.Time

	mu sync.Mutex
	// noted are who was since turned, waiting those of them who are not stored yet.
	noted   map[models.LimitedReport]bool
	turned  time.Time
	waiting []models.LimitedReports
}

// Limited notes whose report was refused, up to a bound. It does not wait.
func (n *limitedNotes) Limited(r models.LimitedReport) {
	now := n.now()
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.noted == nil || now.Sub(n.turned) >= limitedInterval {
		n.noted, n.turned = map[models.LimitedReport]bool{}, now
	}
	if !n.noted[r] && len(n.noted) < limitedDevices {
		n.noted[r] = true
		n.waiting = append(n.waiting, models.LimitedReports{LimitedReport: r, At: now})
	}
}

func (n *limitedNotes) take() []models.LimitedReports {
	n.mu.Lock()
	defer n.mu.Unlock()
	taken := n.waiting
	n.waiting = nil
	return taken
}

// InsertLimited stores whose reports were refused, once, as InsertReports does.
func (c *ClickHouse) InsertLimited(ctx context.Context, token string, limited []models.LimitedReports) error {
	if err := insert(onceUnder(ctx, token), c, sqlInsertLimited, limited, appendLimited); err != nil {
		return queryError("insert devices whose reports were refused", err)
	}
	return nil
}

// appendLimited follows the column list of insert_limited.sql.
func appendLimited(batch driver.Batch, l models.LimitedReports) error {
	return batch.Append(l.ProjectID, l.UpdateUUID, l.DeviceID, l.At.UTC().Truncate(time.Millisecond))
}

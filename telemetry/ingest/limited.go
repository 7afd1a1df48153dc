package ingest

import (
	"sync"
	"time"

	"github.com/waft-ota/waft/models"
)

const (
	// In each limitedInterval a device and release are noted once, and at most
	// limitedDevices of them.
	limitedInterval = time.Minute
	limitedDevices  = 2000
)

// limitedNotes are the devices whose reports the rate limit rejected, in bounded memory.
type limitedNotes struct {
	now func() time.Time

	mu sync.Mutex
	// noted are those of the interval that began then, waiting those not yet stored.
	noted   map[models.LimitedReport]bool
	began   time.Time
	waiting []models.LimitedReports
}

// Limited notes whose report was rejected, up to a bound. It does not block.
func (n *limitedNotes) Limited(r models.LimitedReport) {
	now := n.now()
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.noted == nil || now.Sub(n.began) >= limitedInterval {
		n.noted, n.began = map[models.LimitedReport]bool{}, now
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

// Package device has the endpoints that installed apps and OFREP clients call.
package device

import (
	"cmp"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/waft-ota/waft/api/access"
	"github.com/waft-ota/waft/api/limit"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/internal/decide/delivery"
	"github.com/waft-ota/waft/internal/guard/cardinality"
)

// Snapshots has the snapshot of each project.
type Snapshots interface {
	// Project finds a project's snapshot by slug or UUID. The error is not_found, or unavailable while the project cannot
	// be read.
	Project(slugOrUUID string) (*delivery.Snapshot, error)
	ProjectByID(id int64) (*delivery.Snapshot, error)
	// Changed returns a channel that is closed once another snapshot of the project is served, or none.
	Changed(projectID int64) <-chan struct{}
}

// Handlers answer installed apps and OFREP clients.
type Handlers struct {
	Snapshots         Snapshots
	Assets            Assets
	PatchFiles        PatchFiles
	Reports           Reports
	Exposures         Exposures
	Evaluations       Evaluations
	EvaluatedContexts EvaluatedContexts
	RefusedCounter    RefusedCounter
	// AssetRedirect is the lifetime of the bucket's URLs that devices are redirected to for
	// files; 0 serves files from here.
	AssetRedirect time.Duration
	// ReportBytes bounds a health report, before and after decompression; 0 is 512 KiB.
	ReportBytes int64
	// Metrics gets the metrics of reports.
	Metrics prometheus.Registerer
	Gate    *access.Gate
	Limits  *limit.Set
	Log     *slog.Logger
	Now     func() time.Time

	nameLimits *cardinality.Limiter
	recent     *recentExposures
	limited    limitedReports
	counted    *countedFlags
}

// Open gives the handlers what the API shares, before they serve. The error names what is missing.
func (h *Handlers) Open(shared access.Shared) error {
	h.Gate, h.Limits, h.Metrics, h.Log, h.Now = shared.Gate, shared.Limits, shared.Metrics, shared.Log, shared.Now
	if err := rest.Complete("device", *h); err != nil {
		return err
	}
	h.ReportBytes = cmp.Or(h.ReportBytes, 512<<10)
	h.nameLimits, h.recent = cardinality.NewLimiter(h.Now, h.Metrics), newRecentExposures(h.Now)
	h.limited, h.counted = newLimitedReports(h.Metrics), newCountedFlags(h.Now)
	return nil
}

// ForgetServed forgets which devices were served what lately: the next exposure of each is recorded like its first.
func (h *Handlers) ForgetServed() { h.recent.forget() }

// Package device implements the endpoints for installed apps and OFREP clients.
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

// Snapshots holds the snapshot of each project.
type Snapshots interface {
	// Project finds a project's snapshot by slug or UUID. It fails with not_found, or with unavailable while the
	// project cannot be read.
	Project(slugOrUUID string) (*delivery.Snapshot, error)
	ProjectByID(id int64) (*delivery.Snapshot, error)
	// Changed returns a channel that is closed once another snapshot of the project, or none, is served.
	Changed(projectID int64) <-chan struct{}
}

// Handlers handle requests of installed apps and OFREP clients.
type Handlers struct {
	Snapshots         Snapshots
	Assets            Assets
	PatchFiles        PatchFiles
	Reports           Reports
	Exposures         Exposures
	Evaluations       Evaluations
	EvaluatedContexts EvaluatedContexts
	RefusedCounter    RefusedCounter
	// AssetRedirect is the lifetime of the bucket's URLs that devices are redirected to for files. With 0, this
	// process serves the files.
	AssetRedirect time.Duration
	// StreamURL is the URL at which clients of OFREP reach this API, without a slash at its end. If it is "", bulk
	// evaluations do not offer a stream.
	StreamURL string
	// StreamKeys encrypt the tokens of these streams, 32 bytes each. The first key encrypts, all decrypt.
	StreamKeys [][]byte
	// ReportBytes is the maximum size of a health report, before and after decompression. 0 stands for 512 KiB.
	ReportBytes int64
	// Metrics registers the metrics of reports.
	Metrics prometheus.Registerer
	Gate    *access.Gate
	Limits  *limit.Set
	Log     *slog.Logger
	Now     func() time.Time

	nameLimits *cardinality.Limiter
	recent     *recentExposures
	limited    limitedReports
	counted    *countedFlags
	// streamMark changes when tokens of earlier processes may have become invalid.
	streamMark []byte
}

// Open passes in what the handlers share with the rest of the API. It returns an error that names missing
// dependencies.
func (h *Handlers) Open(shared access.Shared) error {
	h.Gate, h.Limits, h.Metrics, h.Log, h.Now = shared.Gate, shared.Limits, shared.Metrics, shared.Log, shared.Now
	if err := rest.Complete("device", *h); err != nil {
		return err
	}
	h.streamMark = streamMark(h.StreamURL, h.StreamKeys)
	h.ReportBytes = cmp.Or(h.ReportBytes, 512<<10)
	h.nameLimits, h.recent = cardinality.NewLimiter(h.Now, h.Metrics), newRecentExposures(h.Now)
	h.limited, h.counted = newLimitedReports(h.Metrics), newCountedFlags(h.Now)
	return nil
}

// ForgetServed forgets the recent exposures of devices, so that the next exposure of each is recorded like its first.
func (h *Handlers) ForgetServed() { h.recent.forget() }

package api

import (
	"context"
	"encoding/json"
	"log/slog"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/internal/base/version"
)

// Checks test whether the server's dependencies are available, by the dependency's name.
type Checks map[string]func(context.Context) error

const (
	// checkTime is the maximum time that a dependency may take to respond.
	checkTime = 2 * time.Second
	// readinessAge is the time for which the result of the checks is reused. Probes are public, and must not allow
	// strangers to make the server query its dependencies at any rate.
	readinessAge = time.Second
)

var livenessDoc = huma.Operation{
	OperationID: "healthz", Tags: []string{tagSystem}, Summary: "Check that the process is alive",
	Description: "Responds while the process runs.",
	Responses: map[string]*huma.Response{"200": {
		Description: "The process is alive.",
		Content:     rest.RecordContent("application/json", "Liveness", Liveness{Status: "ok", Version: version.Number}),
	}},
}

// Liveness reports that the process runs, and its version of Waft.
type Liveness struct {
	Status  string `json:"status" enum:"ok"`
	Version string `json:"version"`
}

// NewLiveness returns the handler of /healthz.
func NewLiveness() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		writeProbe(w, http.StatusOK, Liveness{Status: "ok", Version: version.String()})
	})
}

var readinessDoc = huma.Operation{
	OperationID: "readyz", Tags: []string{tagSystem}, Summary: "Check that the process can serve requests",
	Description: "Checks every dependency, at most once per second. The names of unavailable dependencies are shown only at " +
		"WAFT_ADMIN_ADDR.",
	Responses: map[string]*huma.Response{
		"200": {
			Description: "Every dependency is available.",
			Content:     rest.RecordContent("application/json", "ReadyOrNot", ReadyOrNot{Status: statusReady}),
		},
		"503": {
			Description: "A dependency is unavailable.",
			Content:     rest.RecordContent("application/json", "ReadyOrNot", ReadyOrNot{Status: statusNotReady}),
		},
	},
}

// Values of ReadyOrNot.Status.
const (
	statusReady    = "ready"
	statusNotReady = "not_ready"
)

// ReadyOrNot reports whether every dependency is available. It is public.
type ReadyOrNot struct {
	Status string `json:"status" enum:"ready,not_ready"`
}

// ReadinessReport is the detailed report for operators.
type ReadinessReport struct {
	ReadyOrNot
	Dependencies []Dependency `json:"dependencies"`
	// Warnings are sentences about settings that seem wrong. They do not keep the process from serving.
	Warnings []string `json:"warnings"`
}

// Dependency is an engine that the server needs.
type Dependency struct {
	Name   string `json:"name"`
	Status string `json:"status"` // ok or failed
}

// Readiness checks whether the dependencies of the process are available, at most once in readinessAge.
type Readiness struct {
	checks Checks
	log    *slog.Logger
	now    func() time.Time

	mu       sync.Mutex
	report   ReadinessReport
	checked  time.Time
	warnings []func() string
}

// NewReadiness returns a Readiness that has not run any checks yet.
func NewReadiness(checks Checks, log *slog.Logger, now func() time.Time) *Readiness {
	return &Readiness{checks: checks, log: log, now: now}
}

// warn adds a source of warnings, which returns "" for none.
func (r *Readiness) warn(about func() string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.warnings = append(r.warnings, about)
}

// Report returns the result of the last checks. If that is too old, it runs the checks again. Simultaneous callers
// share one run. It waits for checkTime at most.
func (r *Readiness) Report(ctx context.Context) ReadinessReport {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.checked.IsZero() || r.now().Sub(r.checked) >= readinessAge {
		// A caller that disconnects must not change the result for the others.
		r.report = readiness(context.WithoutCancel(ctx), r.checks, r.log)
		r.checked = r.now()
	}
	report := r.report
	report.Warnings = []string{}
	for _, about := range r.warnings {
		if text := about(); text != "" {
			report.Warnings = append(report.Warnings, text)
		}
	}
	return report
}

// Public returns the public handler of /readyz.
func (r *Readiness) Public() http.Handler {
	return r.handler(func(report ReadinessReport) any { return report.ReadyOrNot })
}

// admin returns the handler of /readyz for operators.
func (r *Readiness) admin() http.Handler {
	return r.handler(func(report ReadinessReport) any { return report })
}

func (r *Readiness) handler(shown func(ReadinessReport) any) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		report := r.Report(req.Context())
		status := http.StatusOK
		if report.Status != statusReady {
			status = http.StatusServiceUnavailable
			w.Header().Set("Retry-After", "2")
		}
		w.Header().Set("Cache-Control", "no-store")
		writeProbe(w, status, shown(report))
	})
}

func writeProbe(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // an error means that the client has disconnected
}

// readiness runs all checks at the same time. It only logs their errors, because these contain host and user names.
func readiness(ctx context.Context, checks Checks, log *slog.Logger) ReadinessReport {
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	names := slices.Sorted(maps.Keys(checks))
	report := ReadinessReport{ReadyOrNot: ReadyOrNot{statusReady}, Dependencies: make([]Dependency, len(names))}
	var running sync.WaitGroup
	for i, name := range names {
		running.Go(func() {
			report.Dependencies[i] = Dependency{Name: name, Status: "ok"}
			if err := checks[name](ctx); err != nil {
				report.Dependencies[i].Status = "failed"
				log.WarnContext(ctx, "a dependency is unavailable", "dependency", name, "error", err)
			}
		})
	}
	running.Wait()
	if slices.ContainsFunc(report.Dependencies, func(d Dependency) bool { return d.Status != "ok" }) {
		report.Status = statusNotReady
	}
	return report
}

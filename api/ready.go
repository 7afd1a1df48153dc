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

// Checks report whether the server's dependencies answer, by the dependency's name.
type Checks map[string]func(context.Context) error

const (
	// checkTime is how long a dependency may take to answer.
	checkTime = 2 * time.Second
	// readinessAge is how long the result of the checks is answered. Probes are public, and must not
	// be a way to make the server ask its dependencies as often as somebody likes.
	readinessAge = time.Second
)

var livenessDoc = huma.Operation{
	OperationID: "healthz", Tags: []string{tagSystem}, Summary: "Is the process alive",
	Description: "Answers while the process runs.",
	Responses: map[string]*huma.Response{"200": {
		Description: "It is alive.",
		Content:     rest.RecordContent("application/json", "Liveness", Liveness{Status: "ok", Version: version.Number}),
	}},
}

// Liveness says that the process runs, and which version of Waft it is.
type Liveness struct {
	Status  string `json:"status" enum:"ok"`
	Version string `json:"version"`
}

// NewLiveness is the handler of /healthz.
func NewLiveness() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		writeProbe(w, http.StatusOK, Liveness{Status: "ok", Version: version.String()})
	})
}

var readinessDoc = huma.Operation{
	OperationID: "readyz", Tags: []string{tagSystem}, Summary: "Can the process serve",
	Description: "Checks every dependency, at most once a second. Which one does not answer is told at WAFT_ADMIN_ADDR.",
	Responses: map[string]*huma.Response{
		"200": {
			Description: "Every dependency answers.",
			Content:     rest.RecordContent("application/json", "ReadyOrNot", ReadyOrNot{Status: statusReady}),
		},
		"503": {
			Description: "A dependency does not answer.",
			Content:     rest.RecordContent("application/json", "ReadyOrNot", ReadyOrNot{Status: statusNotReady}),
		},
	},
}

// Values of ReadyOrNot.Status.
const (
	statusReady    = "ready"
	statusNotReady = "not_ready"
)

// ReadyOrNot says whether every dependency answers. It is what everybody may know.
type ReadyOrNot struct {
	Status string `json:"status" enum:"ready,not_ready"`
}

// ReadinessReport is what operators are told.
type ReadinessReport struct {
	ReadyOrNot
	Dependencies []Dependency `json:"dependencies"`
	// Warnings are sentences about settings that seem wrong. The process serves all the same.
	Warnings []string `json:"warnings"`
}

// Dependency is an engine that the server needs.
type Dependency struct {
	Name   string `json:"name"`
	Status string `json:"status"` // ok or failed
}

// Readiness checks whether the dependencies of the process answer, at most once in readinessAge.
type Readiness struct {
	checks Checks
	log    *slog.Logger
	now    func() time.Time

	mu       sync.Mutex
	report   ReadinessReport
	checked  time.Time
	warnings []func() string
}

// NewReadiness checks nothing yet.
func NewReadiness(checks Checks, log *slog.Logger, now func() time.Time) *Readiness {
	return &Readiness{checks: checks, log: log, now: now}
}

// warn adds a source of warnings, which returns "" for none.
func (r *Readiness) warn(about func() string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.warnings = append(r.warnings, about)
}

// Report returns the result of the last checks, or of new ones when it is too old. Callers at the same
// time share one check. It waits for checkTime at most.
func (r *Readiness) Report(ctx context.Context) ReadinessReport {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.checked.IsZero() || r.now().Sub(r.checked) >= readinessAge {
		// A caller that gives up must not make the answer of others.
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

// Public is the handler of /readyz for everybody.
func (r *Readiness) Public() http.Handler {
	return r.handler(func(report ReadinessReport) any { return report.ReadyOrNot })
}

// admin is the handler of /readyz for operators.
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
	_ = json.NewEncoder(w).Encode(body) // a client that disconnected needs no answer
}

// readiness runs all checks at once. Their errors are only logged, because they contain host and user
// names.
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
				log.WarnContext(ctx, "a dependency does not answer", "dependency", name, "error", err)
			}
		})
	}
	running.Wait()
	if slices.ContainsFunc(report.Dependencies, func(d Dependency) bool { return d.Status != "ok" }) {
		report.Status = statusNotReady
	}
	return report
}

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

	"github.com/waft-ota/waft/internal/version"
)

// Checks report whether the server's dependencies answer, by the dependency's name.
type Checks map[string]func(context.Context) error

// checkTime is how long a dependency may take to answer.
const checkTime = 2 * time.Second

var livenessDoc = huma.Operation{
	OperationID: "healthz", Tags: []string{tagSystem}, Summary: "Is the process alive",
	Description: "Answers while the process runs.",
	Responses: map[string]*huma.Response{"200": {
		Description: "It is alive.",
		Content:     recordContent("application/json", "Liveness", Liveness{Status: "ok", Version: version.Number}),
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
	Description: "Checks every dependency. With status 503 the body says which ones do not answer.",
	Responses: map[string]*huma.Response{
		"200": {Description: "Every dependency answers.", Content: recordContent("application/json", "Readiness",
			Readiness{Status: "ready", Dependencies: []Dependency{{Name: "postgres", Status: "ok"}}})},
		"503": {Description: "A dependency does not answer.", Content: recordContent("application/json", "Readiness",
			Readiness{Status: "not_ready", Dependencies: []Dependency{{Name: "postgres", Status: "failed"}}})},
	},
}

// Readiness says which dependencies answer.
type Readiness struct {
	Status       string       `json:"status" enum:"ready,not_ready"`
	Dependencies []Dependency `json:"dependencies"`
}

// Dependency is an engine that the server needs.
type Dependency struct {
	Name   string `json:"name"`
	Status string `json:"status" enum:"ok,failed"`
}

// NewReadiness is the handler of /readyz.
func NewReadiness(checks Checks, log *slog.Logger) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		report := readiness(r.Context(), checks, log)
		status := http.StatusOK
		if report.Status != "ready" {
			status = http.StatusServiceUnavailable
			w.Header().Set("Retry-After", "2")
		}
		w.Header().Set("Cache-Control", "no-store")
		writeProbe(w, status, report)
	})
}

func writeProbe(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // a client that disconnected needs no answer
}

// readiness runs all checks at once. Their errors are only logged, because the endpoint is
// public and errors contain host and user names.
func readiness(ctx context.Context, checks Checks, log *slog.Logger) Readiness {
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	names := slices.Sorted(maps.Keys(checks))
	report := Readiness{Status: "ready", Dependencies: make([]Dependency, len(names))}
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
		report.Status = "not_ready"
	}
	return report
}

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
	"github.com/gin-gonic/gin"

	"github.com/waft-ota/waft/internal/version"
)

// Checks ask the engines that the server depends on whether they answer, by the
// name that an operator knows them by.
type Checks map[string]func(context.Context) error

// checkTime is how long an engine may take to answer.
const checkTime = 2 * time.Second

type readyHandlers struct {
	checks Checks
	log    *slog.Logger
}

var livenessDoc = huma.Operation{
	OperationID: "healthz", Tags: []string{tagSystem}, Summary: "Is the process alive",
	Description: "Answers as long as the process can answer anything.",
	Responses:   map[string]*huma.Response{"200": recordResponse("Liveness", "It is.", Liveness{Status: "ok", Version: version.Number})},
}

// Liveness says that the process runs, and which version of Waft it is.
type Liveness struct {
	Status  string `json:"status" enum:"ok"`
	Version string `json:"version"`
}

func live(c *gin.Context) { NewLiveness().ServeHTTP(c.Writer, c.Request) }

// NewLiveness returns the endpoint for a process without the API.
func NewLiveness() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		_ = json.NewEncoder(w).Encode(Liveness{Status: "ok", Version: version.String()}) // whoever asked has gone
	})
}

var readinessDoc = huma.Operation{
	OperationID: "readyz", Tags: []string{tagSystem}, Summary: "Can the process serve",
	Description: "Asks every dependency. 503 when one does not answer, with the same body, which says which one.",
	Responses: map[string]*huma.Response{
		"200": recordResponse("Readiness", "Every dependency answers.",
			Readiness{Status: "ready", Dependencies: []Dependency{{Name: "postgres", Status: "ok"}}}),
		"503": recordResponse("Readiness", "One does not.",
			Readiness{Status: "not_ready", Dependencies: []Dependency{{Name: "postgres", Status: "failed"}}}),
	},
}

// recordResponse documents an answer that is a record of the given schema.
func recordResponse(schema, description string, example any) *huma.Response {
	return &huma.Response{
		Description: description,
		Content: map[string]*huma.MediaType{"application/json": {
			Schema: &huma.Schema{Ref: "#/components/schemas/" + schema}, Example: example,
		}},
	}
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

func (h readyHandlers) ready(c *gin.Context) { h.ServeHTTP(c.Writer, c.Request) }

// NewReadiness is the endpoint for a process without the API.
func NewReadiness(checks Checks, log *slog.Logger) http.Handler { return readyHandlers{checks, log} }

// ServeHTTP answers a probe.
func (h readyHandlers) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	report := h.ask(r.Context())
	header, status := w.Header(), http.StatusOK
	if report.Status != "ready" {
		status = http.StatusServiceUnavailable
		header.Set("Retry-After", "2")
	}
	header.Set("Cache-Control", "no-store")
	header.Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(report) // whoever asked has gone
}

// ask puts all checks at once. Why one failed goes to the log only: the endpoint
// is public, and causes name hosts and users.
func (h readyHandlers) ask(ctx context.Context) Readiness {
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	names := slices.Sorted(maps.Keys(h.checks))
	report := Readiness{Status: "ready", Dependencies: make([]Dependency, len(names))}
	var asked sync.WaitGroup
	for i, name := range names {
		asked.Go(func() {
			report.Dependencies[i] = Dependency{Name: name, Status: "ok"}
			if err := h.checks[name](ctx); err != nil {
				report.Dependencies[i].Status = "failed"
				h.log.WarnContext(ctx, "a dependency does not answer", "dependency", name, "error", err)
			}
		})
	}
	asked.Wait()
	for _, d := range report.Dependencies {
		if d.Status != "ok" {
			report.Status = "not_ready"
		}
	}
	return report
}

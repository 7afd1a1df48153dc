// Package fleettest is a minimal server for simulated fleets. It serves manifests and assets and keeps health reports,
// all in memory. It shares no code with Waft's server, so tests of the fleet are independent of that server.
package fleettest

import (
	"encoding/json"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/textproto"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// Report is a health report that the server accepted.
type Report struct {
	IdempotencyKey string  `json:"-"`
	DeviceID       string  `json:"deviceId"`
	Platform       string  `json:"platform"`
	UpdateUUID     *string `json:"updateUuid"`
	Events         []Event `json:"events"`
}

// Event is one event of a report.
type Event struct {
	Type        string       `json:"type"`
	Count       int64        `json:"count"`
	Breadcrumbs []Breadcrumb `json:"breadcrumbs"`
}

// Breadcrumb is a step before an event.
type Breadcrumb struct {
	Timestamp time.Time `json:"timestamp"`
	Level     string    `json:"level"`
	Category  string    `json:"category"`
	Message   string    `json:"message"`
}

// Server is the in-memory server.
type Server struct {
	URL string

	mu        sync.Mutex
	releases  []Release
	embedded  *time.Time // commit time of a rollback to the embedded update
	reports   []Report
	requests  []Request
	intercept http.HandlerFunc
	onReport  func(Report)
	assets    map[string]asset
	clock     time.Time
}

type asset struct {
	content     []byte
	contentType string
}

// Request is a request as the server received it.
type Request struct {
	Method string
	Path   string
	Header http.Header
}

// NewServer starts a server that stops when the test ends. The clock for its releases begins in 2026 and advances by
// one second per release.
func NewServer(t testing.TB) *Server {
	t.Helper()
	s := &Server{clock: time.Date(2026, time.March, 1, 0, 0, 0, 0, time.UTC), assets: map[string]asset{}}
	h := httptest.NewServer(s)
	t.Cleanup(h.Close)
	s.URL = h.URL
	return s
}

// Publish makes r the newest release, and returns it with its default values.
func (s *Server) Publish(r Release) Release {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clock = s.clock.Add(time.Second)
	r = r.withDefaults(len(s.releases)+1, s.clock)
	r.manifest = r.render(s.URL)
	s.assets[Key(r.Bundle)] = asset{r.Bundle, "application/javascript"}
	for _, content := range r.Assets {
		s.assets[Key(content)] = asset{content, "image/png"}
	}
	s.releases = append(s.releases, r)
	s.embedded = nil
	return r
}

// Change edits the release with the ID. Its manifest does not change.
func (s *Server) Change(id string, edit func(*Release)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.releases {
		if s.releases[i].ID == id {
			edit(&s.releases[i])
		}
	}
}

// RollBackToEmbedded makes the server send every device a rollback to the embedded update.
func (s *Server) RollBackToEmbedded() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clock = s.clock.Add(time.Second)
	s.embedded = new(s.clock)
}

// Intercept calls h for every request first. If h does not write a response, the server responds itself. Intercept(nil)
// removes the handler.
func (s *Server) Intercept(h http.HandlerFunc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.intercept = h
}

// OnReport calls f after each accepted report.
func (s *Server) OnReport(f func(Report)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.onReport = f
}

// Reports returns the reports accepted so far.
func (s *Server) Reports() []Report {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.reports)
}

// Requests returns the requests so far whose path contains part.
func (s *Server) Requests(part string) []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	var found []Request
	for _, r := range s.requests {
		if strings.Contains(r.Path, part) {
			found = append(found, r)
		}
	}
	return found
}

// ServeHTTP serves the three endpoints for devices.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.requests = append(s.requests, Request{Method: r.Method, Path: r.URL.Path, Header: r.Header.Clone()})
	intercept := s.intercept
	s.mu.Unlock()
	if intercept != nil {
		watched := &watchedWriter{ResponseWriter: w}
		if intercept(watched, r); watched.wrote {
			return
		}
	}
	switch {
	case r.URL.Path == "/v1/ota/health-metrics":
		s.serveReport(w, r)
	case strings.HasPrefix(r.URL.Path, "/v1/ota/assets/"):
		s.serveAsset(w, r)
	case strings.HasPrefix(r.URL.Path, "/v1/ota/manifest/"):
		s.serveManifest(w, r)
	default:
		http.NotFound(w, r)
	}
}

func (s *Server) serveReport(w http.ResponseWriter, r *http.Request) {
	report := Report{IdempotencyKey: r.Header.Get("idempotency-key")}
	if err := json.NewDecoder(r.Body).Decode(&report); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	s.reports = append(s.reports, report)
	onReport := s.onReport
	s.mu.Unlock()
	if onReport != nil {
		onReport(report)
	}
	w.WriteHeader(http.StatusNoContent)
}

func (s *Server) serveAsset(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	a, ok := s.assets[strings.TrimPrefix(r.URL.Path, "/v1/ota/assets/")]
	s.mu.Unlock()
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("content-type", a.contentType)
	w.Header().Set("content-length", strconv.Itoa(len(a.content)))
	_, _ = w.Write(a.content) // an incomplete response fails the test
}

func (s *Server) serveManifest(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	filters := `branchname="main"`
	var answer *Release
	for i := len(s.releases) - 1; i >= 0; i-- {
		release := s.releases[i]
		fits := release.Platform == "" || release.Platform == r.Header.Get("expo-platform")
		switch {
		case release.Disabled:
			filters += fmt.Sprintf(`, %s="0"`, release.key())
		case answer == nil && fits && release.holds(strings.ToLower(r.Header.Get("eas-client-id"))):
			answer = &release
		}
	}
	embedded := s.embedded
	s.mu.Unlock()
	h := w.Header()
	h.Set("expo-protocol-version", "1")
	h.Set("expo-sfv-version", "0")
	h.Set("cache-control", "private, max-age=0")
	h.Set("expo-manifest-filters", filters)
	current := r.Header.Get("expo-current-update-id")
	switch {
	case embedded != nil:
		WritePart(w, "directive", map[string]any{
			"type":       "rollBackToEmbedded",
			"parameters": map[string]any{"commitTime": embedded.Format("2006-01-02T15:04:05.000Z")},
		})
	case answer == nil || answer.ID == current:
		WritePart(w, "directive", map[string]any{"type": "noUpdateAvailable"})
	default:
		WritePart(w, "manifest", answer.manifest)
	}
}

// WritePart writes a multipart response with one part.
func WritePart(w http.ResponseWriter, name string, value any) {
	m := multipart.NewWriter(w)
	w.Header().Set("content-type", "multipart/mixed; boundary="+m.Boundary())
	body, err := json.Marshal(value)
	if err != nil {
		panic(err) // only literal values are written here
	}
	part, err := m.CreatePart(textproto.MIMEHeader{
		"content-disposition": {fmt.Sprintf(`inline; name=%q`, name)},
		"content-type":        {"application/json"},
	})
	if err == nil {
		_, _ = part.Write(body) // an incomplete response fails the test
		_ = m.Close()
	}
}

type watchedWriter struct {
	http.ResponseWriter
	wrote bool
}

func (w *watchedWriter) Write(b []byte) (int, error) {
	w.wrote = true
	return w.ResponseWriter.Write(b)
}

// Unwrap gives http.ResponseController access to the original writer, so that a handler can flush.
func (w *watchedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w *watchedWriter) WriteHeader(status int) {
	w.wrote = true
	w.ResponseWriter.WriteHeader(status)
}

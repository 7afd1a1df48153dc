package api

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"reflect"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/trace"
)

// Deps is what the API is made of. Interfaces are declared beside the handlers
// that use them.
type Deps struct {
	Keys            Keys
	Projects        Projects
	APIKeys         APIKeys
	Builds          Builds
	Blobs           Blobs
	Stager          Stager
	Releases        Releases
	Branches        Branches
	Channels        Channels
	Policies        Policies
	Flags           Flags
	Segments        Segments
	Executions      Executions
	RolloutCommands RolloutCommands
	Changes         Changes
	UserOverrides   UserOverrides
	Contexts        Contexts
	Webhooks        Webhooks
	SigningKeys     SigningKeys
	Audit           Audit
	Settings        Settings
	Collector       Collector
	Eraser          Eraser
	Idempotency     Idempotency
	Snapshots       Snapshots
	Assets          Assets
	Patches         Patches
	PatchFiles      PatchFiles
	// AssetRedirect is how long a URL of the bucket lives that devices are sent to for
	// files; 0 when they get files from here.
	AssetRedirect     time.Duration
	Reports           Reports
	Serves            Serves
	Refusals          Refusals
	EvaluatedContexts EvaluatedContexts
	SegmentDevices    SegmentDevices
	Evaluations       Evaluations
	Insights          Insights
	UpdateNames       UpdateNames
	Incidents         Incidents
	Checks            Checks

	// RootKeyHash is models.APIKeyToken.Hash of the installation's root key.
	RootKeyHash []byte
	// TrustedProxies are addresses and networks whose X-Forwarded-For is believed;
	// none by default.
	TrustedProxies []string
	Limits         Limits
	// Rates bound public endpoints; the zero value does not.
	Rates Rates
	// Streams ends every event stream when it ends; nil never does.
	Streams context.Context
	// Metrics collects the API's own metrics and is served at /metrics; a new one
	// when nil.
	Metrics *prometheus.Registry
	// Tracer makes spans of requests that come with an API key; nil makes none. Requests of
	// devices are not traced.
	Tracer trace.Tracer
	Log    *slog.Logger
	Now    func() time.Time
}

// Limits of what callers may send. Zero fields mean the contract's defaults.
type Limits struct {
	FileBytes   int64 // one file of a build
	BuildBytes  int64 // all files of a build
	BuildFiles  int
	ReportBytes int64 // a health report, packed and unpacked
	// BodyTime is how long a body may take to arrive; an upload's, which may take as
	// long as it moves, may stand still for a minute.
	BodyTime time.Duration
}

func (l Limits) orDefaults() Limits {
	defaults := Limits{FileBytes: 200 << 20, BuildBytes: 1 << 30, BuildFiles: 5000, ReportBytes: 512 << 10, BodyTime: 30 * time.Second}
	if l.FileBytes == 0 {
		l.FileBytes = defaults.FileBytes
	}
	if l.BuildBytes == 0 {
		l.BuildBytes = defaults.BuildBytes
	}
	if l.BuildFiles == 0 {
		l.BuildFiles = defaults.BuildFiles
	}
	if l.ReportBytes == 0 {
		l.ReportBytes = defaults.ReportBytes
	}
	if l.BodyTime == 0 {
		l.BodyTime = defaults.BodyTime
	}
	return l
}

// New returns the server's handler. It fails when a dependency is missing.
func New(d Deps) (http.Handler, error) {
	if err := d.check(); err != nil {
		return nil, err
	}
	return build(d)
}

// check names every missing dependency.
func (d Deps) check() error {
	var errs []error
	value := reflect.ValueOf(d)
	for i := range value.NumField() {
		if field := value.Type().Field(i); field.Type.Kind() == reflect.Interface && value.Field(i).IsNil() &&
			field.Name != "Streams" && field.Name != "Tracer" {
			errs = append(errs, fmt.Errorf("api: the dependency %s is missing", field.Name))
		}
	}
	return errors.Join(errs...)
}

func (d Deps) orDefaults() Deps {
	d.Limits = d.Limits.orDefaults()
	if d.Streams == nil {
		d.Streams = context.Background()
	}
	if d.Metrics == nil {
		d.Metrics = prometheus.NewRegistry()
	}
	if d.Log == nil {
		d.Log = slog.New(slog.DiscardHandler)
	}
	if d.Now == nil {
		d.Now = time.Now
	}
	return d
}

// build makes the routes, also from no dependencies at all when only the OpenAPI
// document is wanted.
func build(d Deps) (*mux, error) {
	d = d.orDefaults()
	engine := gin.New()
	engine.ContextWithFallback = true
	engine.HandleMethodNotAllowed = true
	engine.RedirectTrailingSlash = false
	engine.UseRawPath = true // a branch named a/b is addressed as a%2Fb
	engine.Use(bodyWithin(d.Limits.BodyTime))
	if err := engine.SetTrustedProxies(d.TrustedProxies); err != nil {
		return nil, fmt.Errorf("api: trusted proxies: %w", err)
	}
	m := newMux(engine, gate{
		keys: d.Keys, projects: d.Projects, rootHash: d.RootKeyHash, now: d.Now, log: d.Log,
	}, newObserver(d.Log, d.Metrics), keyedRequests{d.Idempotency}, readYourWrites(d.Snapshots), d.identifiers())
	m.tracer = d.Tracer
	registerProblem(m.api.OpenAPI())
	m.add(d.routes(m))
	openRecords(m.api.OpenAPI())
	return m, nil
}

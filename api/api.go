// Package api is Waft's HTTP interface. huma describes, checks and documents the
// management endpoints from Go types; devices are answered by plain Gin handlers. The
// table in routes.go says who may call what. A handler reads the request, calls one
// service and writes the answer. The interfaces of services are declared beside the
// handlers, so that the package does not depend on the engines.
package api

import (
	"cmp"
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

	"github.com/waft-ota/waft/internal/guard/cardinality"
	"github.com/waft-ota/waft/internal/identity/passkey"
)

// Deps are the dependencies and settings of the API.
type Deps struct {
	Keys              Keys
	AuthorKeys        AuthorKeys
	Sessions          Sessions
	People            People
	Members           Members
	Passkeys          Passkeys
	Passwords         Passwords
	IdentityProviders IdentityProviders
	Projects          Projects
	APIKeys           APIKeys
	TrustedPublishers TrustedPublishers
	IDTokens          IDTokens
	Builds            Builds
	Blobs             Blobs
	Files             Files
	FileParts         FileParts
	Stager            Stager
	SourceMaps        SourceMaps
	SourceMapStore    SourceMapStore
	Releases          Releases
	Branches          Branches
	Channels          Channels
	Policies          Policies
	Flags             Flags
	Segments          Segments
	Executions        Executions
	Approvals         Approvals
	EmergencyStops    EmergencyStops
	RolloutCommands   RolloutCommands
	Changes           Changes
	ProjectFeed       ProjectFeed
	UserOverrides     UserOverrides
	Contexts          Contexts
	Webhooks          Webhooks
	SigningKeys       SigningKeys
	Audit             Audit
	Settings          Settings
	Collector         Collector
	Eraser            Eraser
	Idempotency       Idempotency
	Transactions      Transactions
	Previews          Previews
	Snapshots         Snapshots
	Assets            Assets
	Patches           Patches
	PatchFiles        PatchFiles
	// AssetRedirect is the lifetime of the bucket's URLs that devices are redirected to for
	// files; 0 serves files from here.
	AssetRedirect     time.Duration
	Reports           Reports
	Exposures         Exposures
	KnownDevices      KnownDevices
	RefusedCounter    RefusedCounter
	EvaluatedContexts EvaluatedContexts
	SegmentDevices    SegmentDevices
	Evaluations       Evaluations
	Insights          Insights
	UpdateNames       UpdateNames
	Overviews         Overviews
	Observed          Observed
	Incidents         Incidents
	ErrorGroups       ErrorGroups
	ReleasePlaces     ReleasePlaces

	// RootKeyHash is models.APIKeyToken.Hash of the installation's root key.
	RootKeyHash []byte
	// BaseURL is the URL that browsers reach this API at, without a slash at its end.
	BaseURL string
	// CookieKey encrypts what browsers keep of a login that has begun, 32 bytes.
	CookieKey []byte
	// SessionKeys tag the tokens in sessions' cookies, 32 bytes each: the first makes tags, all are taken.
	SessionKeys [][]byte
	// RelyingParty registers and verifies passkeys; nil when there can be none.
	RelyingParty *passkey.RelyingParty
	// SSOOnly turns passwords and passkeys off.
	SSOOnly bool
	// TrustedProxies are the addresses and networks whose X-Forwarded-For is trusted.
	TrustedProxies []string
	Limits         Limits
	Rates          Rates
	// Readiness answers /readyz; nil for one that checks nothing.
	Readiness *Readiness
	// Streams ends all event streams when it is done; nil for never.
	Streams context.Context
	// Metrics gets the metrics of the API; nil for a new registry.
	Metrics *prometheus.Registry
	// Tracer traces management requests; nil traces none. Requests of devices are not traced.
	Tracer trace.Tracer
	Log    *slog.Logger
	Now    func() time.Time
}

// Limits bound what callers may send. A zero field stands for its default.
type Limits struct {
	FileBytes  int64 // one file of a build; 200 MiB
	BuildBytes int64 // all files of a build; 1 GiB
	BuildFiles int   // 5,000
	// SourceMapBytes is the largest source map; 100 MiB.
	SourceMapBytes int64
	ReportBytes    int64 // a health report, before and after decompression; 512 KiB
	Streams        int   // event streams open at once for a key, and for an IPv4 /24 or IPv6 /48; no limit
	// BodyTime is how long a body may take to arrive; 30 s. An upload may take any time,
	// but a minute without a byte ends it.
	BodyTime time.Duration
}

// New returns the server's handler. It fails when a dependency is missing.
func New(d Deps) (http.Handler, error) {
	var errs []error
	value := reflect.ValueOf(d)
	for i := range value.NumField() {
		if field := value.Type().Field(i); field.Type.Kind() == reflect.Interface && value.Field(i).IsNil() &&
			field.Name != "Streams" && field.Name != "Tracer" {
			errs = append(errs, fmt.Errorf("api: the dependency %s is missing", field.Name))
		}
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	return build(d)
}

// handlers has the handlers of all routes as methods.
type handlers struct {
	Deps
	keyed keyedRequests
	// crossOrigin refuses requests that pages of other origins send with a session.
	crossOrigin *http.CrossOriginProtection
	logins      *loginGuard
	rateLimits  rateLimits
	// managementLimits are for every request to management, unknownKeys for keys that are looked up.
	managementLimits, unknownKeys networkLimits
	// wrongKeys and endedSessions were refused lately, validKeys were not.
	wrongKeys, validKeys, endedSessions *recentKeys
	newDevices                          newDevices
	nameLimits                          *cardinality.Limiter
	recent                              *recentExposures
	limited                             limitedReports
	peers                               *peers
	streams                             *openStreams
	counted                             *countedFlags
	previewTurns                        *turns
	// heartbeat and streamWriteTime are those of event streams.
	heartbeat, streamWriteTime time.Duration
}

func newHandlers(d Deps) *handlers {
	d.Limits = Limits{
		FileBytes:      cmp.Or(d.Limits.FileBytes, 200<<20),
		BuildBytes:     cmp.Or(d.Limits.BuildBytes, 1<<30),
		BuildFiles:     cmp.Or(d.Limits.BuildFiles, 5000),
		SourceMapBytes: cmp.Or(d.Limits.SourceMapBytes, 100<<20),
		ReportBytes:    cmp.Or(d.Limits.ReportBytes, 512<<10),
		Streams:        d.Limits.Streams,
		BodyTime:       cmp.Or(d.Limits.BodyTime, 30*time.Second),
	}
	d.Streams = cmp.Or(d.Streams, context.Background())
	d.Metrics = cmp.Or(d.Metrics, prometheus.NewRegistry())
	d.Log = cmp.Or(d.Log, slog.New(slog.DiscardHandler))
	if d.Now == nil {
		d.Now = time.Now
	}
	if d.Readiness == nil {
		d.Readiness = NewReadiness(nil, d.Log, d.Now)
	}
	limits := newLimits(d.Metrics)
	peers := newPeers(d.TrustedProxies, d.Log, d.Now)
	d.Readiness.warn(peers.warning)
	return &handlers{
		Deps: d, keyed: keyedRequests{d.Idempotency}, crossOrigin: newCrossOrigin(d.BaseURL), logins: newLoginGuard(d.Now),
		peers: peers, streams: newOpenStreams(limits, d.Limits.Streams, d.Metrics),
		rateLimits: newRateLimits(limits, d.Rates, d.Now), newDevices: newNewDevices(limits, d),
		managementLimits: newManagementLimits(limits, d.Rates, d.Now), unknownKeys: newUnknownKeyLimits(limits, d.Rates, d.Now),
		wrongKeys: newRecentKeys(wrongKeyMemory, d.Now), validKeys: newRecentKeys(validKeyMemory, d.Now),
		endedSessions: newRecentKeys(wrongKeyMemory, d.Now),
		nameLimits:    cardinality.NewLimiter(d.Now, d.Metrics), recent: newRecentExposures(d.Now), limited: newLimitedReports(d.Metrics),
		counted:      newCountedFlags(d.Now),
		previewTurns: newTurns("too many previews of this project, or of others, are asked for at once; ask again in a moment"),
		heartbeat:    streamHeartbeat, streamWriteTime: streamWriteTime,
	}
}

// build makes the routes. For the OpenAPI document no dependencies are needed.
func build(d Deps) (*mux, error) {
	engine := gin.New()
	engine.ContextWithFallback = true
	engine.HandleMethodNotAllowed = true
	engine.RedirectTrailingSlash = false
	engine.UseRawPath = true // a branch named a/b is addressed as a%2Fb
	if err := engine.SetTrustedProxies(d.TrustedProxies); err != nil {
		return nil, fmt.Errorf("api: trusted proxies: %w", err)
	}
	h := newHandlers(d)
	engine.Use(limitBodyTime(h.Limits.BodyTime, false))
	m, err := newMux(engine, h)
	if err != nil {
		return nil, err
	}
	for _, r := range h.routes(m) {
		m.rows = append(m.rows, r)
		r.serve(m, r)
	}
	if err := documentWebhooks(m.api.OpenAPI()); err != nil {
		return nil, err
	}
	openRecords(m.api.OpenAPI())
	return m, nil
}

// Package api is Waft's HTTP interface. It combines the packages below it: rest contains the parts that all calls
// share, limit the limits, and access the authentication. Each other package has the endpoints of some nouns, with
// their records, checks and services.
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

	"github.com/waft-ota/waft/activities/operations"
	"github.com/waft-ota/waft/api/access"
	"github.com/waft-ota/waft/api/auth"
	"github.com/waft-ota/waft/api/device"
	"github.com/waft-ota/waft/api/limit"
	"github.com/waft-ota/waft/api/manage/approvals"
	"github.com/waft-ota/waft/api/manage/builds"
	"github.com/waft-ota/waft/api/manage/flags"
	"github.com/waft-ota/waft/api/manage/insights"
	"github.com/waft-ota/waft/api/manage/project"
	"github.com/waft-ota/waft/api/manage/releases"
	"github.com/waft-ota/waft/api/manage/rollouts"
	"github.com/waft-ota/waft/api/manage/webhooks"
	"github.com/waft-ota/waft/api/rest"
)

// Deps are the dependencies and settings of the API. New fills in the fields that access.Shared also has.
type Deps struct {
	Access access.Gate

	// The packages of endpoints. To add a package, add a line here.
	Auth      auth.Handlers
	Device    device.Handlers
	Project   project.Handlers
	Builds    builds.Handlers
	Releases  releases.Handlers
	Rollouts  rollouts.Handlers
	Approvals approvals.Handlers
	Flags     flags.Handlers
	Insights  insights.Handlers
	Webhooks  webhooks.Handlers

	Operations   operations.Operations
	Idempotency  rest.Idempotency
	Served       Served
	KnownDevices limit.KnownDevices
	Limits       limit.Settings
	// Reference serves /docs, the page that shows the OpenAPI document.
	Reference http.Handler
	// Readiness serves /readyz; nil for a Readiness without checks.
	Readiness *Readiness
	// Streams ends all event streams when it is done; nil for never.
	Streams context.Context
	// Metrics registers the metrics of the API; nil for a new registry.
	Metrics *prometheus.Registry
	// Tracer traces management requests, but not the requests of devices; nil for no traces.
	Tracer trace.Tracer
	Log    *slog.Logger
	// Now is the clock, which New passes to all parts in UTC; nil for the clock of the machine.
	Now func() time.Time
}

// New returns the server's handler. It returns an error if a dependency is missing.
func New(d Deps) (http.Handler, error) {
	m, err := newAPI(d)
	if err != nil {
		return nil, err
	}
	return m, nil
}

// noun is a package of endpoints.
type noun interface {
	// Open passes in what all nouns share, before they serve. It returns an error that names missing dependencies.
	Open(shared access.Shared) error
	Routes() []rest.Route
	Tags() []rest.Tag
}

// nouns returns the fields of d that are packages of endpoints, in their order.
func (d *Deps) nouns() []noun {
	var all []noun
	fields := reflect.ValueOf(d).Elem()
	for i := range fields.NumField() {
		if n, ok := fields.Field(i).Addr().Interface().(noun); ok {
			all = append(all, n)
		}
	}
	return all
}

func newAPI(d Deps) (*rest.Mux, error) {
	d.Streams = cmp.Or(d.Streams, context.Background())
	d.Metrics = cmp.Or(d.Metrics, prometheus.NewRegistry())
	d.Log = cmp.Or(d.Log, slog.New(slog.DiscardHandler))
	d.Now = utc(d.Now)
	if d.Readiness == nil {
		d.Readiness = NewReadiness(nil, d.Log, d.Now)
	}
	missing := []error{rest.Complete("operations", d.Operations), rest.Complete("api", struct {
		Idempotency  rest.Idempotency
		Served       Served
		KnownDevices limit.KnownDevices
		Reference    http.Handler
	}{d.Idempotency, d.Served, d.KnownDevices, d.Reference})}
	limits := limit.New(d.Limits, d.KnownDevices, d.Metrics, d.Log, d.Now)
	d.Readiness.warn(limits.Peers.Warning)
	d.Access.Streams, d.Access.Limits, d.Access.Log, d.Access.Now = d.Streams, limits, d.Log, d.Now
	gate, err := access.New(d.Access)
	missing = append(missing, err)

	d.Project.ForgetServed = d.Device.ForgetServed
	d.Rollouts.Releases, d.Flags.Previews = &d.Releases, &d.Rollouts
	shared := access.Shared{
		Gate: gate, Limits: limits, Operations: &d.Operations, Idempotency: d.Idempotency, Metrics: d.Metrics, Log: d.Log, Now: d.Now,
	}
	for _, n := range d.nouns() {
		missing = append(missing, n.Open(shared))
	}
	if err := errors.Join(missing...); err != nil {
		return nil, err
	}
	g := guardsOf(gate, limits, &d.Device)
	g.Answers, g.ReadYourWrites = d.Idempotency, readYourWrites(d.Served)
	return mount(d, g, d.nouns())
}

// guardsOf returns the middlewares that other packages provide for rest.
func guardsOf(g *access.Gate, limits *limit.Set, device *device.Handlers) rest.Guards {
	return rest.Guards{
		Authorize: g.Authorize, AuthorizeClient: device.AuthorizeClient, AboutPeople: g.AboutPeople, Recently: g.Recently,
		LimitManagement: limits.LimitManagement, LimitRequests: limits.LimitRequests, Noting: limits.Noting,
		OnError: approvals.AnswerTo, Pending: approvals.PendingApproval{}.Example(),
	}
}

// newDocumented returns a mux with the documented routes. It does not have services, so it cannot serve requests.
func newDocumented() (*rest.Mux, error) {
	d := Deps{Log: slog.New(slog.DiscardHandler), Metrics: prometheus.NewRegistry(), Now: utc(nil)}
	d.Readiness = NewReadiness(nil, d.Log, d.Now)
	return mount(d, guardsOf(&d.Access, &limit.Set{}, &d.Device), d.nouns())
}

// mount registers the routes of the nouns, of the document and of the probes.
func mount(d Deps, g rest.Guards, nouns []noun) (*rest.Mux, error) {
	engine := gin.New()
	engine.ContextWithFallback = true
	engine.HandleMethodNotAllowed = true
	engine.RedirectTrailingSlash = false
	engine.UseRawPath = true                             // a branch named a/b is addressed as a%2Fb
	engine.RemoteIPHeaders = []string{"X-Forwarded-For"} // a proxy passes on other headers as the client wrote them
	if err := engine.SetTrustedProxies(d.Limits.TrustedProxies); err != nil {
		return nil, fmt.Errorf("api: trusted proxies: %w", err)
	}
	m, err := rest.NewMux(engine, newDocument(nouns), g, d.Log, d.Metrics, d.Tracer, d.Now)
	if err != nil {
		return nil, err
	}
	for _, n := range nouns {
		m.Add(n.Routes())
	}
	m.Add(systemRoutes(m, d))
	if err := webhooks.DocumentWebhooks(m.API.OpenAPI()); err != nil {
		return nil, err
	}
	openRecords(m.API.OpenAPI())
	nullableEnums(m.API.OpenAPI())
	return m, nil
}

// systemRoutes returns the routes of the document and the probes.
func systemRoutes(m *rest.Mux, d Deps) []rest.Route {
	return []rest.Route{
		{
			Method: http.MethodGet, Path: "/healthz", Access: rest.Public, Schemas: rest.SchemasOf(Liveness{}),
			Serve: rest.Plain(livenessDoc, gin.WrapH(NewLiveness())),
		},
		{
			Method: http.MethodGet, Path: "/readyz", Access: rest.Public, Schemas: rest.SchemasOf(ReadyOrNot{}),
			Serve: rest.Plain(readinessDoc, gin.WrapH(d.Readiness.Public())),
		},
		{Method: http.MethodGet, Path: "/openapi.json", Access: rest.Public, Serve: rest.Plain(openAPIDoc, serveOnce(func() ([]byte,
			error) {
			return document31(m)
		}))},
		{Method: http.MethodGet, Path: "/docs", Access: rest.Public, Serve: rest.Plain(docsDoc, gin.WrapH(d.Reference))},
	}
}

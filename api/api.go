// Package api is Waft's HTTP interface. It puts together the packages below it: what every call shares is in rest,
// limits are in limit, who may call what is in access, and each other package has the endpoints of some nouns with the
// records, the checks and the services that they need.
package api

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/trace"
)

// Deps are the dependencies and settings of the API. New sets the fields Gate, Limits, Log, Now and Metrics of its parts.
type Deps struct {
	Access    Gate
	Auth      AuthHandlers
	Device    DeviceHandlers
	Project   ProjectHandlers
	Builds    BuildsHandlers
	Releases  ReleasesHandlers
	Rollouts  RolloutsHandlers
	Approvals ApprovalsHandlers
	Flags     FlagsHandlers
	Insights  InsightsHandlers
	Webhooks  WebhooksHandlers

	Idempotency  Idempotency
	Transactions Transactions
	Served       Served
	KnownDevices KnownDevices
	Limits       LimitSettings
	// BodyTime is how long a body may take to arrive; 0 is 30 s. An upload may take any time,
	// but a minute without a byte ends it.
	BodyTime time.Duration
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

// New returns the server's handler. It fails when a dependency is missing.
func New(d Deps) (http.Handler, error) {
	m, err := newAPI(d)
	if err != nil {
		return nil, err
	}
	return m, nil
}

// noun is a package of endpoints.
type noun interface{ routes() []route }

func newAPI(d Deps) (*mux, error) {
	d.Streams = cmp.Or(d.Streams, context.Background())
	d.Metrics = cmp.Or(d.Metrics, prometheus.NewRegistry())
	d.Log = cmp.Or(d.Log, slog.New(slog.DiscardHandler))
	if d.Now == nil {
		d.Now = time.Now
	}
	if d.Readiness == nil {
		d.Readiness = NewReadiness(nil, d.Log, d.Now)
	}
	missing := []error{complete("api", struct {
		Idempotency  Idempotency
		Transactions Transactions
		Served       Served
		KnownDevices KnownDevices
	}{d.Idempotency, d.Transactions, d.Served, d.KnownDevices})}
	limits := NewLimitSet(d.Limits, d.KnownDevices, d.Metrics, d.Log, d.Now)
	d.Readiness.warn(limits.peers.warning)

	d.Access.Streams, d.Access.Limits, d.Access.Log, d.Access.Now = d.Streams, limits, d.Log, d.Now
	gate, err := NewGate(d.Access)
	missing = append(missing, err)
	var nouns []noun
	add := func(n noun, err error) {
		nouns, missing = append(nouns, n), append(missing, err)
	}
	d.Auth.Gate, d.Auth.Limits, d.Auth.Log, d.Auth.Now = gate, limits, d.Log, d.Now
	auth, err := NewAuthHandlers(d.Auth)
	add(auth, err)
	d.Device.Gate, d.Device.Limits, d.Device.Metrics, d.Device.Log, d.Device.Now = gate, limits, d.Metrics, d.Log, d.Now
	device, err := NewDeviceHandlers(d.Device)
	add(device, err)
	d.Project.Gate, d.Project.ForgetServed, d.Project.Now = gate, device.ForgetServed, d.Now
	project, err := NewProjectHandlers(d.Project)
	add(project, err)
	d.Builds.Idempotency, d.Builds.Log = d.Idempotency, d.Log
	builds, err := NewBuildsHandlers(d.Builds)
	add(builds, err)
	releases, err := NewReleasesHandlers(d.Releases)
	add(releases, err)
	d.Rollouts.Releases, d.Rollouts.Gate, d.Rollouts.Log, d.Rollouts.Now = releases, gate, d.Log, d.Now
	rollouts, err := NewRolloutsHandlers(d.Rollouts)
	add(rollouts, err)
	d.Approvals.Log = d.Log
	approvals, err := NewApprovalsHandlers(d.Approvals)
	add(approvals, err)
	d.Flags.Now = d.Now
	flags, err := NewFlagsHandlers(d.Flags)
	add(flags, err)
	d.Insights.Now = d.Now
	insights, err := NewInsightsHandlers(d.Insights)
	add(insights, err)
	webhooks, err := NewWebhooksHandlers(d.Webhooks)
	add(webhooks, err)
	if err := errors.Join(missing...); err != nil {
		return nil, err
	}
	g := guardsOf(gate, limits, device, approvals)
	g.Answers, g.Transactions, g.ReadYourWrites = d.Idempotency, d.Transactions, readYourWrites(d.Served)
	return mount(d, g, nouns)
}

// guardsOf are the middlewares that packages above rest make.
func guardsOf(g *Gate, limits *LimitSet, device *DeviceHandlers, pending *ApprovalsHandlers) Guards {
	return Guards{
		Authorize: g.authorize, AuthorizeClient: device.authorizeClient, AboutPeople: g.aboutPeople, Recently: g.recently,
		LimitManagement: limits.limitManagement, LimitRequests: limits.limitRequests, Noting: limits.noting,
		OnError: pending.answerTo, Pending: PendingApproval{}.example(),
	}
}

// newDocumented returns the routes as they are documented. They have no services, so they answer nothing.
func newDocumented() (*mux, error) {
	d := Deps{Log: slog.New(slog.DiscardHandler), Metrics: prometheus.NewRegistry(), Now: time.Now}
	d.Readiness = NewReadiness(nil, d.Log, d.Now)
	nouns := []noun{
		&d.Auth, &d.Device, &d.Project, &d.Builds, &d.Releases, &d.Rollouts, &d.Approvals, &d.Flags, &d.Insights, &d.Webhooks,
	}
	return mount(d, guardsOf(&d.Access, &LimitSet{}, &d.Device, &d.Approvals), nouns)
}

// mount makes the routes of the nouns, of the document and of the probes.
func mount(d Deps, g Guards, nouns []noun) (*mux, error) {
	engine := gin.New()
	engine.ContextWithFallback = true
	engine.HandleMethodNotAllowed = true
	engine.RedirectTrailingSlash = false
	engine.UseRawPath = true // a branch named a/b is addressed as a%2Fb
	if err := engine.SetTrustedProxies(d.Limits.TrustedProxies); err != nil {
		return nil, fmt.Errorf("api: trusted proxies: %w", err)
	}
	engine.Use(limitBodyTime(cmp.Or(d.BodyTime, 30*time.Second), false))
	m, err := newMux(engine, newDocument(), g, d.Log, d.Metrics, d.Tracer)
	if err != nil {
		return nil, err
	}
	for _, n := range nouns {
		m.add(n.routes())
	}
	m.add(systemRoutes(m, d.Readiness))
	if err := documentWebhooks(m.api.OpenAPI()); err != nil {
		return nil, err
	}
	openRecords(m.api.OpenAPI())
	return m, nil
}

// systemRoutes are the rows of the document and the probes.
func systemRoutes(m *mux, readiness *Readiness) []route {
	return []route{
		{
			method: http.MethodGet, path: "/healthz", access: public, schemas: schemasOf(Liveness{}),
			serve: plain(livenessDoc, gin.WrapH(NewLiveness())),
		},
		{
			method: http.MethodGet, path: "/readyz", access: public, schemas: schemasOf(ReadyOrNot{}),
			serve: plain(readinessDoc, gin.WrapH(readiness.Public())),
		},
		{method: http.MethodGet, path: "/openapi.json", access: public, serve: plain(openAPIDoc, serveOnce(func() ([]byte, error) { return document31(m) }))},
		{method: http.MethodGet, path: "/docs", access: public, serve: plain(docsDoc, docs())},
	}
}

// Package app builds a process of the server from its parts. Tests start the same process on port 0.
package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"go.opentelemetry.io/otel/trace"
	temporal "go.temporal.io/sdk/client"
	"golang.org/x/sync/errgroup"

	"github.com/waft-ota/waft/api"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/internal/app/temporalclient"
	"github.com/waft-ota/waft/internal/assets"
	"github.com/waft-ota/waft/internal/config"
	"github.com/waft-ota/waft/internal/guard/connections"
	"github.com/waft-ota/waft/internal/identity/password"
	"github.com/waft-ota/waft/internal/store"
	"github.com/waft-ota/waft/internal/webhookclient"
	"github.com/waft-ota/waft/models"
	"github.com/waft-ota/waft/telemetry"
	"github.com/waft-ota/waft/workflows"
)

// Role is which parts of the server a process runs.
type Role struct {
	API    bool
	Worker bool
}

const (
	// readHeaderTimeout ends connections that do not finish their headers.
	readHeaderTimeout = 10 * time.Second
	// bodyTime is how long a request's body may take to arrive, and how long an upload may make no progress.
	bodyTime = 30 * time.Second
	// schemaCheckTimeout is how long the start of the process waits for a response from ClickHouse.
	schemaCheckTimeout = 10 * time.Second
	// idleTimeout ends idle connections. It is longer than the ten minutes of load balancers, which
	// must be the first to close.
	idleTimeout = 11 * time.Minute
	// headerBytes is the maximum size of the request line and the headers together, in bytes. Above it, net/http responds with 431
	// and closes the connection.
	headerBytes = 64 << 10
	// headerSlack is the number of bytes that net/http adds to http.Server.MaxHeaderBytes.
	headerSlack = 4 << 10
)

// App is one process of the server, made by New and driven by Run.
type App struct {
	cfg  config.Config
	role Role
	log  *slog.Logger
	now  func() time.Time
	// ungrouped leaves errors out of groups.
	ungrouped bool
	// passwords is the cost of new hashes of passwords.
	passwords password.Params
	registry  *prometheus.Registry

	store     *store.Store
	telemetry *telemetry.ClickHouse
	temporal  temporal.Client
	rollouts  *workflows.Client
	bucket    *assets.Bucket
	// sender and deliveries are nil without the worker.
	sender     *webhookclient.Client
	deliveries *deliveryMetrics

	// listener is for everybody, served by handler; admin is for operators.
	listener, admin net.Listener
	handler         http.Handler
	own             ownServer
	readiness       *api.Readiness
	// tracer is nil if tracing is off.
	tracer trace.Tracer
	// polling is true while the worker polls Temporal.
	polling atomic.Bool

	// loops run until the context given to Run ends.
	loops []func(context.Context) error
	// closers run in reverse order once the loops have ended.
	closers []func() error
	closing sync.Once
	// streams ends event streams at a stop, which would otherwise wait for their clients.
	streams     context.Context
	stopStreams context.CancelFunc
}

// Option sets what is not in the configuration.
type Option func(*App)

// WithClock replaces time.Now, for tests. Temporal and the databases keep their own clocks, so now
// must stay within minutes of them.
func WithClock(now func() time.Time) Option { return func(a *App) { a.now = now } }

// WithoutErrorGroups leaves errors out of groups, for benchmarks of what groups cost.
func WithoutErrorGroups() Option { return func(a *App) { a.ungrouped = true } }

// WithPasswordCost replaces password.Current as the cost of new hashes of passwords, for tests.
func WithPasswordCost(cost password.Params) Option { return func(a *App) { a.passwords = cost } }

// New connects to the engines and opens the listener. It fails if a schema has another version. Call Close to release everything,
// even after an error of Run.
func New(ctx context.Context, cfg config.Config, role Role, log *slog.Logger, options ...Option) (_ *App, err error) {
	a := &App{cfg: cfg, role: role, log: log, now: time.Now, passwords: password.Current, registry: prometheus.NewRegistry()}
	for _, option := range options {
		option(a)
	}
	a.streams, a.stopStreams = context.WithCancel(context.WithoutCancel(ctx))
	defer func() {
		if err != nil {
			err = errors.Join(err, a.Close())
		}
	}()
	a.registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	if err := a.startTracing(ctx); err != nil {
		return nil, err
	}
	if err := a.connect(ctx); err != nil {
		return nil, err
	}
	if err := a.openBucket(ctx); err != nil {
		return nil, err
	}
	if a.listener, err = a.listen(ctx, cfg.ListenAddr); err != nil {
		return nil, fmt.Errorf("WAFT_LISTEN_ADDR: %w", err)
	}
	a.rollouts.LinkTo(a.linkURL())
	if a.admin, err = a.listen(ctx, cfg.AdminAddr); err != nil {
		return nil, fmt.Errorf("WAFT_ADMIN_ADDR: %w", err)
	}
	a.readiness = api.NewReadiness(a.checks(), log, a.now)
	if role.Worker {
		if err := a.addSender(); err != nil {
			return nil, err
		}
		a.addWorker()
	}
	if role.API {
		err = a.addAPI(ctx)
	} else {
		a.handler = a.workerHandler()
	}
	if err != nil {
		return nil, err
	}
	return a, nil
}

// connect opens Postgres, ClickHouse and Temporal, whose client connects at its first use.
func (a *App) connect(ctx context.Context) (err error) {
	box, err := a.cfg.SecretBox()
	if err != nil {
		return err
	}
	a.store, err = store.Open(ctx, a.cfg.DatabaseURL, store.WithSecrets(box), store.WithQuotas(a.cfg.Quotas()), store.WithApprovalLife(a.cfg.ApprovalLife),
		store.WithLog(a.log.With("component", "store")))
	if err != nil {
		return explained("DATABASE_URL", err)
	}
	a.closers = append(a.closers, a.store.Close)
	if err := a.store.CheckSchema(ctx); err != nil {
		return err
	}
	if err := a.reseal(ctx); err != nil {
		return err
	}
	if a.telemetry, err = openTelemetry(ctx, a.cfg); err != nil {
		return err
	}
	a.closers = append(a.closers, a.telemetry.Close)
	if err := a.checkTelemetry(ctx); err != nil {
		return err
	}
	if a.temporal, err = temporalclient.New(a.cfg, a.registry, a.tracer, a.log.With("component", "temporal")); err != nil {
		return err
	}
	a.closers = append(a.closers, func() error { a.temporal.Close(); return nil })
	a.rollouts = workflows.NewClient(a.temporal, a.cfg.TaskQueue)
	return nil
}

// checkTelemetry returns an error if the ClickHouse schema has another version. It does not return an error while ClickHouse is
// unavailable: devices still get updates, reports wait in the ingest log, and rollouts hold.
func (a *App) checkTelemetry(ctx context.Context) error {
	checking, cancel := context.WithTimeout(ctx, schemaCheckTimeout)
	defer cancel()
	err := a.telemetry.CheckSchema(checking)
	if models.CodeOf(err) == models.CodeUnavailable && ctx.Err() == nil {
		a.log.Warn("ClickHouse does not respond; starting without it", "error", explained("CLICKHOUSE_URL", err))
		return nil
	}
	return err
}

// listen opens a listener, which Close closes.
func (a *App) listen(ctx context.Context, address string) (net.Listener, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	a.closers = append(a.closers, func() error {
		if err := l.Close(); !errors.Is(err, net.ErrClosed) { // Run's HTTP server closes it, too
			return err
		}
		return nil
	})
	return l, nil
}

// Addr returns the address that the process listens on.
func (a *App) Addr() string { return a.listener.Addr().String() }

// AdminAddr returns the address that the process listens on for operators.
func (a *App) AdminAddr() string { return a.admin.Addr().String() }

// Run serves until ctx ends, then waits up to the shutdown timeout for requests and
// activities.
func (a *App) Run(ctx context.Context) error {
	public, err := a.limited(a.listener, a.registry)
	if err != nil {
		return err
	}
	server, admin := a.server(a.handler), a.server(api.NewAdmin(a.readiness, a.registry, a.admin.Addr()))
	server.ConnState = connections.StateChanged
	server.RegisterOnShutdown(a.stopStreams)
	g, running := errgroup.WithContext(ctx)
	g.Go(func() error { return serve(server, public) })
	g.Go(func() error { return serve(admin, a.admin) })
	g.Go(a.own.serve)
	g.Go(func() error {
		<-running.Done()
		a.log.Info("stopping", "timeout", a.cfg.ShutdownTimeout)
		stopping, cancel := context.WithTimeout(context.WithoutCancel(ctx), a.cfg.ShutdownTimeout)
		defer cancel()
		return errors.Join(server.Shutdown(stopping), admin.Shutdown(stopping), a.own.shutdown(stopping))
	})
	for _, loop := range a.loops {
		g.Go(func() error { return loop(running) })
	}
	a.log.Info("ready", "address", a.Addr(), "admin", a.AdminAddr())
	err = errors.Join(g.Wait(), a.Close())
	a.log.Info("stopped")
	return err
}

// limited bounds the connections of a listener for everybody.
func (a *App) limited(listener net.Listener, metrics prometheus.Registerer) (net.Listener, error) {
	proxies, err := models.ParseNetworks(a.cfg.TrustedProxies)
	if err != nil {
		return nil, fmt.Errorf("WAFT_TRUSTED_PROXIES: %w", err)
	}
	return connections.Limit(listener, connections.Options{
		PerNetwork: a.cfg.MaxConnections, Proxies: proxies, Log: a.log.With("component", "connections"), Metrics: metrics,
	}), nil
}

func (a *App) server(handler http.Handler) *http.Server {
	return &http.Server{
		Handler:           rest.LimitBodyTime(bodyTime, handler),
		ReadHeaderTimeout: readHeaderTimeout,
		MaxHeaderBytes:    headerBytes - headerSlack,
		IdleTimeout:       idleTimeout,
		ErrorLog:          slog.NewLogLogger(a.log.Handler(), slog.LevelWarn),
	}
}

// serve serves until the server is shut down.
func serve(server *http.Server, listener net.Listener) error {
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// Close releases what New opened. It is safe to call more than once.
func (a *App) Close() (err error) {
	a.closing.Do(func() {
		a.stopStreams()
		for _, closer := range slices.Backward(a.closers) {
			err = errors.Join(err, closer())
		}
	})
	return err
}

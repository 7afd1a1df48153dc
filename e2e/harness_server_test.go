package e2e

import (
	"context"
	"log/slog"
	"maps"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/app"
	"github.com/waft-ota/waft/internal/config"
	"github.com/waft-ota/waft/internal/identity/password"
)

// serve runs the API and the worker in this process and returns the API's URL.
func serve(t *testing.T, env map[string]string, options ...app.Option) string {
	t.Helper()
	return serveRole(t, env, app.Role{API: true, Worker: true}, options...)
}

// serveAPI runs the API without a worker, so rollouts do not advance.
func serveAPI(t *testing.T, env map[string]string, options ...app.Option) string {
	t.Helper()
	return serveRole(t, env, app.Role{API: true}, options...)
}

func serveRole(t *testing.T, env map[string]string, role app.Role, options ...app.Option) string {
	t.Helper()
	address, _ := startRole(t, env, role, options...)
	return address
}

// startWorker runs a worker without an API, until stop is called or the test ends.
func startWorker(t *testing.T, env map[string]string) (stop func()) {
	t.Helper()
	_, stop = startRole(t, env, app.Role{Worker: true})
	return stop
}

func startRole(t *testing.T, env map[string]string, role app.Role, options ...app.Option) (address string, stop func()) {
	t.Helper()
	log := slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelWarn}))
	return startLogging(t, env, role, log, options...)
}

func startLogging(
	t *testing.T, env map[string]string, role app.Role, log *slog.Logger, options ...app.Option,
) (address string, stop func()) {
	t.Helper()
	cfg, err := config.FromMap(maps.Clone(env))
	require.NoError(t, err)
	migrateOnce(t, env, cfg, log)
	server, err := app.New(t.Context(), cfg, role, log, append([]app.Option{app.WithPasswordCost(cheapHash)}, options...)...)
	require.NoError(t, err)
	ctx, end := context.WithCancel(context.WithoutCancel(t.Context()))
	ended := make(chan error, 1)
	go func() { ended <- server.Run(ctx) }()
	stop = sync.OnceFunc(func() {
		end()
		require.NoError(t, <-ended)
	})
	t.Cleanup(stop)
	address = "http://" + server.Addr()
	adminURLs.Store(address, "http://"+server.AdminAddr())
	return address, stop
}

// cheapHash is the cost of passwords in the servers of this process, which sign hundreds of people in. A test that depends on the cost
// passes password.Current or starts waftd.
var cheapHash = password.Params{MemoryKiB: 64, Passes: 1, Threads: 1}

// migrated is done once a test of this process has migrated, which registers the search attributes in Temporal's namespace.
var migrated sync.Once

// migrateOnce migrates as `waftd serve` does, but not engines whose schemas are current: they would take about as long as the start of a
// server.
func migrateOnce(t *testing.T, env map[string]string, cfg config.Config, log *slog.Logger) {
	t.Helper()
	migrate := func() { require.NoError(t, app.Migrate(t.Context(), cfg, log)) }
	if _, known := current.Load(enginesOf(env)); known {
		migrated.Do(migrate)
	} else {
		migrate()
	}
}

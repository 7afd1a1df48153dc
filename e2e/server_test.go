package e2e

import (
	"context"
	"log/slog"
	"maps"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/app"
	"github.com/waft-ota/waft/config"
)

// serve runs the API and the worker in this process and returns the API's URL.
func serve(t *testing.T, env map[string]string) string {
	t.Helper()
	log := slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelWarn}))
	cfg, err := config.FromMap(maps.Clone(env))
	require.NoError(t, err)
	require.NoError(t, app.Migrate(t.Context(), cfg, log))
	server, err := app.New(t.Context(), cfg, app.Role{API: true, Worker: true}, log)
	require.NoError(t, err)
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	ended := make(chan error, 1)
	go func() { ended <- server.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		require.NoError(t, <-ended)
	})
	return "http://" + server.Addr()
}

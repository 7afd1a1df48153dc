package temporal

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"
	"github.com/temporalio/ui-server/v2/server/api"
	"github.com/temporalio/ui-server/v2/server/config"
	"github.com/temporalio/ui-server/v2/server/csrf"
	"github.com/temporalio/ui-server/v2/server/headers"
	"github.com/temporalio/ui-server/v2/server/route"
	"github.com/temporalio/ui-server/v2/ui"

	"github.com/waft-ota/waft/devstack/internal/guard"
)

// serveUI serves Temporal's web UI, with its API, until ctx ends. Temporal's own server for the UI
// would accept requests of any web page and any Host.
func serveUI(ctx context.Context, frontend string, port int) error {
	handler, err := webUI(frontend)
	if err != nil {
		return err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", net.JoinHostPort(host, strconv.Itoa(port)))
	if err != nil {
		return err
	}
	server := &http.Server{Handler: guard.OwnPages(handler), ReadHeaderTimeout: 10 * time.Second}
	closed := context.AfterFunc(ctx, func() { _ = server.Close() }) // the server is over
	defer closed()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// webUI returns the web UI of the server at frontend, put together as the UI's own server
// does without sign-in and without other origins.
func webUI(frontend string) (http.Handler, error) {
	provider, err := config.NewConfigProviderWithRefresh(&config.Config{
		TemporalGRPCAddress: frontend,
		EnableUI:            true,
		DefaultNamespace:    Namespace,
		DisableNewsFetch:    true,
		HideLogs:            true,
	})
	if err != nil {
		return nil, err
	}
	pages, err := ui.Assets()
	if err != nil {
		return nil, err
	}
	if pages, err = fs.Sub(pages, "local"); err != nil {
		return nil, err
	}
	// Served without TLS, on loopback.
	const secureCookie = false
	e := echo.New()
	e.Use(middleware.Recover(), middleware.Gzip(), middleware.Secure(),
		csrf.EnsureTokenCookie(secureCookie), middleware.CSRFWithConfig(csrf.MiddlewareConfig(provider, secureCookie)))
	route.SetHealthRoute(e)
	route.SetRenderRoute(e, "/")
	return e, errors.Join(
		route.SetAPIRoutes(e, provider, []api.Middleware{headers.WithForwardHeaders([]string{"Caller-Type"})}),
		route.SetUIRoutes(e, "", pages, provider),
	)
}

package app

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"net/http"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/waft-ota/waft/dashboard"
	"github.com/waft-ota/waft/internal/config"
	"github.com/waft-ota/waft/internal/guard/connections"
)

// addDashboard puts the dashboard in front of the API, and opens the address of its own if there is one.
func (a *App) addDashboard(ctx context.Context, handler *dashboard.Handler, api http.Handler) error {
	handler.Before(api)
	a.handler = handler
	if a.cfg.DashboardAddr == "" {
		return nil
	}
	all, err := a.listen(ctx, a.cfg.DashboardAddr)
	if err != nil {
		return fmt.Errorf("WAFT_DASHBOARD_ADDR: %w", err)
	}
	// The prefix distinguishes the metrics of the dashboard's listener from the metrics of the public address.
	listener, err := a.limited(all, prometheus.WrapRegistererWithPrefix("waft_dashboard_", a.registry))
	if err != nil {
		return err
	}
	a.own = ownServer{a.server(dashboard.Alone(handler)), listener}
	a.own.ConnState = connections.StateChanged
	return nil
}

// publicURL returns the configured public URL for people, or "" if it is not set.
func (a *App) publicURL() string { return cmp.Or(a.cfg.DashboardURL, a.cfg.BaseURL) }

// peopleURL returns the URL of this process for people.
func (a *App) peopleURL() string { return config.PeopleURL(a.publicURL(), a.Addr()) }

// ownServer serves the dashboard's own address. Without one it does nothing.
type ownServer struct {
	*http.Server
	listener net.Listener
}

func (s ownServer) serve() error {
	if s.Server == nil {
		return nil
	}
	return serve(s.Server, s.listener)
}

func (s ownServer) shutdown(ctx context.Context) error {
	if s.Server == nil {
		return nil
	}
	return s.Shutdown(ctx)
}

package app

import (
	"context"
	"errors"

	temporal "go.temporal.io/sdk/client"

	"github.com/waft-ota/waft/api"
)

// checks are the readiness checks of what the process depends on, by name.
func (a *App) checks() api.Checks {
	checks := api.Checks{
		"postgres":   a.store.Ping,
		"clickhouse": a.telemetry.Ping,
		"temporal": func(ctx context.Context) error {
			_, err := a.temporal.CheckHealth(ctx, &temporal.CheckHealthRequest{})
			return err
		},
	}
	if a.role.Worker {
		checks["worker"] = func(context.Context) error {
			if !a.polling.Load() {
				return errors.New("it does not poll Temporal")
			}
			return nil
		}
	}
	return checks
}

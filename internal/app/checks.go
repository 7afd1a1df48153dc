package app

import (
	"context"
	"errors"

	temporal "go.temporal.io/sdk/client"

	"github.com/waft-ota/waft/api"
)

// checks ask what the process depends on whether it answers, by the name that an
// operator knows it by.
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
				return errors.New("it does not poll Temporal yet")
			}
			return nil
		}
	}
	return checks
}

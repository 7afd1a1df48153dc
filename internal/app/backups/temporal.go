package backups

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"go.temporal.io/api/serviceerror"

	"github.com/waft-ota/waft/internal/app/temporalclient"
	"github.com/waft-ota/waft/internal/base/backoff"
	"github.com/waft-ota/waft/internal/config"
	"github.com/waft-ota/waft/workflows"
)

const (
	// temporalWait is the maximum time that a restore waits for Temporal, which may have been started with it.
	temporalWait = time.Minute
	// temporalPause is the pause between two attempts to reach it.
	temporalPause = 500 * time.Millisecond
)

// checkTemporal returns an error if the namespace of Temporal has workflows of Waft. A restore does not start workflows: the first worker
// does, so an interrupted restore finds the namespace as it was.
func checkTemporal(ctx context.Context, cfg config.Config, log *slog.Logger) error {
	tc, err := temporalclient.New(cfg, nil, nil, log.With("component", "temporal"))
	if err != nil {
		return err
	}
	defer tc.Close()
	log.Info("checking that the namespace of Temporal is empty", "namespace", cfg.TemporalNamespace)
	ctx, cancel := context.WithTimeout(ctx, temporalWait)
	defer cancel()
	err = onceReached(ctx, func() error { return workflows.CheckEmpty(ctx, tc, cfg.TemporalNamespace) })
	if err != nil {
		return fmt.Errorf("TEMPORAL_ADDRESS %s: %w", cfg.TemporalAddress, err)
	}
	return nil
}

// onceReached calls check until Temporal responds or ctx ends, and returns the last error of check. The SDK does not retry a refused
// connection.
func onceReached(ctx context.Context, check func() error) error {
	for {
		err := check()
		var unavailable *serviceerror.Unavailable
		var late *serviceerror.DeadlineExceeded
		if !errors.As(err, &unavailable) && !errors.As(err, &late) || backoff.Sleep(ctx, temporalPause) != nil {
			return err
		}
	}
}

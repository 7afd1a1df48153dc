package backups

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/waft-ota/waft/internal/app/temporalclient"
	"github.com/waft-ota/waft/internal/config"
	"github.com/waft-ota/waft/workflows"
)

// temporalWait is the maximum time that a restore waits for Temporal, which may have been started with it.
const temporalWait = time.Minute

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
	if err := workflows.CheckEmpty(ctx, tc, cfg.TemporalNamespace); err != nil {
		return fmt.Errorf("TEMPORAL_ADDRESS %s: %w", cfg.TemporalAddress, err)
	}
	return nil
}

package app

import (
	"context"
	"fmt"
	"time"

	"github.com/waft-ota/waft/internal/tracing"
	"github.com/waft-ota/waft/internal/version"
)

// traceFlushTimeout is how long a stop waits for a collector to take the last spans.
const traceFlushTimeout = 5 * time.Second

// startTracing makes the process export spans, when the settings name a collector.
func (a *App) startTracing(ctx context.Context) error {
	if a.cfg.OTLPEndpoint == "" {
		return nil
	}
	provider, err := tracing.NewProvider(ctx, a.cfg.OTLPEndpoint, version.String())
	if err != nil {
		return fmt.Errorf("OTEL_EXPORTER_OTLP_ENDPOINT: %w", err)
	}
	a.tracer = provider.Tracer("waft")
	a.closers = append(a.closers, func() error {
		flush, cancel := context.WithTimeout(context.WithoutCancel(ctx), traceFlushTimeout)
		defer cancel()
		if err := provider.Shutdown(flush); err != nil {
			a.log.Warn("the last spans could not be exported", "error", err)
		}
		return nil
	})
	return nil
}

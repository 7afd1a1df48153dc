// Package temporalclient connects to Temporal with TLS, credentials, encryption, metrics and traces
// according to the settings.
package temporalclient

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel"
	otelprometheus "go.opentelemetry.io/otel/exporters/prometheus"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/trace"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/contrib/opentelemetry"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/log"
	"go.temporal.io/sdk/temporal"
	"google.golang.org/grpc"

	"github.com/waft-ota/waft/internal/config"
)

// New returns a client that connects at its first use, so New works even while Temporal is unavailable. The caller must close the
// client. The SDK's metrics, temporal_…, are registered in registry, and tracer creates spans for calls with a traced context; both
// may be nil.
func New(cfg config.Config, registry prometheus.Registerer, tracer trace.Tracer, logger *slog.Logger) (client.Client, error) {
	options, err := optionsOf(cfg, registry, tracer, logger)
	if err != nil {
		return nil, err
	}
	c, err := client.NewLazyClient(options)
	if err != nil {
		return nil, fmt.Errorf("TEMPORAL_ADDRESS: %w", err)
	}
	return c, nil
}

// optionsOf returns the options of New's client.
func optionsOf(
	cfg config.Config, registry prometheus.Registerer, tracer trace.Tracer, logger *slog.Logger,
) (options client.Options, err error) {
	options = client.Options{
		HostPort:  cfg.TemporalAddress,
		Namespace: cfg.TemporalNamespace,
		Logger:    log.NewStructuredLogger(logger),
	}
	// gRPC would ask DNS for a configuration of the service too, and wait ten seconds where no DNS server responds, as in a container
	// network without a way out.
	options.ConnectionOptions.DialOptions = []grpc.DialOption{reconnecting(), grpc.WithDisableServiceConfig()}
	if options.ConnectionOptions.TLS, err = cfg.TemporalTLS(); err != nil {
		return options, err
	}
	if cfg.TemporalAPIKey != "" {
		options.Credentials = client.NewAPIKeyStaticCredentials(cfg.TemporalAPIKey)
	}
	if len(cfg.TemporalPayloadKeys) > 0 {
		codec, err := newCodec(cfg.TemporalPayloadKeys)
		if err != nil {
			return options, fmt.Errorf("WAFT_TEMPORAL_PAYLOAD_KEYS: %w", err)
		}
		options.DataConverter = converter.NewCodecDataConverter(converter.GetDefaultDataConverter(), codec)
		// Errors of activities may quote their input.
		options.FailureConverter = temporal.NewDefaultFailureConverter(temporal.DefaultFailureConverterOptions{
			DataConverter: options.DataConverter, EncodeCommonAttributes: true,
		})
	}
	if registry != nil {
		if options.MetricsHandler, err = newMetrics(registry); err != nil {
			return options, fmt.Errorf("metrics of Temporal's SDK: %w", err)
		}
	}
	if tracer != nil {
		spans, err := opentelemetry.NewTracingInterceptor(opentelemetry.TracerOptions{
			Tracer: tracer, TextMapPropagator: propagation.TraceContext{}, DisableBaggage: true, AllowInvalidParentSpans: true,
			DisableQueryTracing: true, SpanStarter: startWithin,
		})
		if err != nil {
			return options, fmt.Errorf("spans of Temporal's SDK: %w", err)
		}
		options.Interceptors = append(options.Interceptors, spans)
	}
	return options, nil
}

// startWithin starts a span inside the one of ctx. Without one, as in the watcher, it starts none.
func startWithin(ctx context.Context, tracer trace.Tracer, name string, options ...trace.SpanStartOption) trace.Span {
	if !trace.SpanContextFromContext(ctx).IsValid() {
		return trace.SpanFromContext(ctx)
	}
	_, span := tracer.Start(ctx, name, options...)
	return span
}

func newMetrics(registry prometheus.Registerer) (client.MetricsHandler, error) {
	reader, err := otelprometheus.New(otelprometheus.WithRegisterer(registry),
		otelprometheus.WithoutScopeInfo(), otelprometheus.WithoutTargetInfo())
	if err != nil {
		return nil, err
	}
	return opentelemetry.NewMetricsHandler(opentelemetry.MetricsHandlerOptions{
		Meter:                metric.NewMeterProvider(metric.WithReader(reader)).Meter("temporal-sdk-go"),
		OnError:              otel.Handle,
		UseMonotonicCounters: true,
	}), nil
}

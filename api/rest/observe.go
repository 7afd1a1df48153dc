package rest

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"github.com/waft-ota/waft/models"
)

// observer gives each request its ID, turns a panic into a 500, and counts and logs the response.
type observer struct {
	log      *slog.Logger
	now      func() time.Time
	requests *prometheus.CounterVec
	duration *prometheus.HistogramVec
}

// noter is an error that is counted and logged in its own way.
type noter interface {
	error
	Note(ctx context.Context, log *slog.Logger)
}

func newObserver(log *slog.Logger, metrics prometheus.Registerer, now func() time.Time) observer {
	o := observer{
		log: log, now: now,
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "waft_http_requests_total",
			Help: "HTTP requests by route and class of status; 499 stands for clients that disconnected before the response.",
		}, []string{"method", "route", "status"}),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "waft_http_request_duration_seconds", Help: "Time from the first byte of a request's handling to its end, by route.",
			Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30},
		}, []string{"method", "route"}),
	}
	metrics.MustRegister(o.requests, o.duration)
	return o
}

// Header values, shared by all responses.
var (
	NoSniff = []string{"nosniff"}
	NoStore = []string{"no-store"}
)

// watch returns the outermost middleware of a route. It logs requests at level, but statuses of 5xx as errors and 503
// as a warning. Clients must not treat a response as another type than its Content-Type, and caches must not keep a
// response of a private route.
func (o observer) watch(method, route string, level slog.Level, private bool) gin.HandlerFunc {
	// Looked up once, so that counting does not take a lock.
	duration := o.duration.WithLabelValues(method, route)
	clientClosed := o.requests.WithLabelValues(method, route, strconv.Itoa(models.StatusClientClosed))
	var classes [6]prometheus.Counter
	for class := range classes {
		classes[class] = o.requests.WithLabelValues(method, route, strconv.Itoa(class)+"xx")
	}
	return func(c *gin.Context) {
		started := o.now()
		seen := &Call{
			Context: c.Request.Context(),
			ID:      requestID(c.GetHeader("X-Request-Id")),
			traceID: traceID(c.GetHeader("Traceparent")),
			Method:  c.Request.Method, Path: c.Request.URL.EscapedPath(), Query: c.Request.URL.RawQuery,
		}
		seen.idHeader[0] = seen.ID
		c.Request = c.Request.WithContext(seen)
		header := c.Writer.Header()
		header["X-Request-Id"] = seen.idHeader[:]
		header["X-Content-Type-Options"] = NoSniff
		if private {
			header["Cache-Control"] = NoStore
		}
		defer func() {
			cut := o.recovered(c, recover())
			took := o.now().Sub(started)
			if n, ok := errors.AsType[noter](seen.Failure); ok { // even if the sign-in page shows the error
				n.Note(seen, o.log)
			}
			duration.Observe(took.Seconds())
			switch status := c.Writer.Status(); status {
			case models.StatusClientClosed:
				clientClosed.Inc()
			default:
				classes[min(status/100, len(classes)-1)].Inc()
			}
			o.record(c, route, seen, took, level)
			if cut {
				panic(http.ErrAbortHandler)
			}
		}()
		c.Next()
	}
}

// recovered turns a panic into a 500. It returns true if a part of the response was already sent: the connection must
// then be closed, so that the response does not look complete.
func (o observer) recovered(c *gin.Context, cause any) (cut bool) {
	if cause == nil {
		return false
	}
	if err, ok := cause.(error); !ok || !errors.Is(err, http.ErrAbortHandler) {
		o.log.ErrorContext(c.Request.Context(), "panic in a handler", "cause", cause, "stack", string(debug.Stack()))
	}
	if c.Writer.Written() {
		return true
	}
	Fail(c, fmt.Errorf("panic: %v", cause))
	return false
}

// maxLogged is the maximum length in bytes of strings from callers in the log.
const maxLogged = 2 << 10

func (o observer) record(c *gin.Context, route string, seen *Call, took time.Duration, level slog.Level) {
	ctx, status := c.Request.Context(), c.Writer.Status()
	switch {
	case status == http.StatusServiceUnavailable:
		level = slog.LevelWarn // its cause is logged elsewhere
	case status >= http.StatusInternalServerError:
		level = slog.LevelError
	}
	if !o.log.Enabled(ctx, level) {
		return
	}
	attrs := []slog.Attr{
		slog.String("method", c.Request.Method), slog.String("path", Clipped(seen.Path, maxLogged)), slog.String("route", route),
		slog.Int("status", status), slog.Int("bytes", max(c.Writer.Size(), 0)), slog.Duration("took", took),
		slog.String("client", SenderOf(c).Text), slog.String("requestId", seen.ID),
	}
	if seen.traceID != "" {
		attrs = append(attrs, slog.String("traceId", seen.traceID))
	}
	if who := seen.Caller; who.Actor.ID != "" {
		attrs = append(attrs, slog.String("actor", who.Actor.ID), slog.String("project", who.Project.Slug))
	}
	if seen.Failure != nil && status != models.StatusClientClosed {
		attrs = append(attrs, slog.String("error", Clipped(seen.Failure.Error(), maxLogged)))
	}
	o.log.LogAttrs(ctx, level, "request", attrs...)
}

// traced returns a middleware that records each request of a route as a span, in the trace of the caller's
// traceparent. It runs inside observer.watch, which logs the trace ID. Attributes follow OpenTelemetry's conventions
// for HTTP.
func traced(tracer trace.Tracer, method, route string) gin.HandlerFunc {
	name := method + " " + route
	attributes := trace.WithAttributes(attribute.String("http.request.method", method), attribute.String("http.route", route))
	return func(c *gin.Context) {
		ctx := propagation.TraceContext{}.Extract(c.Request.Context(), propagation.HeaderCarrier(c.Request.Header))
		ctx, span := tracer.Start(ctx, name, trace.WithSpanKind(trace.SpanKindServer), attributes)
		defer span.End()
		CallOf(ctx).traceID = span.SpanContext().TraceID().String()
		c.Request = c.Request.WithContext(ctx)
		c.Next()
		status := c.Writer.Status()
		span.SetAttributes(attribute.Int("http.response.status_code", status))
		if status >= http.StatusInternalServerError {
			span.SetStatus(codes.Error, http.StatusText(status))
		}
	}
}

package api

import (
	"net/http"

	"github.com/gin-gonic/gin"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

// traced returns a middleware that makes each request of a route a span, within the trace
// that the caller's traceparent names. It stands behind observer.watch, whose log line it
// gives the trace id. Attributes have the names of OpenTelemetry's conventions for HTTP.
func traced(tracer trace.Tracer, method, route string) gin.HandlerFunc {
	name := method + " " + route
	attributes := trace.WithAttributes(attribute.String("http.request.method", method), attribute.String("http.route", route))
	return func(c *gin.Context) {
		ctx := propagation.TraceContext{}.Extract(c.Request.Context(), propagation.HeaderCarrier(c.Request.Header))
		ctx, span := tracer.Start(ctx, name, trace.WithSpanKind(trace.SpanKindServer), attributes)
		defer span.End()
		callOf(ctx).traceID = span.SpanContext().TraceID().String()
		c.Request = c.Request.WithContext(ctx)
		c.Next()
		status := c.Writer.Status()
		span.SetAttributes(attribute.Int("http.response.status_code", status))
		if status >= http.StatusInternalServerError {
			span.SetStatus(codes.Error, http.StatusText(status))
		}
	}
}

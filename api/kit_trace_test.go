package api

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
)

const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

// newTracedAPI is an API whose spans are recorded.
func newTracedAPI(t *testing.T) (*testAPI, *tracetest.SpanRecorder) {
	t.Helper()
	recorder := tracetest.NewSpanRecorder()
	provider := sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(recorder))
	return newTestAPI(t, func(d *parts) { d.Tracer = provider.Tracer("test") }), recorder
}

func TestARequestIsASpanInTheTraceOfItsCaller(t *testing.T) {
	t.Parallel()
	w, recorder := newTracedAPI(t)
	answer := w.do(request{method: get, path: "/v1/ota/branches", header: map[string]string{"Traceparent": traceparent}})
	require.Equal(t, http.StatusOK, answer.Code, answer.Body.String())
	require.Len(t, recorder.Ended(), 1)
	span := recorder.Ended()[0]
	require.Equal(t, "GET /v1/ota/branches", span.Name())
	require.Equal(t, "4bf92f3577b34da6a3ce929d0e0e4736", span.SpanContext().TraceID().String())
	require.Equal(t, "00f067aa0ba902b7", span.Parent().SpanID().String())
}

func TestRequestsOfDevicesAreNotTraced(t *testing.T) {
	t.Parallel()
	w, recorder := newTracedAPI(t)
	answer := w.do(request{method: get, path: "/v1/ota/manifest/demo", anonymous: true, header: map[string]string{
		"Traceparent": traceparent, "Expo-Platform": "ios", "Expo-Runtime-Version": "1.0.0", "Expo-Channel-Name": "production",
		"Accept": "application/expo+json",
	}})
	require.Less(t, answer.Code, http.StatusBadRequest, answer.Body.String())
	require.Empty(t, recorder.Ended())
}

package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/waft-ota/waft/api/access"
	"github.com/waft-ota/waft/models"
)

func TestEveryMissingDependencyIsNamed(t *testing.T) {
	t.Parallel()
	_, err := New(Deps{Access: access.Gate{Keys: &fakeKeys{}}})
	for _, name := range []string{"Projects", "Stager", "Snapshots", "Changes", "Commands"} {
		require.ErrorContains(t, err, "needs "+name)
	}
	require.NotContains(t, err.Error(), "needs Keys")
	require.NotContains(t, err.Error(), "Streams")
}

func TestRequestsAreCountedByRoute(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	for range 2 {
		w.do(request{method: get, path: "/v1/ota/updates/17"})
	}
	w.do(request{method: get, path: "/v1/ota/updates/17", anonymous: true})
	w.do(request{method: get, path: "/wp-login.php"})
	body := w.metrics()
	for _, line := range []string{
		`waft_http_requests_total{method="GET",route="/v1/ota/updates/{id}",status="2xx"} 2`,
		`waft_http_requests_total{method="GET",route="/v1/ota/updates/{id}",status="4xx"} 1`,
		`waft_http_requests_total{method="any",route="unmatched",status="4xx"} 1`,
		`waft_http_request_duration_seconds_count{method="GET",route="/v1/ota/updates/{id}"} 3`,
	} {
		require.Contains(t, body, line)
	}
	require.NotContains(t, body, "wp-login")
}

func TestTheLogSaysWhoDidWhatAndWhyItFailed(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	w := newTestAPI(t, func(d *parts) { d.Log = slog.New(slog.NewJSONHandler(&out, nil)) })
	w.store.release = func(int64) (models.Release, error) {
		return models.Release{}, models.Unavailable("Postgres", errors.New("connection refused"))
	}
	w.do(request{method: get, path: "/v1/ota/updates/17?limit=1", key: w.keys[models.RoleEditor]})
	out.Reset()
	w.do(request{
		method: get, path: "/v1/ota/updates/17", key: w.keys[models.RoleEditor],
		header: map[string]string{"X-Request-Id": "req-1", "Traceparent": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"},
	})
	var line map[string]any
	require.NoError(t, json.Unmarshal(out.Bytes(), &line), out.String())
	for key, want := range map[string]any{
		"level": "WARN", "method": "GET", "path": "/v1/ota/updates/17", "route": "/v1/ota/updates/{id}", "status": 503.0,
		"requestId": "req-1", "traceId": "4bf92f3577b34da6a3ce929d0e0e4736", "actor": "101", "project": "demo",
	} {
		require.Equal(t, want, line[key], key)
	}
	require.Contains(t, line["error"], "connection refused")
	require.NotContains(t, out.String(), w.keys[models.RoleEditor])

	out.Reset()
	w.do(request{method: get, path: "/healthz", anonymous: true})
	require.Empty(t, out.String(), "public routes are logged at debug level only")
}

func TestAPanicIsLoggedWithItsStack(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	w := newTestAPI(t, func(d *parts) { d.Log = slog.New(slog.NewTextHandler(&out, nil)) })
	w.store.release = func(int64) (models.Release, error) { panic(fmt.Sprint("boom ", 42)) }
	w.do(request{method: get, path: "/v1/ota/updates/17"})
	require.Contains(t, out.String(), "boom 42")
	require.Contains(t, out.String(), "level=ERROR")
	require.Contains(t, out.String(), "system_test.go")
}

func TestTheReferenceIsServedAsThePageIs(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	answer := w.do(request{method: get, path: "/docs", anonymous: true})
	require.Equal(t, 200, answer.Code)
	require.Equal(t, "the reference", answer.Body.String())
	require.Equal(t, "default-src 'none'", answer.Header().Get("Content-Security-Policy"))
}

const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

// newTracedAPI returns an API whose spans are recorded.
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

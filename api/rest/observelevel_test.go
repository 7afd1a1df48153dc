package rest

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"
)

// An unavailable store is not the request's fault. It is logged as a warning, at most one per route. Every other
// failure is logged as an error each time.
func TestRequestsThatFailAreLoggedByWhoseFaultItIs(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]string{
		http.StatusServiceUnavailable: "level=WARN msg=request", http.StatusInternalServerError: "level=ERROR msg=request",
		http.StatusConflict: "", http.StatusOK: "",
	} {
		var log bytes.Buffer
		o := newObserver(slog.New(slog.NewTextHandler(&log, nil)), prometheus.NewRegistry(), time.Now)
		engine := gin.New()
		engine.GET("/x", o.watch(http.MethodGet, "/x", slog.LevelDebug, false), func(c *gin.Context) { c.Status(status) })
		engine.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/x", nil))
		if want == "" {
			require.Empty(t, log.String(), status)
		} else {
			require.Contains(t, log.String(), want, status)
		}
	}
}

// The worker does not have an API, but responds to probes.

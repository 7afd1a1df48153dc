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

// A store that is away is no fault of the request: it is a warning, of which the log
// keeps one a route, while every other failure is an error that is always logged.
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

// The worker has no API and answers probes all the same.

package rest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// When a client disconnects, its work is cancelled. This counts neither as a failure of an engine nor as a warning.
func TestARequestWhoseClientLeftIsNoFailure(t *testing.T) {
	t.Parallel()
	canceled := fmt.Errorf("read: %w", context.Canceled)
	for name, of := range map[string]struct {
		leaves  bool
		failure error
		status  int
		counted string
		log     string
	}{
		"a cancelled query":               {true, canceled, 499, "499", "level=INFO"},
		"an engine that was given up":     {true, models.Unavailable("Temporal", errors.New("gone")), 499, "499", "level=INFO"},
		"a bug":                           {true, errors.New("bug"), 500, "5xx", "level=ERROR"},
		"a refusal":                       {true, models.Errorf(models.CodeInUse, "in use"), 409, "4xx", "level=INFO"},
		"an unavailable engine":           {false, models.Unavailable("Temporal", errors.New("gone")), 503, "5xx", "level=WARN"},
		"a query that the server ended":   {false, canceled, 503, "5xx", "level=WARN"},
		"a query that took too much time": {true, context.DeadlineExceeded, 499, "499", "level=INFO"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var log bytes.Buffer
			o := newObserver(slog.New(slog.NewTextHandler(&log, nil)), prometheus.NewRegistry(), time.Now)
			engine, asked, left := gin.New(), make(chan struct{}), make(chan struct{})
			engine.GET("/x", o.watch(http.MethodGet, "/x", slog.LevelInfo, false), func(c *gin.Context) {
				defer close(left)
				close(asked)
				if of.leaves {
					<-c.Request.Context().Done()
				}
				Fail(c, of.failure)
			})
			server := httptest.NewServer(engine)
			ctx, leave := context.WithCancel(t.Context())
			defer leave()
			if of.leaves {
				go func() {
					<-asked
					leave()
				}()
			}
			req, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL+"/x", http.NoBody)
			require.NoError(t, err)
			res, err := server.Client().Do(req)
			require.Equal(t, of.leaves, errors.Is(err, context.Canceled))
			if err == nil {
				res.Body.Close()
			}
			<-left
			server.Close() // waits until the request is counted
			require.Contains(t, log.String(), of.log)
			require.Contains(t, log.String(), fmt.Sprintf("status=%d", of.status))
			require.Equal(t, of.status != 499, strings.Contains(log.String(), "error="))
			for _, class := range []string{"499", "4xx", "5xx"} {
				counted := testutil.ToFloat64(o.requests.WithLabelValues(http.MethodGet, "/x", class))
				require.Equal(t, class == of.counted, counted == 1, class)
			}
		})
	}
}

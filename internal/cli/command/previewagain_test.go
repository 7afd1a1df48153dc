package command

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// busyServer is a transport that responds with an error a number of times, and counts the requests.
type busyServer struct {
	t          *testing.T
	status     int
	retryAfter string
	errors     int
	requests   int
}

func (s *busyServer) RoundTrip(req *http.Request) (*http.Response, error) {
	s.requests++
	body, err := io.ReadAll(req.Body)
	require.NoError(s.t, err)
	require.Equal(s.t, "{}", string(body), "each request has the whole body")
	res := &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: http.NoBody}
	if s.requests <= s.errors {
		res.StatusCode = s.status
		res.Header.Set("Retry-After", s.retryAfter)
	}
	return res, nil
}

func TestPreviewsAreRequestedAgain(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		path       string
		server     busyServer
		requests   int
		status     int
		afterwards time.Duration
	}{
		"a busy server":         {"/v1/ota/rollback/preview", busyServer{status: 503, retryAfter: "2", errors: 2}, 3, 200, 4 * time.Second},
		"a server busy forever": {"/v1/ota/rollback/preview", busyServer{status: 503, retryAfter: "2", errors: 99}, 5, 503, 8 * time.Second},
		"a change":              {"/v1/ota/rollback", busyServer{status: 503, retryAfter: "2", errors: 2}, 1, 503, 0},
		"no pause":              {"/v1/ota/rollback/preview", busyServer{status: 503, errors: 2}, 1, 503, 0},
		"a long pause":          {"/v1/ota/rollback/preview", busyServer{status: 503, retryAfter: "3600", errors: 2}, 1, 503, 0},
		"another error":         {"/v1/ota/rollback/preview", busyServer{status: 400, retryAfter: "2", errors: 2}, 1, 400, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				c.server.t = t
				began := time.Now()
				res, err := previewsAgain(&c.server).RoundTrip(previewRequest(t.Context(), t, c.path))
				require.NoError(t, err)
				require.NoError(t, res.Body.Close())
				require.Equal(t, c.requests, c.server.requests)
				require.Equal(t, c.status, res.StatusCode)
				require.Equal(t, c.afterwards, time.Since(began))
			})
		})
	}
}

func TestAnInterruptEndsThePauseOfAPreview(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	server := &busyServer{t: t, status: http.StatusServiceUnavailable, retryAfter: "5", errors: 99}
	res, err := previewsAgain(server).RoundTrip(previewRequest(ctx, t, "/v1/ota/rollback/preview"))
	require.ErrorIs(t, err, context.Canceled)
	require.Nil(t, res)
	require.Equal(t, 1, server.requests)
}

func previewRequest(ctx context.Context, t *testing.T, path string) *http.Request {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://ota.example.com"+path, bytes.NewReader([]byte("{}")))
	require.NoError(t, err)
	return req
}

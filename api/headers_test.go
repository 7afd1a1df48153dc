package api

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

// Caches must not store responses about a project, and browsers must not take a response for a script or a page.
func TestNoAnswerIsSniffedAndNoAnswerOfManagementIsStored(t *testing.T) {
	t.Parallel()
	check := func(t *testing.T, answer *httptest.ResponseRecorder, private bool) {
		t.Helper()
		require.Equal(t, []string{"nosniff"}, answer.Header().Values("X-Content-Type-Options"), answer.Code)
		if private {
			require.Equal(t, []string{"no-store"}, answer.Header().Values("Cache-Control"), answer.Code)
		}
	}
	shared := newTestAPI(t)
	for _, r := range table(t) {
		t.Run(r.Method+" "+r.Path, func(t *testing.T) {
			w := shared.in(t)
			call := callOn(r)
			if r.Access == rest.Root {
				call.key, call.header["X-Project"] = w.rootKey, ""
			}
			check(t, w.do(call), r.Access != rest.Public)
			call.header["Authorization"] = "Bearer nonsense"
			check(t, w.do(call), true) // the response is a problem
		})
	}
	check(t, shared.do(request{method: get, path: "/nowhere"}), true)
	check(t, shared.do(request{method: put, path: "/v1/ota/builds"}), true)
}

func TestWhatDevicesGetKeepsItsCacheHeaders(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	answer := w.do(request{method: get, path: "/v1/ota/flag-definitions/demo", anonymous: true})
	require.Equal(t, 200, answer.Code)
	require.Equal(t, "no-cache", answer.Header().Get("Cache-Control"))
	require.Equal(t, "nosniff", answer.Header().Get("X-Content-Type-Options"))
}

// lateSnapshots serve a change only once caughtUp returns.
type lateSnapshots struct {
	snapshots
	caughtUp func(ctx context.Context, projectID int64) error
}

func (s lateSnapshots) CatchUp(ctx context.Context, projectID int64) error {
	return s.caughtUp(ctx, projectID)
}

// requireBounded fails the test unless ctx ends within most.
func requireBounded(t *testing.T, ctx context.Context, most time.Duration) {
	t.Helper()
	ends, bounded := ctx.Deadline()
	require.True(t, bounded)
	require.False(t, ends.After(time.Now().Add(most)), "it ends at %s", ends)
}

func TestAChangeIsAnsweredOnceItIsServed(t *testing.T) {
	t.Parallel()
	var asked []int64
	var late error
	w := newTestAPI(t, func(d *parts) {
		d.Snapshots = lateSnapshots{newSnapshots(t), func(ctx context.Context, projectID int64) error {
			requireBounded(t, ctx, 250*time.Millisecond)
			asked = append(asked, projectID)
			return late
		}}
	})
	countChannels(w)
	for _, key := range []string{"", "k", "k"} { // the last one is replayed
		asked = nil
		answer := w.do(createChannel(key, `{"name":"beta"}`))
		require.Equal(t, http.StatusCreated, answer.Code, answer.Body.String())
		require.Empty(t, answer.Header().Get("Waft-Served"))
		require.Contains(t, answer.Body.String(), "beta")
		require.Equal(t, []int64{demo.ID}, asked)
	}
	late = context.DeadlineExceeded
	answer := w.do(createChannel("", `{"name":"gamma"}`))
	require.Equal(t, http.StatusCreated, answer.Code)
	require.Equal(t, "pending", answer.Header().Get("Waft-Served"))
	require.Contains(t, answer.Body.String(), "gamma")

	asked = nil
	w.store.createChannel = func(models.NewChannel) (models.Channel, error) {
		return models.Channel{}, models.Errorf(models.CodeAlreadyExists, "a channel with this name already exists")
	}
	refused := w.do(createChannel("", `{"name":"beta"}`))
	w.problem(refused, 409, models.CodeAlreadyExists)
	require.Empty(t, refused.Header().Get("Waft-Served"))
	require.Empty(t, asked, "nothing changed")
}

func TestARequestForWhatIsServedWaitsForWhatIsCommitted(t *testing.T) {
	t.Parallel()
	late := lateSnapshots{newSnapshots(t), nil}
	current := late.snapshots
	w := newTestAPI(t, func(d *parts) {
		served := servedAfter{}
		served.caughtUp = func(ctx context.Context, projectID int64) error {
			requireBounded(t, ctx, time.Second)
			require.Equal(t, demo.ID, projectID)
			served.snapshots = current
			return nil
		}
		d.Snapshots = &served
	})
	answer := w.do(request{method: get, path: "/v1/ota/resolve?channel=production&platform=ios&runtimeVersion=1.0.0&deviceId=D1"})
	require.Equal(t, http.StatusOK, answer.Code, answer.Body.String())
	require.Contains(t, answer.Body.String(), releasedUUID.String())
}

// servedAfter does not serve anything before it is caught up.
type servedAfter struct{ lateSnapshots }

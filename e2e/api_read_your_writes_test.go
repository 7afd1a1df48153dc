package e2e

import (
	"net/http"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/lab/enginetest"
)

// If a device sends a request right after the response to a change, it is served the change. It does not matter whether
// the API or the worker committed the change.
func TestWhatIsAnsweredIsServed(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	device, inTime := uuid.NewString(), 0
	requireServed := func(a answer, want any) {
		t.Helper()
		require.Less(t, a.status, 300, a.body)
		if a.header.Get("Waft-Served") == "pending" {
			return // on a slow machine the response says that the change is not served yet
		}
		if want == nil {
			want = ""
		}
		require.Equal(t, want, p.gets(device, "production"))
		inTime++
	}
	build := p.build().id("id")
	for range enginetest.Sized(50, 20) {
		a := p.do(request{method: http.MethodPost, path: path("/v1/ota/builds/%d/publish", build), body: object{"channel": "production"}})
		requireServed(a, a.record(http.StatusCreated)["updateUuid"])
	}
	release, id := p.rollOut(p.inStages(0, 0, 0.001, 0.002, 0.003, 100))
	p.awaitRollout(id, hasHappened("started"))
	before := p.gets(device, "production")
	require.NotEqual(t, release["updateUuid"], before)
	for _, served := range []any{before, before, release["updateUuid"]} {
		requireServed(p.do(steering(id, "advance", nil).untilTaken()), served)
	}
	disabled := request{method: http.MethodPatch, path: path("/v1/ota/updates/%d", release.id("id")), body: object{"isEnabled": false}}
	requireServed(p.do(disabled), before)
	require.Greater(t, inTime, enginetest.Sized(25, 10), "most changes are served in time")
}

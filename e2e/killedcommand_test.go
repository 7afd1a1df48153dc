package e2e

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// The first command to a rollout takes effect also when the worker that had the rollout in memory was killed a moment ago.
func TestACommandRightAfterTheWorkerWasKilled(t *testing.T) {
	t.Parallel()
	env := settings(t)
	migrate(t, env)
	server := waftd(t, "serve", env)
	p := installation{url: server.url(), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}.tenant(t)
	p.known()
	_, execution := p.rollOut(p.inStages(0, 0, 10, 100))
	p.awaitRollout(execution, has("percentage", 10.0))
	server.kill()
	p.url = waftd(t, "serve", env).url()
	p.do(request{method: http.MethodPost, path: path("/v1/ota/rollout-executions/%d/pause", execution)}).record(http.StatusOK)
	require.Equal(t, "paused", p.read(path("/v1/ota/rollout-executions/%d", execution))["status"])
}

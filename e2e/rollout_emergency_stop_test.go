package e2e

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

func (p *tenant) stop(reason string) object {
	p.t.Helper()
	return p.change(http.MethodPost, "/v1/ota/emergency-stop", object{"reason": reason}, "").record(200)
}

func (p *tenant) resumeProject() {
	p.t.Helper()
	require.Equal(p.t, 204, p.change(http.MethodDelete, "/v1/ota/emergency-stop", nil, "").status)
}

func (p *tenant) rollout(id int64) object {
	p.t.Helper()
	return p.do(at("/v1/ota/rollout-executions/%d", id).get()).record(200)
}

// offered reports whether a device on the channel is currently offered an update.
func (p *tenant) offered(channel string) bool {
	p.t.Helper()
	resolved := p.do(at("/v1/ota/resolve?channel=%s&platform=ios&runtimeVersion=1.0.0&deviceId=d", channel).get()).record(200)
	return resolved["updateId"] != nil
}

// command sends a command to a rollout's workflow.
func (p *tenant) command(id int64, name string) answer {
	p.t.Helper()
	return p.do(steering(id, name, object{}).untilTaken())
}

// TestAnEmergencyStopNeedsNoWorker stops and resumes projects while no worker runs, both before their rollouts have
// begun and after. When a worker runs again, the workflows continue from the rows that the stop has changed.
func TestAnEmergencyStopNeedsNoWorker(t *testing.T) {
	t.Parallel()
	env := settings(t)
	server := installation{url: serveAPI(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}
	p := server.tenant(t)
	begun, held, paused := p.execution(), p.execution(), p.channel()
	p.change(http.MethodPatch, "/v1/ota/channels/"+paused, object{"isPaused": true}, "").record(200)
	kill := startWorker(t, env)
	running := func(e object) func() bool {
		return func() bool {
			return p.rollout(e.id("id"))["percentage"] == 10.0 && len(p.rollout(e.id("id"))["timeline"].([]any)) > 0
		}
	}
	p.eventually(running(begun))
	p.eventually(running(held))
	p.command(held.id("id"), "pause").record(200)
	kill()
	fresh := p.execution() // its workflow has not begun
	require.Equal(t, object{"active": false, "reason": "", "stoppedBy": "", "stoppedAt": nil, "channels": []any{}, "executions": []any{}},
		p.do(at("/v1/ota/emergency-stop").get()).record(200))

	stopped := p.stop("it hurts")
	require.Equal(t, [3]any{true, "it hurts", p.marker}, [3]any{stopped["active"], stopped["reason"], stopped["stoppedBy"]})
	require.ElementsMatch(t, []any{begun["id"], fresh["id"]}, stopped["executions"])
	require.Equal(t, stopped, p.do(at("/v1/ota/emergency-stop").get()).record(200))
	for _, channel := range p.list("/v1/ota/channels") {
		require.Equal(t, true, channel["isPaused"], channel["name"])
	}
	for _, e := range []object{begun, fresh} {
		row := p.rollout(e.id("id"))
		require.Equal(t, [2]any{"paused", "emergency stop: it hurts"}, [2]any{row["status"], row["reason"]})
	}
	require.Equal(t, stopped, p.stop("again"), "a second stop must keep the reason of the first")

	// A worker runs again. Its workflows adopt the changes that were made without it.
	kill = startWorker(t, env)
	p.eventually(running(fresh))
	require.Equal(t, "paused", p.rollout(fresh.id("id"))["status"])
	p.eventually(func() bool { return p.command(begun.id("id"), "pause").status == 409 })
	p.command(begun.id("id"), "advance").record(200)
	require.Equal(t, "paused", p.rollout(begun.id("id"))["status"])
	kill()

	p.resumeProject()
	p.change(http.MethodDelete, "/v1/ota/emergency-stop", nil, "").problem(404, models.CodeNotFound)
	for _, channel := range p.list("/v1/ota/channels") {
		require.Equal(t, channel["name"] == paused, channel["isPaused"], "the end resumes only what the stop paused: %s", channel["name"])
	}
	require.Equal(t, "running", p.rollout(begun.id("id"))["status"])
	require.Equal(t, "running", p.rollout(fresh.id("id"))["status"])
	require.Equal(t, "paused", p.rollout(held.id("id"))["status"], "a rollout that a person paused stays paused")

	kill = startWorker(t, env)
	defer kill()
	for _, e := range []object{begun, fresh} {
		id := e.id("id")
		p.eventually(func() bool { return p.command(id, "pause").status == 200 })
		p.command(id, "resume").record(200)
		p.command(id, "cancel").record(200)
		require.Equal(t, "cancelled", p.rollout(id)["status"])
	}
	for _, action := range []string{"project.stopped", "project.resumed"} {
		require.Len(t, p.list("/v1/ota/audit-log?action="+action), 1, action)
	}
}

// A stop affects one project, and reaches all of its devices immediately.
func TestAnEmergencyStopIsServedAtOnce(t *testing.T) {
	t.Parallel()
	env := settings(t)
	server := installation{url: serveAPI(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}
	p, other := server.tenant(t), server.tenant(t)
	p.served()
	other.served()
	require.True(t, p.offered("production"))
	p.stop("it hurts")
	require.False(t, p.offered("production"))
	require.True(t, other.offered("production"))
	p.change(http.MethodPatch, "/v1/ota/channels/production", object{"isPaused": false}, "").record(200)
	p.change(http.MethodPatch, "/v1/ota/channels/production", object{"isPaused": true}, "").record(200)
	p.resumeProject()
	require.True(t, p.offered("production"))
}

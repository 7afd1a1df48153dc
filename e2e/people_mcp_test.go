package e2e

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/cli"
	"github.com/waft-ota/waft/models"
)

// modelSession is a client of `waft mcp`.
type modelSession struct {
	*sdk.ClientSession
	t *testing.T
}

// mcp runs `waft mcp` with the key of a role.
func (p *tenant) mcp(role models.Role, args ...string) modelSession {
	p.t.Helper()
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	cmd := cli.NewCommand()
	cmd.SetIn(fromClient)
	cmd.SetOut(toClient)
	cmd.SetErr(io.Discard)
	cmd.SetArgs(append([]string{"mcp", "--url", p.url, "--project", p.slug, "--api-key", p.keys[role]}, args...))
	ended := make(chan error, 1)
	go func() { ended <- cmd.ExecuteContext(context.WithoutCancel(p.t.Context())) }()
	s, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).
		Connect(p.t.Context(), &sdk.IOTransport{Reader: fromServer, Writer: toServer}, nil)
	require.NoError(p.t, err)
	p.t.Cleanup(func() {
		_ = s.Close()
		require.NoError(p.t, <-ended)
	})
	return modelSession{s, p.t}
}

// try calls a tool. failed is the text of its error.
func (s modelSession) try(name string, args object) (result object, failed string) {
	s.t.Helper()
	res, err := s.CallTool(s.t.Context(), &sdk.CallToolParams{Name: name, Arguments: args})
	require.NoError(s.t, err, name)
	if res.IsError {
		return nil, res.Content[0].(*sdk.TextContent).Text
	}
	return res.StructuredContent.(map[string]any), ""
}

func (s modelSession) use(name string, args object) object {
	s.t.Helper()
	result, failed := s.try(name, args)
	require.Empty(s.t, failed, name)
	return result
}

// change makes a change with its two calls.
func (s modelSession) change(name string, args object) object {
	s.t.Helper()
	first := s.use(name, args)
	require.Equal(s.t, "preview", first["status"])
	args["confirmationToken"] = first["confirmationToken"]
	second := s.use(name, args)
	require.Equal(s.t, "done", second["status"], second)
	return second
}

// TestAModelReadsEverything calls each tool of `waft mcp` that reads.
func TestAModelReadsEverything(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	release, rollout := p.rollOut(p.inStages(0, 0, 20, 100))
	e := p.awaitRollout(rollout, hasHappened("started"))
	flag := p.create("/v1/ota/flags", object{"key": "checkout", "flagType": "boolean"})
	webhook := p.create("/v1/ota/webhooks", object{"url": "https://example.com/hook", "events": []string{"rollout.started"}})
	model := p.mcp(models.RoleViewer)
	args := map[string]object{
		"get_release": {"id": release["id"]}, "get_release_history": {"id": release["id"]}, "list_release_patches": {"id": release["id"]},
		"get_release_figures": {"updateIds": strconv.FormatInt(release.id("id"), 10)}, "get_build": {"id": release["buildId"]},
		"get_channel": {"channel": "production"},
		"get_rollout": {"id": rollout}, "get_rollout_curve": {"id": rollout}, "get_policy": {"id": e["policyId"]},
		"get_flag":        {"flag": "checkout"},
		"get_flag_health": {"flag": flag["key"]}, "get_flag_evaluations": {"flag": "checkout"}, "list_flag_schedule": {"flag": "checkout"},
		"explain_flag":            {"flag": "checkout", "targetingKey": "u1", "channel": "production"},
		"explain_device":          {"channel": "production", "platform": "ios", "runtimeVersion": "1.0.0", "deviceId": "d1"},
		"get_webhook":             {"id": webhook["id"]},
		"list_webhook_deliveries": {"id": webhook["id"]},
		"list_rollouts":           {"status": "running", "channel": "production"},
		"list_releases":           {"channel": "production", "isEnabled": "true", "limit": 5},
	}
	// These records do not exist, and the tool says so.
	missing := map[string]object{
		"get_segment": {"id": 999}, "get_context": {"id": 999}, "get_incident": {"id": 999},
		"get_error_group": {"fingerprint": "0123456789abcdef"},
		"get_event":       {"eventId": "0190e0f2-0000-7000-8000-000000000000"},
		"get_device":      {"deviceId": "unknown"}, "get_approval": {"id": 999},
	}
	for tool, err := range model.Tools(t.Context(), nil) {
		require.NoError(t, err)
		if of, isMissing := missing[tool.Name]; isMissing {
			_, failed := model.try(tool.Name, of)
			require.NotEmpty(t, failed, tool.Name)
			require.NotContains(t, failed, "unexpected property", tool.Name)
			continue
		}
		result := model.use(tool.Name, args[tool.Name])
		require.Contains(t, result, "data", tool.Name)
	}
	require.NotContains(t, fmt.Sprint(model.use("get_webhook", args["get_webhook"])), webhook["secret"])
}

// TestAModelChangesWhatCanBeUndone calls each tool of `waft mcp` that changes something.
func TestAModelChangesWhatCanBeUndone(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	good := p.release()
	p.create("/v1/ota/flags", object{"key": "checkout", "flagType": "boolean"})
	_, rollout := p.rollOut(p.inStages(60, 0, 20, 50, 100))
	p.awaitRollout(rollout, hasHappened("started"))
	model := p.mcp(models.RoleAdmin, "--allow-changes")
	model.change("pause_rollout", object{"id": rollout, "reason": "let me look"})
	p.awaitRollout(rollout, hasHappened("paused"))
	model.change("resume_rollout", object{"id": rollout})
	p.awaitRollout(rollout, hasHappened("resumed"))
	model.change("advance_rollout", object{"id": rollout})
	p.awaitRollout(rollout, hasHappened("stage_advanced"))
	model.change("roll_back_rollout", object{"id": rollout, "scope": "release", "reason": "it crashes"})
	require.Equal(t, "rolled_back", p.rolloutNow(rollout)["status"])

	model.change("set_channel_paused", object{"channel": "production", "isPaused": true})
	require.Equal(t, true, p.read("/v1/ota/channels/production")["isPaused"])
	model.change("set_channel_paused", object{"channel": "production", "isPaused": false})
	model.change("set_flag", object{"flag": "checkout", "channel": "production", "enabled": true})
	p.release()
	model.change("roll_back_channel", object{"channel": "production", "platform": "ios", "runtimeVersion": "1.0.0",
		"rollbackToUpdateId": good["id"]})
	newest := p.list("/v1/ota/updates?limit=1")[0]
	require.Equal(t, good["id"], newest["republishedFromId"])
	model.change("set_release_enabled", object{"id": newest["id"], "isEnabled": false})
	require.Equal(t, false, p.read(path("/v1/ota/updates/%d", newest.id("id")))["isEnabled"])
	model.change("stop_everything", object{"reason": "it hurts"})
	model.change("resume_everything", object{})

	// A token does not outlive a change of what the call would do.
	first := model.use("set_channel_paused", object{"channel": "production", "isPaused": true})
	p.do(to(object{"isPaused": true}, "/v1/ota/channels/production").by(http.MethodPatch)).requireStatus(http.StatusOK)
	second := model.use("set_channel_paused", object{"channel": "production", "isPaused": true,
		"confirmationToken": first["confirmationToken"]})
	require.Equal(t, "changed_meanwhile", second["status"])

	viewer := p.mcp(models.RoleViewer, "--allow-changes")
	first = viewer.use("set_channel_paused", object{"channel": "production", "isPaused": false})
	_, failed := viewer.try("set_channel_paused", object{"channel": "production", "isPaused": false,
		"confirmationToken": first["confirmationToken"]})
	require.Contains(t, failed, "role")
}

// A model turns a flag on although another device evaluates it between the preview and the second call.
func TestAModelSetsAFlagThatDevicesEvaluate(t *testing.T) {
	t.Parallel()
	env := settings(t)
	p := installation{url: serveAPI(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}.tenant(t)
	p.known()
	flag := p.create("/v1/ota/flags", p.flagBody().with("enabled", false))
	p.create(path("/v1/ota/flags/%d/rules", flag.id("id")), object{
		"ruleType": "percentage_rollout", "ruleConfig": object{"rollout": []object{{"variantValue": "true", "weight": 100}}},
	})
	p.settle(flag.id("id"))
	evaluate := func(device string) {
		p.do(request{method: http.MethodPost, path: "/v1/ota/flag-evaluations-bulk", body: object{
			"projectSlug": p.slug, "channel": "production", "deviceId": device, "platform": "ios", "runtimeVersion": "1.0.0",
		}}).requireStatus(http.StatusOK)
	}
	evaluate("a")
	p.eventually(func() bool { return len(p.list("/v1/ota/contexts")) == 1 })
	model := p.mcp(models.RoleAdmin, "--allow-changes")
	args := object{"flag": flag["key"], "channel": "production", "enabled": true}
	first := model.use("set_flag", args)
	moves := first["preview"].(map[string]any)["moves"]
	require.Equal(t, 1.0, theOnly(t, moves)["devices"], "the preview counts the device")

	evaluate("b")
	p.eventually(func() bool {
		now := p.preview(object{"enabled": true}, "/v1/ota/flags/%d/env/production", flag.id("id"))
		return now["devicesAffected"] == 2.0
	})
	second := model.use("set_flag", args.with("confirmationToken", first["confirmationToken"]))
	require.Equal(t, "done", second["status"], second)
}

package cli

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/waft-ota/waft/internal/cli/clitest"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

// commanding matches the characters that must not be printed, except the line breaks of the command itself.
var commanding = regexp.MustCompile(`[\x00-\x09\x0b-\x1f\x7f-\x{9f}\x{61c}\x{200e}\x{200f}\x{2028}-\x{202e}\x{2066}-\x{2069}]`)

// poisoned returns the JSON of a response in which every free-form string ends with the nasty strings.
func poisoned(t *testing.T, answer any) any {
	t.Helper()
	text, err := json.Marshal(answer)
	require.NoError(t, err)
	var value any
	require.NoError(t, json.Unmarshal(text, &value))
	return poison(value)
}

func poison(value any) any {
	switch v := value.(type) {
	case string:
		_, notTime := time.Parse(time.RFC3339, v)
		_, notUUID := uuid.Parse(v)
		if notTime != nil && notUUID != nil {
			return v + clitest.Nasty
		}
	case []any:
		for i := range v {
			v[i] = poison(v[i])
		}
	case map[string]any:
		for name := range v {
			v[name] = poison(v[name])
		}
	}
	return value
}

// requirePlain runs the command with nasty strings in every response. found are the records that the command looks
// up.
func requirePlain(t *testing.T, c commandCase, found map[string]any) {
	t.Helper()
	a := clitest.New(t)
	for call, answer := range found {
		a.On(call, func(string, http.Header) (int, any) { return 200, answer })
	}
	answer := poisoned(t, c.answer)
	a.On(c.call, func(string, http.Header) (int, any) { return max(c.status, 200), answer })
	out, err := a.RunWith(t, NewCommand(), c.input, c.args...)
	require.NotRegexp(t, commanding, out)
	require.NotRegexp(t, commanding, Message(err))
	if err == nil && !slices.Contains(c.args, "--stacks") {
		require.Equal(t, strings.Count(c.told, "\n"), strings.Count(out, "\n"), "a text made a line of its own: %q", out)
	}

	out, err = a.RunWith(t, NewCommand(), c.input, append(c.args, "--json")...)
	require.NoError(t, err)
	require.NotRegexp(t, commanding, out)
	want, err := json.Marshal(answer)
	require.NoError(t, err)
	require.JSONEq(t, string(want), out)
}

// rolloutWith returns a rollout with a timeline, health and a schedule.
func rolloutWith(status string) map[string]any {
	e := clitest.Execution(status)
	e["workflowId"], e["runtimeVersion"], e["channel"] = "rollout/demo/21", "1.0.0", "production"
	e["schedule"] = map[string]any{"timeZone": "UTC", "freezeWindows": []any{map[string]any{"from": "18:00", "to": "08:00"}}}
	e["linkedFlags"] = []any{map[string]any{"flagId": 5, "flagKey": "checkout"}}
	e["timeline"] = []any{map[string]any{"at": "2026-03-14T09:26:53Z", "event": "paused", "actor": "Ada", "reason": "lunch", "percentage": 5}}
	return e
}

// This test covers commands whose output testCommands does not check, and commands that make several calls.
func TestAnswersOnlyShow(t *testing.T) {
	t.Parallel()
	history := []any{map[string]any{"id": 1, "action": "update.created", "actor": "Ada", "createdAt": "2026-03-14T09:26:53Z"}}
	event := map[string]any{
		"id": "e", "type": "crash", "message": "boom", "errorName": "TypeError", "name": "n", "count": 1, "receivedAt": "2026-03-14T09:26:53Z",
		"stackTrace": "at a\nat b", "deviceId": "device-1", "platform": "ios", "channel": "production", "runtimeVersion": "1.0.0",
	}
	for name, c := range map[string]struct {
		args    []string
		answers map[string]any
		says    string
	}{
		"rollouts list": {[]string{"rollouts", "list"}, map[string]any{"GET /rollout-executions": []any{rolloutWith("paused")}}, "careful"},
		"rollouts show": {[]string{"rollouts", "show", "21"}, map[string]any{"GET /rollout-executions/21": rolloutWith("paused")}, "lunch"},
		"rollouts pause": {
			[]string{"rollouts", "pause", "21"}, map[string]any{"POST /rollout-executions/21/pause": rolloutWith("paused")}, "paused",
		},
		"releases show": {
			[]string{"releases", "show", "29"},
			map[string]any{"GET /updates/29": clitest.Release(nil), "GET /updates/29/history": history}, "update.created",
		},
		"events": {[]string{"events", "--stacks"}, map[string]any{"GET /observe/events": []any{event}}, "    at b"},
		"health": {[]string{"health"}, map[string]any{
			"GET /telemetry/incidents": []any{map[string]any{
				"platform": "ios", "runtimeVersion": "1.0.0", "channel": "production", "flagKey": "checkout", "variation": "on",
			}},
			"GET /insights/adoption": map[string]any{"distribution": []any{map[string]any{"platform": "ios", "runtimeVersion": "1.0.0"}}},
			"GET /telemetry/refused": []any{map[string]any{"reason": "unknown_channel", "channel": "prodution", "platform": "ios"}},
		}, "prodution"},
		"api": {[]string{"api", "GET", "/webhooks"}, map[string]any{"GET /webhooks": []any{map[string]any{"description": "d"}}}, "description"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := clitest.New(t)
			for call, answer := range c.answers {
				answer = poisoned(t, answer)
				a.On(call, func(string, http.Header) (int, any) { return 200, answer })
			}
			out, err := a.Run(t, NewCommand(), c.args...)
			require.NoError(t, err)
			require.Contains(t, out, c.says)
			require.NotRegexp(t, commanding, out)
			require.NotRegexp(t, `(?m)^2026-03-14 09:26:53Z  crash ×1  forged`, out)
			if c.args[0] == "api" {
				return
			}
			out, err = a.Run(t, NewCommand(), append(c.args, "--json")...)
			require.NoError(t, err)
			require.NotRegexp(t, commanding, out)
			require.Contains(t, out, `\u001b`)
			require.Contains(t, out, `\u202e`)
		})
	}
	t.Run("a refusal", func(t *testing.T) {
		t.Parallel()
		a := clitest.New(t)
		a.On("GET /rollout-executions/21", func(string, http.Header) (int, any) {
			return 409, map[string]any{"code": "in_use", "detail": "no " + clitest.Nasty, "errors": []any{map[string]any{"field": "f" + clitest.Nasty, "message": clitest.Nasty}}}
		})
		_, err := a.Run(t, NewCommand(), "rollouts", "show", "21")
		require.Contains(t, Message(err), "no ")
		require.NotRegexp(t, commanding, Message(err))
	})
	require.NotRegexp(t, commanding, Message(errors.New(clitest.Nasty)))
}

func TestTheStreamOfARolloutOnlyShows(t *testing.T) {
	t.Parallel()
	rollout := poisoned(t, rolloutWith("completed")).(map[string]any)
	rollout["status"] = "completed"
	record, err := json.Marshal(rollout)
	require.NoError(t, err)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = w.Write([]byte("event: execution\ndata: " + string(record) + "\n\n")) // the command reports a broken stream
	}))
	t.Cleanup(server.Close)
	for _, args := range [][]string{nil, {"--json"}} {
		out, err := (&clitest.API{URL: server.URL}).Run(t, NewCommand(), append([]string{"rollouts", "watch", "21"}, args...)...)
		require.NoError(t, err)
		require.Contains(t, out, "lunch")
		require.NotRegexp(t, commanding, out)
	}
}

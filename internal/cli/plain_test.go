package cli

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"regexp"
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

// rolloutWith returns a rollout with a timeline, health and a schedule.
func rolloutWith(status string) map[string]any {
	e := clitest.Execution(status)
	e["workflowId"], e["runtimeVersion"], e["channel"] = "rollout/demo/21", "1.0.0", "production"
	e["schedule"] = map[string]any{"timeZone": "UTC", "freezeWindows": []any{map[string]any{"from": "18:00", "to": "08:00"}}}
	e["linkedFlags"] = []any{map[string]any{"flagId": 5, "flagKey": "checkout"}}
	e["timeline"] = []any{map[string]any{"at": "2026-03-14T09:26:53Z", "event": "paused", "actor": "Ada", "reason": "lunch", "percentage": 5}}
	return e
}

func TestErrorsOnlyShow(t *testing.T) {
	t.Parallel()
	a := clitest.New(t)
	a.On("GET /rollout-executions/21", func(string, http.Header) (int, any) {
		return 409, map[string]any{
			"code": "in_use", "detail": "no " + clitest.Nasty,
			"errors": []any{map[string]any{"field": "f" + clitest.Nasty, "message": clitest.Nasty}},
		}
	})
	_, err := a.Run(t, NewCommand(), "rollouts", "show", "21")
	require.Contains(t, Message(err), "no ")
	require.NotRegexp(t, commanding, Message(err))
	require.NotRegexp(t, commanding, Message(errors.New(clitest.Nasty)))
}

func TestTheStreamOfARolloutOnlyShows(t *testing.T) {
	t.Parallel()
	rollout := poisoned(t, rolloutWith("completed")).(map[string]any)
	rollout["status"] = "completed"
	record, err := json.Marshal(rollout)
	require.NoError(t, err)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/stream") {
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write(record) // the command reports a broken response
			return
		}
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

package rollout_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/waft-ota/waft/internal/cli"
	"github.com/waft-ota/waft/internal/cli/clitest"

	"github.com/stretchr/testify/require"
)

// Scripts that wait for a rollout learn its outcome from the exit code.
func TestTheExitCodeOfAWatchIsHowTheRolloutEnded(t *testing.T) {
	t.Parallel()
	for status, code := range map[string]int{"completed": 0, "rolled_back": 3, "cancelled": 3} {
		for _, format := range []string{"--json", "--json=false"} {
			t.Run(status+" "+format, func(t *testing.T) {
				t.Parallel()
				e := clitest.Execution(status)
				e["reason"] = "told so"
				event, err := json.Marshal(e)
				require.NoError(t, err)
				server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					switch r.URL.Path {
					case "/v1/ota/rollout-executions/21":
						w.Header().Set("Content-Type", "application/json")
						_, _ = w.Write(event) // the command reports a broken response
						return
					case "/v1/ota/rollout-executions/21/stream":
					default:
						http.NotFound(w, r)
						return
					}
					w.Header().Set("Content-Type", "text/event-stream")
					_, _ = w.Write(append(append([]byte("event: execution\ndata: "), event...), "\n\n"...)) // the command reports a broken stream
				}))
				t.Cleanup(server.Close)
				out, err := (&clitest.API{URL: server.URL}).Run(t, cli.NewCommand(), "rollouts", "watch", "21", format)
				require.Equal(t, code, cli.ExitCode(err))
				if code != 0 {
					require.EqualError(t, err, "rollout 21 was "+strings.ReplaceAll(status, "_", " ")+": told so")
				}
				if format == "--json" {
					require.True(t, json.Valid([]byte(out)), out)
				} else {
					require.Contains(t, out, "Z  "+strings.ReplaceAll(status, "_", " ")+", stage 1 of 2, rollout percentage 5%")
				}
			})
		}
	}
}

func TestAWatchTellsOfALostConnection(t *testing.T) {
	t.Parallel()
	var streams atomic.Int32
	a := clitest.New(t)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		status := "running"
		switch n := streams.Load(); {
		case !strings.HasSuffix(r.URL.Path, "/stream"):
			a.ServeHTTP(w, r)
			return
		case n == 1 || n == 2:
			streams.Add(1)
			http.Error(w, "not now", http.StatusServiceUnavailable)
			return
		case n == 3:
			status = "completed"
		}
		streams.Add(1)
		event, err := json.Marshal(clitest.Execution(status))
		if err != nil {
			panic(err)
		}
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = w.Write(append(append([]byte("event: execution\ndata: "), event...), "\n\n"...)) // the command reports a broken stream
	}))
	t.Cleanup(server.Close)
	a.URL = server.URL
	a.On("GET /rollout-executions/21", func(string, http.Header) (int, any) { return 200, clitest.Execution("running") })
	_, messages, err := a.RunBoth(t, cli.NewCommand(), "rollouts", "watch", "21")
	require.NoError(t, err)
	require.Equal(t, 1, strings.Count(messages, "connection lost, reconnecting: "), messages)
	require.Regexp(t, "Z  connected again\n$", messages)
}

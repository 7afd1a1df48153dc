package ci

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/cli/clitest"
)

// reads makes the API return the statuses for rollout 1, one for each read, the last one again and again. A number is a refusal.
func reads(a *clitest.API, states ...any) {
	a.On("GET /rollout-executions/1", func(string, http.Header) (int, any) {
		state := states[0]
		if len(states) > 1 {
			states = states[1:]
		}
		if status, refused := state.(int); refused {
			return status, map[string]any{"detail": "away", "code": map[int]string{401: "unauthenticated"}[status]}
		}
		return 200, map[string]any{"id": 1, "status": state, "platform": "ios"}
	})
}

func TestFollowGoesOnAfterTransientErrors(t *testing.T) {
	t.Parallel()
	a := clitest.New(t)
	reads(a, 503, "running", 429, 502, "completed")
	file := writePublished(t, published(1))
	out, messages, err := a.RunBoth(t, root(), "ci", "follow", file, "--channel", "staging", "--every", "1ms")
	require.NoError(t, err)
	require.Contains(t, out, "completed")
	require.Equal(t, 3, strings.Count(messages, "cannot be read now, trying again: away"), messages)

	reads(a, "running", 503)
	out, messages, err = a.RunBoth(t, root(), "ci", "follow", file, "--channel", "staging", "--every", "1ms", "--timeout", "5ms")
	require.NoError(t, err)
	require.Contains(t, out, "running")
	require.Contains(t, messages, stillRun)

	reads(a, 503)
	_, err = a.Run(t, root(), "ci", "follow", file, "--channel", "staging", "--every", "1ms", "--timeout", "5ms")
	require.ErrorContains(t, err, "away")
	reads(a, "running", 403)
	_, err = a.Run(t, root(), "ci", "follow", file, "--channel", "staging", "--every", "1ms")
	require.ErrorContains(t, err, "away")
}

func TestFollowOnGitLabEndsWithTheKeyOfTheJob(t *testing.T) { //nolint:paralleltest // it sets the environment
	a := clitest.New(t)
	file := writePublished(t, published(1))
	for _, name := range []string{"WAFT_ID_TOKEN", "ACTIONS_ID_TOKEN_REQUEST_URL", "GITLAB_CI"} {
		t.Setenv(name, "")
	}
	reads(a, "running", 401)
	_, err := a.Run(t, root(), "ci", "follow", file, "--channel", "staging", "--every", "1ms")
	require.ErrorContains(t, err, "the key of the job has expired")
	t.Setenv("GITLAB_CI", "true")
	reads(a, "running", 401)
	out, messages, err := a.RunBoth(t, root(), "ci", "follow", file, "--channel", "staging", "--every", "1ms")
	require.NoError(t, err)
	require.Contains(t, out, "running")
	require.Contains(t, messages, "the key of the job has expired")
	require.Contains(t, messages, stillRun)
}

func TestACommentThatIsRefusedIsNotTriedAgain(t *testing.T) { //nolint:paralleltest // it sets the environment
	for _, status := range []int{http.StatusForbidden, http.StatusNotFound, http.StatusUnauthorized, http.StatusBadGateway} {
		host := newHost(t)
		host.refuses = status
		host.gitLabJob(t)
		a := clitest.New(t)
		reads(a, "running", "paused", "completed")
		file := writePublished(t, published(1))
		_, messages, err := a.RunBoth(t, root(), "ci", "follow", file, "--channel", "staging", "--every", "1ms", "--comment")
		require.NoError(t, err)
		require.Equal(t, 1, strings.Count(messages, "no comment: "), messages)
		calls := 1
		if status == http.StatusBadGateway { // the next one may succeed
			calls = 3
		}
		require.Len(t, host.calls, calls)
	}
}

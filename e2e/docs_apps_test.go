package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/cli"
	"github.com/waft-ota/waft/models"
)

var (
	policyOfPage   = regexp.MustCompile(`(?s)waft policies create - <<'END'\n(.*?)\nEND\n`)
	simulateOfPage = regexp.MustCompile(`(?m)^waft (simulate [^>&\n]*?) > simulate.log &$`)
)

// TestTheTutorialOfAppsCompletes creates the policy of docs/start/your-app.md, with stages of two seconds, publishes under it, and
// simulates the devices that the page simulates. The rollouts must reach every device on both platforms.
func TestTheTutorialOfAppsCompletes(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("..", "docs", "start", "your-app.md"))
	require.NoError(t, err)
	policy, simulate := policyOfPage.FindSubmatch(text), simulateOfPage.FindSubmatch(text)
	require.NotNil(t, policy)
	require.NotNil(t, simulate)
	env := settings(t)
	p := newProject(t, serve(t, env), env["WAFT_ROOT_KEY"])
	run := func(ctx context.Context, input string, args ...string) (out []byte, code int) {
		var stdout, stderr bytes.Buffer
		cmd := cli.NewCommand()
		cmd.SetIn(strings.NewReader(input))
		cmd.SetOut(&stdout)
		cmd.SetErr(io.Discard)
		code = cli.Run(ctx, cmd, append([]string{"--url", p.url, "--project", p.slug, "--api-key", p.key}, args...), &stderr)
		if code != 0 {
			t.Log(args, stderr.String())
		}
		return stdout.Bytes(), code
	}
	short := strings.ReplaceAll(string(policy[1]), `"minDurationMinutes": 1}`, `"minDurationMinutes": 0.03}`)
	require.NotEqual(t, string(policy[1]), short)
	_, code := run(t.Context(), short, "policies", "create", "-")
	require.Zero(t, code)

	exports := madeExports(t)
	publish := func(export string, args ...string) []client.Update {
		out, code := run(t.Context(), "", append([]string{
			"publish", exports[export], "--channel", "production", "--runtime-version", "1.0.0", "--json",
		}, args...)...)
		require.Zero(t, code)
		var published struct{ Updates []client.Update }
		require.NoError(t, json.Unmarshal(out, &published), string(out))
		require.Len(t, published.Updates, 2)
		return published.Updates
	}
	publish("stable")
	next := publish("next", "--policy", "careful")

	ctx, stop := context.WithCancel(t.Context())
	t.Cleanup(stop)
	simulated := make(chan struct{})
	go func() {
		defer close(simulated)
		run(ctx, "", strings.Fields(string(simulate[1]))...)
	}()
	for _, u := range next {
		_, code := run(t.Context(), "", "rollouts", "watch", strconv.FormatInt(*u.RolloutExecutionID, 10))
		require.Zero(t, code)
		e := p.until(t, *u.RolloutExecutionID, ended)
		require.Equal(t, models.ExecutionCompleted, models.ExecutionStatus(e.Status), e.Reason)
	}
	stop()
	<-simulated
}

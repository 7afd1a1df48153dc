package ci

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/uuid"
	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/cli/clitest"
	"github.com/waft-ota/waft/internal/cli/command"
	"github.com/waft-ota/waft/internal/cli/rollout"
)

func page(path string) string { return "https://ota.example.com/app/demo/" + path }

func published(rollouts ...int64) (p client.Republished) {
	for _, id := range rollouts {
		p.Updates = append(p.Updates, client.Update{
			ID: 10 + id, Platform: "ios", RuntimeVersion: "1.0.0", ReleaseMessage: "`a`\n| b", RolloutExecutionID: &id,
		})
	}
	return p
}

func TestTheCommentIsOneTableWithAMarker(t *testing.T) {
	t.Parallel()
	r := report{project: "demo", channel: "a--> b", published: published(1), rollouts: map[int64]client.RolloutExecution{}, page: page}
	require.Equal(t, "<!-- waft demo a-- b -->\n**Waft**: published to `a--> b` (project `demo`): `'a' / b`\n\n"+
		"| Platform | Release | Runtime version | Build | State |\n|---|---|---|---|---|\n"+
		"| ios | [release 11](https://ota.example.com/app/demo/releases/11) | `1.0.0` | build -, 0 files, 0.0 MB | "+
		"[rollout 1](https://ota.example.com/app/demo/rollouts/1) |\n", r.text())
	r.rollouts[1] = client.RolloutExecution{ID: 1, Status: "rolled_back", Reason: "crashes"}
	require.Contains(t, r.text(), "[rolled back at 0%](https://ota.example.com/app/demo/rollouts/1): `crashes` |")
	r.published.Updates = nil
	require.Contains(t, r.text(), "[waits for approval](https://ota.example.com/app/demo/approvals)")
}

func TestFollowingEndsAtItsGoal(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		until, status string
		stage         int64
		over, failed  bool
	}{
		"published":               {untilPublished, "running", 0, true, false},
		"first stage running":     {untilFirstStage, "running", 0, false, false},
		"first stage passed":      {untilFirstStage, "running", 1, true, false},
		"completed":               {untilFirstStage, "completed", 0, true, false},
		"rolled back":             {untilFirstStage, "rolled_back", 0, true, true},
		"second stage, until end": {untilEnd, "paused", 1, false, false},
		"cancelled, until end":    {untilEnd, "cancelled", 1, true, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := follower{followOptions: followOptions{until: c.until}, report: report{rollouts: map[int64]client.RolloutExecution{
				1: {ID: 1, Status: client.RolloutExecutionStatus(c.status), StageIndex: c.stage},
			}}}
			over, err := f.over()
			require.Equal(t, c.over, over)
			var ended *rollout.EndedError
			if c.failed {
				require.ErrorAs(t, err, &ended)
			} else {
				require.NoError(t, err)
			}
		})
	}
}

// root returns a command with the commands of this package only.
func root() *cobra.Command {
	s := &command.Settings{}
	cmd := &cobra.Command{Use: "waft", SilenceUsage: true, SilenceErrors: true}
	s.Register(cmd, func(string) string { return "" })
	cmd.AddCommand(CI(s))
	return cmd
}

func writePublished(t *testing.T, p client.Republished) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "published.json")
	text, err := json.Marshal(p)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(name, text, 0o600))
	return name
}

func TestOutputsAreLines(t *testing.T) {
	t.Parallel()
	p := published(1, 2)
	p.GroupID = uuid.Nil
	a := clitest.New(t)
	out, err := a.Run(t, root(), "ci", "outputs", writePublished(t, p), "--variables")
	require.NoError(t, err)
	require.Contains(t, out, "WAFT_RELEASE_IDS=11,12\n")
	require.Contains(t, out, "WAFT_ROLLOUT_IDS=1,2\nWAFT_PAGE_URL="+a.Page("releases"))
	require.NotContains(t, out, "WAFT_URL=", "later jobs would take it for the address of the server")
	empty := filepath.Join(t.TempDir(), "empty")
	require.NoError(t, os.WriteFile(empty, nil, 0o600))
	out, err = a.Run(t, root(), "ci", "outputs", empty)
	require.NoError(t, err)
	require.Contains(t, out, "release-ids=\n")
	require.Contains(t, out, "url="+a.Page("approvals"))
}

func TestFollowReadsRolloutsUntilTheyEnd(t *testing.T) {
	t.Parallel()
	a := clitest.New(t)
	statuses := []string{"running", "running", "rolled_back"}
	a.On("GET /rollout-executions/1", func(string, http.Header) (int, any) {
		status := statuses[0]
		statuses = statuses[1:]
		return 200, map[string]any{"id": 1, "status": status, "platform": "ios", "reason": "crashes"}
	})
	_, messages, err := a.RunBoth(t, root(), "ci", "follow", writePublished(t, published(1)), "--channel", "staging", "--every", "1ms")
	var ended *rollout.EndedError
	require.ErrorAs(t, err, &ended)
	require.Contains(t, messages, "rollout 1 (ios): running")
	require.Contains(t, messages, "rollout 1 (ios): rolled back")
	for flag, value := range map[string]string{"--until": "never", "--every": "0s"} {
		_, err := a.Run(t, root(), "ci", "follow", writePublished(t, published(1)), "--channel", "staging", flag, value)
		var usage *command.UsageError
		require.ErrorAs(t, err, &usage)
	}
}

package cli

import (
	"cmp"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/cli/clitest"
)

// An error names the flag or argument that is wrong, and is returned before anything is sent.
func TestCommandsSayWhatIsWrong(t *testing.T) {
	t.Parallel()
	broken := filepath.Join(t.TempDir(), "broken.json")
	require.NoError(t, os.WriteFile(broken, []byte(`{"name"`), 0o600))
	device := []string{"--channel", "c", "--runtime-version", "1"}
	for _, c := range []struct {
		args []string
		bad  string
		exit int // 0 means 2
	}{
		{
			[]string{"rollouts", "lst"},
			"unknown command \"lst\" for \"waft rollouts\"; similar: list; `waft rollouts --help` lists the commands", 0,
		},
		{[]string{"rollouts", "show"}, "ID is missing: waft rollouts show ID [flags]", 0},
		{[]string{"rollouts", "show", "1", "2"}, `unexpected argument "2": waft rollouts show ID [flags]`, 0},
		{[]string{"rollouts", "start", "x", "--policy", "p"}, "\"x\" is not the ID of a release; `waft releases list` lists them", 0},
		{[]string{"rollouts", "start", "29"}, "--policy is missing: name or ID of the rollout policy", 0},
		{
			[]string{"rollouts", "start", "29", "--policy", "p"},
			"rollout policy \"p\" does not exist in this project; `waft policies list` lists them", 6,
		},
		{[]string{"rollouts", "list", "--limit", "many"}, `invalid argument "many" for "--limit" flag`, 0},
		{[]string{"releases", "list", "--group", "x"}, "--group must be the UUID that `waft publish` printed", 0},
		{[]string{"builds", "show", "x"}, "\"x\" is not the ID of a build; `waft builds list` lists them", 0},
		{
			[]string{"builds", "source-map", "add", "27", filepath.Join(broken, "none")},
			"open " + filepath.Join(broken, "none") + ": not a directory", 1,
		},
		{[]string{"releases", "edit", "29"}, "nothing to change: use --enabled, --critical, --percentage or --message", 0},
		{
			append([]string{"rollback", "--platform", "ios"}, device...),
			"without a terminal, name what to roll back: --channel with --yes for its newest release, " +
				"or --channel with --to or --embedded", 0,
		},
		{
			append([]string{"rollback", "--allow-disabled", "--yes"}, device...),
			"the target is missing: use either --to with the ID of a release, or --embedded", 0,
		},
		{
			append([]string{"rollback", "--platform", "ios", "--to", "1", "--embedded"}, device...),
			"the target is missing: use either --to with the ID of a release, or --embedded", 0,
		},
		{append([]string{"rollback", "--platform", "web", "--embedded"}, device...), `--platform must be ios or android, not "web"`, 0},
		{[]string{"rollback", "--embedded", "--channel", ""}, "--channel is empty: give a value, or leave it out", 0},
		{[]string{"rollback", "--yes", "--channel", ""}, "--channel is empty: give a value, or leave it out", 0},
		{[]string{"rollback", "--embedded"}, "--channel is missing: channel to roll back", 0},
		{append([]string{"resolve", "--platform", "web"}, device...), `--platform must be ios or android, not "web"`, 0},
		{
			[]string{"webhooks", "create", "https://example.com", "--event", "*"},
			"unknown flag: --event; similar: --events; `waft webhooks create --help` lists the flags", 0,
		},
		{
			[]string{"events", "--release", "next"},
			"--release must be the ID or the update ID of a release, not \"next\"; `waft releases list` lists them", 0,
		},
		{
			[]string{"channels", "edit", "c"},
			"nothing to change: use --branch, --rollout-branch with --percentage, --min-runtime-version, --paused, --protected or --approvals", 0,
		},
		{[]string{"policies", "create", broken}, broken + " is not JSON: unexpected end of JSON input", 0},
		{[]string{"flags", "off", "x"}, "flag \"x\" does not exist in this project; `waft flags list` lists them", 6},
		{[]string{"flags", "off", "x", "--channel", ""}, "--channel is empty: give a value, or leave it out", 0},
		{[]string{"keys", "create", "ci", "--role", "boss"}, `--role must be client, viewer, editor or admin, not "boss"`, 0},
		{[]string{"keys", "create", "ci", "--role", "admin", "--expires-in", "-1h"}, "--expires-in must be positive, such as 720h", 0},
		{[]string{"health", "--days", "8"}, "--days must be 7, 14, 30 or 90, not 8", 0},
	} {
		t.Run(c.bad, func(t *testing.T) {
			t.Parallel()
			a := clitest.New(t)
			a.On("GET /flags", func(string, http.Header) (int, any) { return 200, []any{} })
			a.On("GET /rollout-policies", func(string, http.Header) (int, any) { return 200, []any{} })
			_, err := a.Run(t, NewCommand(), c.args...)
			require.EqualError(t, err, c.bad)
			require.Equal(t, cmp.Or(c.exit, 2), ExitCode(err))
		})
	}
}

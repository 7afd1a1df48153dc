package cli

import (
	"io"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSettingsAreChecked(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		args []string
		bad  string
	}{
		"no http address": {[]string{"--url", "localhost:8080", "--project", "demo", "--api-key", "x", "rollouts", "list"}, "--url"},
		"no project":      {[]string{"--url", "http://127.0.0.1:1", "--project", "", "--api-key", "x", "rollouts", "list"}, "the project is missing"},
		"no id":           {[]string{"--project", "demo", "--api-key", "x", "rollouts", "watch", "latest"}, "not the ID of a rollout"},
		"unknown command": {[]string{"deploy"}, "unknown command"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd := NewCommand()
			cmd.SetOut(io.Discard)
			cmd.SetArgs(c.args)
			require.ErrorContains(t, cmd.ExecuteContext(t.Context()), c.bad)
		})
	}
}

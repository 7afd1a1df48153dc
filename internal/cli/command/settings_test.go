package command

import (
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"
)

func TestTheEnvironmentGivesTheSettingsAndHelpDoesNotShowTheKey(t *testing.T) {
	t.Parallel()
	s := &Settings{}
	root := &cobra.Command{Use: "waft"}
	s.Register(root, func(name string) string {
		return map[string]string{"WAFT_URL": "http://waft.example", "WAFT_PROJECT": "shop", "WAFT_API_KEY": "waft_12345678_secret"}[name]
	})
	require.NoError(t, root.PersistentPreRunE(root, nil))
	require.Equal(t, Settings{URL: "http://waft.example", Project: "shop", key: "waft_12345678_secret"}, *s)
	require.NotContains(t, root.UsageString(), "secret")
}

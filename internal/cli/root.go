package cli

import (
	"errors"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/internal/version"
)

// NewCommand makes the command with all its subcommands. Errors are returned and
// not printed.
func NewCommand() *cobra.Command {
	s := &settings{}
	root := &cobra.Command{
		Use:   "waft",
		Short: "Over-the-air release delivery for mobile apps",
		Long: "waft talks to a Waft server. The address, the project and the key come from flags or from\n" +
			"WAFT_URL, WAFT_PROJECT and WAFT_API_KEY. For a server that `make run` started:\n\n" +
			"  . .waft/demo.env; export WAFT_URL WAFT_PROJECT WAFT_API_KEY\n\n" +
			"Exit codes: 0 done, 1 an error, 3 the rollout that `rollouts watch` followed was cancelled or rolled back,\n" +
			"130 interrupted.",
		Version:       version.String(),
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	s.register(root, os.Getenv)
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error {
		text, _, _ := strings.Cut(err.Error(), ": strconv.") // which says it again in Go's words
		return errors.New(text)
	})
	root.AddGroup(&cobra.Group{ID: "release", Title: "Releases:"}, &cobra.Group{ID: "observe", Title: "Observe:"},
		&cobra.Group{ID: "project", Title: "Project:"}, &cobra.Group{ID: "try", Title: "Try it out:"})
	for id, commands := range map[string][]*cobra.Command{
		"release": {publishCommand(s), releasesCommand(s), rolloutsCommand(s), rollbackCommand(s)},
		"observe": {healthCommand(s), eventsCommand(s), resolveCommand(s), auditCommand(s)},
		"project": {channelsCommand(s), policiesCommand(s), flagsCommand(s), keysCommand(s), apiCommand(s)},
		"try":     {simulateCommand(s), demoCommand(s), demoProjectCommand(s)},
	} {
		for _, cmd := range commands {
			cmd.GroupID = id
			root.AddCommand(cmd)
		}
	}
	root.AddCommand(versionCommand(s))
	return root
}

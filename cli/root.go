package cli

import (
	"os"

	"github.com/spf13/cobra"
)

// NewCommand makes the command with all its subcommands. Errors are returned and
// not printed.
func NewCommand() *cobra.Command {
	s := &settings{}
	root := &cobra.Command{
		Use:   "waft",
		Short: "Over-the-air release delivery for mobile apps",
		Long: "waft talks to a Waft server. The address, the project and the key come from flags or from\n" +
			"WAFT_URL, WAFT_PROJECT and WAFT_API_KEY; `set -a; . .waft/demo.env; set +a` sets all three for a\n" +
			"server that `make run` started.",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	s.register(root, os.Getenv)
	root.AddCommand(
		publishCommand(s), rolloutsCommand(s), simulateCommand(s), demoCommand(s), demoProjectCommand(s),
	)
	return root
}

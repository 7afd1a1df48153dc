package cli

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/internal/version"
)

func versionCommand(s *settings) *cobra.Command {
	cmd := &cobra.Command{
		Use: "version", Short: "Print the version of waft; the server's is at /healthz", Args: args(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if s.json {
				return json.NewEncoder(cmd.OutOrStdout()).Encode(map[string]string{"version": version.String()})
			}
			_, err := fmt.Fprintln(cmd.OutOrStdout(), "waft", version.String())
			return err
		},
	}
	return s.jsonFlag(cmd)
}

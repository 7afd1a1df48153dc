package manage

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/cli/command"
)

// deletePolicyCommand returns the command that deletes a rollout policy.
func deletePolicyCommand(s *command.Settings) *cobra.Command {
	return deletion{
		verb: "delete", argument: "POLICY", named: "policy", numbered: "policy with the ID", find: command.PolicyNamed,
		short: "Delete a rollout policy that no open rollout uses, by its name or with --id by its ID",
		delete: func(c command.Call, id int64, record string) error {
			if err := c.Confirm(fmt.Sprintf("Delete the %s?", record)); err != nil {
				return err
			}
			_, err := c.API.DeleteRolloutPolicyWithResponse(c.Context(), id, &client.DeleteRolloutPolicyParams{})
			return command.Done(c, err, "%s deleted", record)
		},
	}.command(s)
}

package cli

import (
	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
)

func startRolloutCommand(s *settings) *cobra.Command {
	var policy string
	cmd := &cobra.Command{
		Use: "start RELEASE", Short: "Start a rollout of a release that was published without a policy",
		Long: "The rollout takes the release's share over, from the policy's first stage on. `waft publish --policy` does the\n" +
			"same with the publish.",
		Example: "  waft rollouts start 29 --policy careful",
		Args:    args("RELEASE"),
		RunE: s.on(releaseOf, func(cmd *cobra.Command, api *client.Waft, release int64, _ []string) error {
			id, err := policyID(cmd.Context(), api, policy)
			if err != nil {
				return err
			}
			return tell(cmd, s, executionLines).
				made(api.StartRolloutExecutionWithResponse(cmd.Context(), &client.StartRolloutExecutionParams{},
					client.StartExecutionBody{PolicyID: id, UpdateID: release}))
		}),
	}
	cmd.Flags().StringVar(&policy, "policy", "", "id or name of the rollout policy")
	return required(cmd, "policy")
}

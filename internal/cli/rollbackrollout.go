package cli

import (
	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/models"
)

func rollBackRolloutCommand(s *settings) *cobra.Command {
	var scope, reason string
	var flagID int64
	cmd := &cobra.Command{
		Use: "rollback ID", Short: "Roll back at once: a linked flag, the release, or the whole channel",
		Long: "Take a rollout back at once, also while no worker runs. With --scope flag the release stays and its rollout goes on; " +
			"with channel, every release of the branch goes that is newer than the last one for everybody.",
		Args: args("ID"),
		RunE: s.on(rolloutOf, func(cmd *cobra.Command, api *client.Waft, id int64, _ []string) error {
			body := client.RollbackExecutionBody{Scope: client.RollbackExecutionBodyScope(scope), Reason: optional(reason)}
			r := models.ExecutionRollback{Scope: models.ExecutionRollbackScope(scope), Reason: reason}
			if cmd.Flags().Changed("flag") {
				body.FlagID, r.FlagID = &flagID, &flagID
			}
			if err := r.Validate(); err != nil {
				return inFlags(err, map[string]string{"scope": "--scope", "flagId": "--flag", "reason": "--reason"})
			}
			return tell(cmd, s, executionLines).
				found(api.RollbackRolloutExecutionWithResponse(cmd.Context(), id, &client.RollbackRolloutExecutionParams{}, body))
		}),
	}
	cmd.Flags().StringVar(&scope, "scope", string(models.RollbackRelease), "how much: flag, release or channel")
	cmd.Flags().Int64Var(&flagID, "flag", 0, "id of the linked flag, with --scope flag")
	cmd.Flags().StringVar(&reason, "reason", "", "why, for the timeline and the audit log")
	return cmd
}

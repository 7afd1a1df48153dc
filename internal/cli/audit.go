package cli

import (
	"encoding/json"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
)

func auditCommand(s *settings) *cobra.Command {
	var limit, before int64
	var action, kind, id string
	cmd := &cobra.Command{
		Use: "audit", Short: "Show who did what, newest first",
		Example: "  waft audit --action update.rollback\n  waft audit --entity-type flag --entity-id 7",
		Args:    args(),
		RunE: s.calling(func(cmd *cobra.Command, api *client.Waft, _ []string) error {
			params := client.ListAuditLogParams{Limit: &limit, Action: optional(action), EntityType: optional(kind), EntityID: optional(id)}
			if cmd.Flags().Changed("before") {
				params.Before = &before
			}
			return tell(cmd, s, table("no entries", []string{"TIME", "WHO", "ACTION", "ENTITY", "DETAILS"}, auditRow)).
				found(api.ListAuditLogWithResponse(cmd.Context(), &params))
		}),
	}
	f := cmd.Flags()
	f.StringVar(&action, "action", "", "only this action, such as rollout.rolled_back")
	f.StringVar(&kind, "entity-type", "", "only changes of this kind of record, such as update or flag")
	f.StringVar(&id, "entity-id", "", "only changes of the record with this id")
	f.Int64Var(&limit, "limit", 50, "most entries to show, up to 200")
	f.Int64Var(&before, "before", 0, "only entries with a lower id; --json shows the ids")
	return s.jsonFlag(cmd)
}

func auditRow(e client.AuditEntry) []string {
	details := ""
	if text, err := json.Marshal(e.Details); err == nil && len(e.Details) > 0 { // it came as JSON
		details = oneLine(string(text), 100)
	}
	return []string{e.CreatedAt.UTC().Format(stamp), e.ActorName, e.Action, e.EntityType + " " + e.EntityID, details}
}

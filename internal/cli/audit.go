package cli

import (
	"encoding/json"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/cli/command"
)

func auditCommand(s *command.Settings) *cobra.Command {
	var limit, before int64
	var action, kind, id string
	cmd := s.Calling("audit", "Show the audit log, newest entries first", func(c command.Call) error {
		params := client.ListAuditLogParams{
			Limit: &limit, Action: command.Optional(action), EntityType: command.Optional(kind), EntityID: command.Optional(id),
		}
		if c.Flags().Changed("before") {
			params.Before = &before
		}
		return command.Tell(c, command.Table("no entries", []string{"TIME", "WHO", "ACTION", "RECORD", "DETAILS"}, auditRow)).
			Found(c.API.ListAuditLogWithResponse(c.Context(), &params))
	})
	cmd.Example = "  waft audit --action update.rollback\n  waft audit --entity-type flag --entity-id 7"
	f := cmd.Flags()
	f.StringVar(&action, "action", "", "show only this action, such as rollout.rolled_back")
	f.StringVar(&kind, "entity-type", "", "show only changes to this type of record, such as update or flag")
	f.StringVar(&id, "entity-id", "", "show only changes to the record with this ID")
	f.Int64Var(&limit, "limit", 50, "maximum number of entries, up to 200")
	f.Int64Var(&before, "before", 0, "show only entries with a lower ID; --json prints the IDs")
	return s.JSONFlag(cmd)
}

func auditRow(e client.AuditEntry) []string {
	details := ""
	if text, err := json.Marshal(e.Details); err == nil && len(e.Details) > 0 { // it came as JSON
		details = command.OneLine(string(text), 100)
	}
	who := command.ActorText(string(e.ActorType), e.ActorID, e.ActorName)
	return []string{e.CreatedAt.UTC().Format(command.Stamp), who, e.Action, auditedRecord(e.Subject), details}
}

// auditedRecord returns the record that an entry is about, with its name if it has one.
func auditedRecord(r client.AuditSubject) string {
	record := r.Kind + " " + r.ID
	if r.Name != "" {
		record += " " + command.OneLine(r.Name, 40)
	}
	return record
}

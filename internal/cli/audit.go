package cli

import (
	"encoding/json"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/cli/command"
	"github.com/waft-ota/waft/internal/cli/manage"
)

func auditCommand(s *command.Settings) *cobra.Command {
	cmd := listAudit(s, "audit")
	cmd.AddCommand(listAudit(s, "list"))
	return cmd
}

func listAudit(s *command.Settings, use string) *cobra.Command {
	return command.List[client.AuditEntry]{
		Use: use, Noun: "entries", Short: "Show the audit log, newest entries first", Path: "/audit-log",
		Example: "  waft audit --action update.rollback\n  waft audit --entity-type flag --entity-id 7\n" +
			"  waft audit export --from 2026-03-01T00:00:00Z",
		Header: []string{"TIME", "WHO", "ACTION", "RECORD", "DETAILS"}, Row: auditRow,
		Filters: append(manage.AuditFilters(), command.Filter{Flag: "before", Usage: "show only entries with a lower ID; --json prints the IDs"}),
	}.Command(s)
}

func auditRow(e client.AuditEntry) []string {
	details := ""
	if text, err := json.Marshal(e.Details); err == nil && len(e.Details) > 0 { // it came as JSON
		details = command.Cell(string(text))
	}
	who := command.ActorText(string(e.ActorType), e.ActorID, e.ActorName)
	return []string{e.CreatedAt.UTC().Format(command.Stamp), who, e.Action, auditedRecord(e.Subject), details}
}

// auditedRecord returns the record that an entry is about, with its name if it has one.
func auditedRecord(r client.AuditSubject) string {
	record := r.Kind + " " + r.ID
	if r.Name != "" {
		record += " " + command.Cell(r.Name)
	}
	return record
}

package manage

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net/url"
	"time"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/cli/command"
	"github.com/waft-ota/waft/internal/cli/terminal"
)

// AuditFilters returns the filters of the audit log.
func AuditFilters() []command.Filter {
	return []command.Filter{
		{Flag: "action", Usage: "show only this action, such as rollout.rolled_back"},
		{Flag: "entity-type", Usage: "show only changes to this type of record, such as update or flag", Param: "entity_type"},
		{Flag: "entity-id", Usage: "show only changes to the record with this ID", Param: "entity_id"},
		{Flag: "actor", Usage: "show only changes by the person or key with this ID or name"},
		{Flag: "from", Usage: "start of the period, such as 2026-03-01T00:00:00Z", Find: timeIn("--from")},
		{Flag: "to", Usage: "end of the period, such as 2026-04-01T00:00:00Z", Find: timeIn("--to")},
	}
}

func timeIn(flag string) func(command.Call, string) (string, error) {
	return func(_ command.Call, text string) (string, error) {
		if _, err := time.Parse(time.RFC3339, text); err != nil {
			return "", command.Usagef("%s must be a time such as 2026-03-01T00:00:00Z, not %q", flag, text)
		}
		return text, nil
	}
}

var exportFormats = []string{"jsonl", "csv"}

// exportAuditCommand returns the command that prints the whole audit log of a period, for the group audit.
func exportAuditCommand(s *command.Settings) *cobra.Command {
	format := command.Filter{Flag: "format", Usage: "format: jsonl (one JSON object per line) or csv", Values: exportFormats, Default: "jsonl"}
	filters := append(AuditFilters(), format)
	cmd := s.Calling("export", "Print the whole audit log of a period, oldest entries first, for an archive", func(c command.Call) error {
		query, err := command.Query(c, filters)
		if err != nil {
			return err
		}
		return exportAudit(c, query)
	})
	cmd.Long = "With jsonl, the last line is {\"end\": true, …}; without it the export is incomplete."
	cmd.Example = "  waft audit export --from 2026-03-01T00:00:00Z --to 2026-04-01T00:00:00Z >march.jsonl"
	for _, f := range filters {
		cmd.Flags().String(f.Flag, f.Default, f.Usage)
	}
	return cmd
}

func exportAudit(c command.Call, query url.Values) error {
	with := func(name string) *string { return command.Optional(query.Get(name)) }
	params := &client.ExportAuditLogParams{
		Action: with("action"), EntityType: with("entity_type"), EntityID: with("entity_id"), Actor: with("actor"),
		Format: new(client.ExportAuditLogParamsFormat(query.Get("format"))),
	}
	for name, field := range map[string]**time.Time{"from": &params.From, "to": &params.To} {
		if text := query.Get(name); text != "" {
			at, err := time.Parse(time.RFC3339, text)
			if err != nil {
				return err
			}
			*field = &at
		}
	}
	res, err := c.API.ExportAuditLog(c.Context(), params)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	return copyLines(c.OutOrStdout(), res.Body, query.Get("format") == "jsonl")
}

// copyLines copies lines of JSON or text, so that a terminal can only display them.
func copyLines(out io.Writer, in io.Reader, json bool) error {
	for lines := bufio.NewReader(in); ; {
		line, err := lines.ReadBytes('\n')
		line = bytes.TrimRight(line, "\r\n")
		if err != nil && len(line) == 0 {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		if json {
			line = terminal.PlainJSON(line)
		} else {
			line = []byte(terminal.Plain(string(line)))
		}
		if _, err := out.Write(append(line, '\n')); err != nil {
			return err
		}
	}
}

package command

import (
	"io"
	"slices"

	"github.com/waft-ota/waft/internal/cli/terminal"
)

// textColumns are the headers of columns with free text. On a terminal that is too narrow for a table, they are shortened. A column is
// not free text if other commands need it to identify the record. A name is free text where the record also has an ID or a key.
var textColumns = []string{
	"CALL", "CHANGE", "CHANNELS", "CLAIMS", "CLIENT", "DEFAULT", "DESCRIPTION", "DETAILS", "ERROR", "EVENTS", "LAST RESPONSE", "MESSAGE",
	"MOST FREQUENT VALUES", "NAME", "NEWEST RELEASES", "NOTE", "NOTES", "POLICY", "REASON", "RECORD", "RELEASE", "RELEASE FOR ALL", "RUNS",
	"STAGES", "THRESHOLDS", "URL", "USED BY", "VALUE", "WAITING FOR", "WHAT", "WHERE",
}

// Table returns a function that formats records as a table with a header, or returns the line none for no records. If out is a
// terminal, the table fits its width.
func Table[T any](out io.Writer, none string, header []string, row func(T) []string) func([]T) []string {
	isText := make([]bool, len(header))
	for i, name := range header {
		isText[i] = slices.Contains(textColumns, name)
	}
	return func(records []T) []string {
		if len(records) == 0 {
			return []string{none}
		}
		rows := [][]string{header}
		for _, r := range records {
			cells := row(r)
			for i, cell := range cells {
				cells[i] = terminal.Plain(cell) // before the columns are measured
			}
			rows = append(rows, cells)
		}
		return terminal.FitColumns(rows, isText, terminal.WidthOf(out))
	}
}

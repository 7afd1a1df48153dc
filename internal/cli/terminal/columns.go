package terminal

import (
	"strings"

	"charm.land/lipgloss/v2"
)

// Columns aligns the cells of rows in columns. Cells may be styled.
func Columns(rows [][]string) []string {
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], lipgloss.Width(cell))
		}
	}
	lines := make([]string, len(rows))
	for i, row := range rows {
		var b strings.Builder
		for j, cell := range row {
			b.WriteString(cell)
			if j < len(row)-1 {
				b.WriteString(strings.Repeat(" ", widths[j]-lipgloss.Width(cell)+columnGap))
			}
		}
		lines[i] = b.String()
	}
	return lines
}

// Slice is a part of a bar.
type Slice struct {
	Count int
	Style lipgloss.Style
}

// Bar draws slices side by side in width cells, each in proportion to its count. Every slice with a count has at
// least one cell.
func Bar(slices []Slice, width int) string {
	total, parts := 0, 0
	for _, s := range slices {
		total += s.Count
		parts += min(s.Count, 1)
	}
	if total == 0 || width < parts {
		return ""
	}
	var b strings.Builder
	// Every part has one cell of its own. The remaining cells are divided by count.
	drawn, count := 0, 0
	for _, s := range slices {
		count += s.Count
		end := (width - parts) * count / total
		b.WriteString(s.Style.Render(strings.Repeat("█", end-drawn+min(s.Count, 1))))
		drawn = end
	}
	return b.String()
}

// Styles of all output. The basic colours follow the terminal's theme.
var (
	Title = lipgloss.NewStyle().Bold(true)
	Faint = lipgloss.NewStyle().Faint(true)
	Good  = lipgloss.NewStyle().Foreground(lipgloss.Green)
	Bad   = lipgloss.NewStyle().Foreground(lipgloss.Red).Bold(true)
	Warn  = lipgloss.NewStyle().Foreground(lipgloss.Yellow)
	Cool  = lipgloss.NewStyle().Foreground(lipgloss.Blue)
)

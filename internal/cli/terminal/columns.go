package terminal

import (
	"strings"

	"charm.land/lipgloss/v2"
)

// Columns lays rows out so that cells below each other begin together. Cells may
// be styled.
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
				b.WriteString(strings.Repeat(" ", widths[j]-lipgloss.Width(cell)+2))
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

// Bar draws slices side by side in width cells, each in proportion to its count
// and at least one cell if it has any.
func Bar(slices []Slice, width int) string {
	total := 0
	for _, s := range slices {
		total += s.Count
	}
	if total == 0 || width < len(slices) {
		return ""
	}
	var b strings.Builder
	left, remaining := width, total
	for i, s := range slices {
		if s.Count == 0 {
			continue
		}
		cells := max(1, (left*s.Count+remaining/2)/remaining)
		waiting := 0
		for _, later := range slices[i+1:] {
			if later.Count > 0 {
				waiting++
			}
		}
		cells = min(cells, left-waiting)
		b.WriteString(s.Style.Render(strings.Repeat("█", cells)))
		left, remaining = left-cells, remaining-s.Count
	}
	return b.String()
}

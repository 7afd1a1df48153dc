package terminal

import (
	"io"
	"os"
	"regexp"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
)

const (
	// shortestText is the number of cells that a shortened column keeps.
	shortestText = 16
	columnGap    = 2
	// continuation begins the further lines of a row that does not fit one line.
	continuation = "  "
)

var (
	// identifier matches the ID at the beginning of a cell, with or without the kind of the record: 29, rollout_policy 13, or update and
	// a UUID. A shortened cell keeps it.
	identifier = regexp.MustCompile(`^([a-z_]+ )?([0-9]+|[0-9a-f-]{16,})( |$)`)
	// number matches the end of a phrase for a release, such as release “new cart” (#29). A shortened phrase keeps it.
	number = regexp.MustCompile(`” \(#[0-9]+\)$`)
)

// Shorten returns text with at most width cells. It keeps the ID at the end of a phrase for a release.
func Shorten(text string, width int) string {
	if lipgloss.Width(text) <= width {
		return text
	}
	end := number.FindString(text)
	if rest := width - lipgloss.Width(end); rest > 0 {
		return ansi.Truncate(strings.TrimSuffix(text, end), rest, "…") + end
	}
	return ansi.Truncate(text, width, "…")
}

// WidthOf returns the number of cells in a line of out, or 0 if out is not a terminal.
func WidthOf(out io.Writer) int {
	file, ok := out.(*os.File)
	if !ok || !term.IsTerminal(file.Fd()) {
		return 0
	}
	width, _, err := term.GetSize(file.Fd())
	if err != nil || width < 1 { // some CI systems have terminals without a size
		return 80
	}
	return width
}

// FitColumns aligns the cells of rows like Columns, in lines of at most width cells. It shortens the texts, which are
// the columns that isText marks. If that does not suffice, a row takes several lines. A width of 0 has no effect.
func FitColumns(rows [][]string, isText []bool, width int) []string {
	natural, least := columnWidths(rows, isText)
	if width <= 0 || total(natural) <= width {
		return Columns(rows)
	}
	var parts [][]string
	for from, indent := 0, ""; from < len(natural); indent = continuation {
		to := from + 1
		for to < len(natural) && len(indent)+total(least[from:to+1]) <= width {
			to++
		}
		widths := shrink(natural[from:to], least[from:to], width-len(indent))
		parts = append(parts, indented(indent, Columns(shortened(rows, from, widths))))
		from = to
	}
	var lines []string
	for i := range rows {
		for n, part := range parts {
			if line := strings.TrimRight(part[i], " "); n == 0 || line != "" {
				lines = append(lines, line)
			}
		}
	}
	return lines
}

// columnWidths returns the width of each column, and the width to which it can be shortened.
func columnWidths(rows [][]string, isText []bool) (natural, least []int) {
	for _, row := range rows {
		for i, cell := range row {
			if i == len(natural) {
				natural, least = append(natural, 0), append(least, 0)
			}
			width := lipgloss.Width(cell)
			natural[i] = max(natural[i], width)
			if i < len(isText) && isText[i] {
				width = min(width, max(shortestText, identifierEnd(cell)))
			}
			least[i] = max(least[i], width)
		}
	}
	return natural, least
}

// identifierEnd returns the least width of a shortened cell that still has its ID, or 0 without an ID.
func identifierEnd(cell string) int {
	if end := number.FindString(cell); end != "" {
		return shortestText + lipgloss.Width(end)
	}
	return lipgloss.Width(identifier.FindString(cell)) // the blank after the ID leaves room for the ellipsis
}

// total returns the width of a line with these columns.
func total(widths []int) int {
	sum := columnGap * (len(widths) - 1)
	for _, w := range widths {
		sum += w
	}
	return sum
}

// shrink returns the widths of columns that fit width together, if their least widths do. It shortens the widest first.
func shrink(natural, least []int, width int) []int {
	widths := slices.Clone(natural)
	for total(widths) > width {
		widest := -1
		for i := range widths {
			if widths[i] > least[i] && (widest < 0 || widths[i] > widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			break
		}
		widths[widest]--
	}
	return widths
}

// shortened returns the columns of rows that begin at from, each cell with at most the width of its column.
func shortened(rows [][]string, from int, widths []int) [][]string {
	cut := make([][]string, len(rows))
	for i, row := range rows {
		for n := range min(len(widths), max(0, len(row)-from)) {
			cut[i] = append(cut[i], Shorten(row[from+n], widths[n]))
		}
	}
	return cut
}

func indented(indent string, lines []string) []string {
	for i := range lines {
		lines[i] = indent + lines[i]
	}
	return lines
}

package terminal

import (
	"regexp"
	"strings"

	"charm.land/lipgloss/v2"
)

var (
	// definition matches a line of a help text that explains a name, such as a flag, in a second column.
	definition = regexp.MustCompile(`^( +\S(?: ?\S)* {2,})(\S.*)$`)
	// longest matches the line of the command with the longest name, after which cobra writes only one blank.
	longest = regexp.MustCompile(`^(  [a-z-]+ )([A-Z].*)$`)
)

// leastColumn is the least width of a second column that is worth its own margin.
const leastColumn = 20

// Reflow breaks the lines of a help text that are longer than width. It breaks a paragraph as a whole, keeps the margin
// of a second column, and changes neither examples nor usage lines. A width of 0 has no effect.
func Reflow(text string, width int) string {
	if width <= 0 {
		return text
	}
	var out, paragraph []string
	flush := func() {
		out = append(out, reflowParagraph(paragraph, width)...)
		paragraph = nil
	}
	examples := false
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimRight(line, " ")
		parts := definition.FindStringSubmatch(line)
		if parts == nil {
			parts = longest.FindStringSubmatch(line)
		}
		switch {
		case line != "" && !strings.HasPrefix(line, " "):
			examples = line == "Examples:"
			paragraph = append(paragraph, line)
			continue
		case parts == nil || examples || lipgloss.Width(line) <= width:
			flush()
			out = append(out, line)
		default:
			flush()
			out = append(out, hanging(parts[1], parts[2], width)...)
		}
	}
	flush()
	return strings.Join(out, "\n")
}

func reflowParagraph(lines []string, width int) []string {
	for _, line := range lines {
		if lipgloss.Width(line) > width {
			return hanging("", strings.Join(lines, " "), width)
		}
	}
	return lines
}

// hanging breaks text into lines of at most width cells. The first one begins with prefix, and the others with as many blanks.
func hanging(prefix, text string, width int) []string {
	margin := lipgloss.Width(prefix)
	if width-margin < leastColumn {
		return []string{prefix + text}
	}
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && margin+lipgloss.Width(line)+1+lipgloss.Width(word) > width {
			lines = append(lines, line)
			line = ""
		}
		line = strings.TrimPrefix(line+" "+word, " ")
	}
	lines = append(lines, line)
	for i := range lines {
		if i > 0 {
			prefix = strings.Repeat(" ", margin)
		}
		lines[i] = prefix + lines[i]
	}
	return lines
}

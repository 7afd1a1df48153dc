package site

import (
	"fmt"
	"regexp"
	"strings"
)

// anything stands for any text in an expected line, and for any lines on a line of its own.
const anything = "…"

// Difference compares what a block printed with what the page shows. It returns "" if they agree, and otherwise a message about the
// first line that does not.
func Difference(expected, printed string) string {
	want, got := lines(expected), lines(printed)
	furthest := 0 // the first expected line that nothing matched
	if agree(want, got, 0, &furthest) {
		return ""
	}
	missing := "its end"
	if furthest < len(want) {
		missing = fmt.Sprintf("line %d, %q", furthest+1, want[furthest])
	}
	return fmt.Sprintf("the output differs from the page at %s of what the page shows\nthe page shows:\n%s\nthe commands printed:\n%s",
		missing, indent(want), indent(got))
}

// agree reports whether the lines match. It notes the index of the furthest expected line that it tried; at is the index of the first.
func agree(want, got []string, at int, furthest *int) bool {
	*furthest = max(*furthest, at)
	if len(want) == 0 {
		return len(got) == 0
	}
	if want[0] == anything {
		for skipped := range len(got) + 1 {
			if agree(want[1:], got[skipped:], at+1, furthest) {
				return true
			}
		}
		return false
	}
	return len(got) > 0 && sameLine(want[0], got[0]) && agree(want[1:], got[1:], at+1, furthest)
}

func sameLine(want, got string) bool {
	if !strings.Contains(want, anything) {
		return want == got
	}
	parts := strings.Split(want, anything)
	for i, part := range parts {
		parts[i] = regexp.QuoteMeta(part)
	}
	return regexp.MustCompile("^" + strings.Join(parts, ".*") + "$").MatchString(got)
}

// lines returns the lines of a text without spaces at their ends, and without empty lines at its beginning and end.
func lines(text string) []string {
	all := strings.Split(text, "\n")
	for i, line := range all {
		all[i] = strings.TrimRight(line, " \t\r")
	}
	for len(all) > 0 && all[0] == "" {
		all = all[1:]
	}
	for len(all) > 0 && all[len(all)-1] == "" {
		all = all[:len(all)-1]
	}
	return all
}

func indent(lines []string) string {
	return "    " + strings.Join(lines, "\n    ")
}

// FailsLast reports whether the command at the line, counted from 1, is the last one of a script. The lines that continue a command after
// a backslash belong to it.
func FailsLast(script string, line int) bool {
	all := strings.Split(script, "\n")
	for line <= len(all) && line > 0 && strings.HasSuffix(all[line-1], `\`) {
		line++
	}
	for _, rest := range all[min(max(line, 0), len(all)):] {
		if rest = strings.TrimSpace(rest); rest != "" && !strings.HasPrefix(rest, "#") {
			return false
		}
	}
	return true
}

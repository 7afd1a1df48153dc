package sourcemap

import (
	"regexp"
	"strings"
)

// Mentions reports whether the source of a place has the word.
func (m *Map) Mentions(p Place, word string) bool {
	content := m.sources[p.source].content
	for at := 0; ; {
		found := strings.Index(content[at:], word)
		if found < 0 {
			return false
		}
		begin, end := at+found, at+found+len(word)
		if (begin == 0 || !inWord(content[begin-1])) && (end == len(content) || !inWord(content[end])) {
			return true
		}
		at = end
	}
}

func inWord(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// The beginnings of functions with a name: a declaration, a function or arrow function that is assigned, a method.
var (
	declared = regexp.MustCompile(`\bfunction\s*\*?\s*([A-Za-z_$][\w$]*)\s*[(<]`)
	assigned = regexp.MustCompile(`([A-Za-z_$][\w$]*)\s*[:=]\s*(?:async\s+)?(?:function\b|\([^()]*\)\s*(?::[^=]*)?=>|[A-Za-z_$][\w$]*\s*=>|use[A-Z]\w*\(|memo\()`)
	method   = regexp.MustCompile(`^\s*(?:(?:public|private|protected|static|async|override|get|set)\s+)*\*?\s*#?([A-Za-z_$][\w$]*)\s*\([^;]*\)\s*(?::[^{]*)?\{\s*$`)
)

// notMethods are words that look like methods before a block.
var notMethods = map[string]bool{"if": true, "for": true, "while": true, "switch": true, "catch": true, "with": true, "function": true}

// mostUpwards bounds the search for a function's beginning, in lines.
const mostUpwards = 2000

// Enclosing guesses the name of the function around a place from the indentation of its source: the nearest line above that
// is indented less and begins a function with a name. It is "" when there is none.
func (m *Map) Enclosing(p Place) string {
	from := &m.sources[p.source]
	line := from.text(p.Line)
	if name := beginning(line); name != "" {
		return name
	}
	indent := indentation(line)
	for n := p.Line - 1; n >= max(1, p.Line-mostUpwards) && indent > 0; n-- {
		if line = from.text(n); strings.TrimSpace(line) != "" && indentation(line) < indent {
			indent = indentation(line)
			if name := beginning(line); name != "" {
				return name
			}
		}
	}
	return ""
}

// beginning is the name of the function that a line begins, "" when it begins none.
func beginning(line string) string {
	if len(line) > longestLine { // minified
		return ""
	}
	for _, form := range []*regexp.Regexp{declared, assigned, method} {
		if found := form.FindStringSubmatch(line); found != nil && !notMethods[found[1]] {
			return found[1]
		}
	}
	return ""
}

// indentation counts a tab as one character: within a file lines are indented alike.
func indentation(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

package main

import (
	"path/filepath"
	"regexp"
	"strings"
)

// extract is the prose of a file: paragraphs with blank lines between them.
type extract struct {
	path   string
	suffix string // selects the styles in vale.ini
	text   strings.Builder
	lines  []int // the source's line of each line of text; nil if they are the same
}

// line returns the line in the source of line n of the text. Both count from 1.
func (e *extract) line(n int) int {
	if e.lines == nil {
		return n
	}
	if n < 1 || n > len(e.lines) {
		return 1
	}
	return e.lines[n-1]
}

// add appends a paragraph whose first line is the given line of the source.
func (e *extract) add(line int, paragraph string) {
	if strings.TrimSpace(paragraph) == "" {
		return
	}
	// Without a full stop Vale takes the next paragraph for the same sentence.
	if strings.IndexByte(".!?:", paragraph[len(paragraph)-1]) < 0 {
		paragraph += "."
	}
	for i, text := range strings.Split(paragraph, "\n") {
		e.text.WriteString(text + "\n")
		e.lines = append(e.lines, line+i)
	}
	e.text.WriteString("\n")
	e.lines = append(e.lines, line)
}

// extractFrom returns the prose of a file, and its findings about comments of functions.
func extractFrom(path string, source []byte) ([]*extract, []finding, error) {
	switch filepath.Ext(path) {
	case ".md":
		whole := &extract{path: path, suffix: ".doc.md"}
		whole.text.Write(source)
		return []*extract{whole}, nil, nil
	case ".go":
		return fromGo(path, source)
	case ".ts", ".tsx", ".mts":
		return fromTypeScript(path, string(source)), nil, nil
	}
	return nil, nil, nil
}

var (
	codeSpan = regexp.MustCompile("`[^`\n]+`")
	file     = regexp.MustCompile(`\b[\w/.-]+\.(?:md|go|ts|tsx|sql|json|yml)\b`)
	link     = regexp.MustCompile(`https?://\S+`)
	// word is a word of prose, as opposed to a path, a number or a placeholder.
	word = regexp.MustCompile(`(?:^|[\s("“])[A-Za-z][a-z']*(?:$|[\s.,:;!?)"”])`)
)

// plain replaces code, links and names of files in a text by a word of no meaning, so that rules do not read them. It keeps line
// breaks.
func plain(text string) string {
	return file.ReplaceAllString(link.ReplaceAllString(codeSpan.ReplaceAllString(text, "CODE"), "LINK"), "FILE")
}

// isProse reports whether a literal is a text for people: at least three words.
func isProse(text string) bool {
	count := 0
	for _, field := range strings.Fields(text) {
		if word.MatchString(field) {
			count++
		}
	}
	return count >= 3
}

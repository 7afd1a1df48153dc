// Package sourcemap reads source maps (ECMA-426) as Metro, Hermes and bundlers write them, index maps with sections too,
// and finds where a place in a bundle comes from. It has no I/O besides the reader of the map.
package sourcemap

import (
	"cmp"
	"slices"
	"sort"
	"strings"
)

// Map is a source map that was read. It does not change, and is safe for concurrent use.
type Map struct {
	// segments are sorted by line and column.
	segments []segment
	sources  []source
	names    []string
	// root is the folder that all absolute paths of sources are in, with a slash at its end.
	root string
}

// segment says where the bundle comes from, from a place up to the next segment. Lines and columns begin at 0.
type segment struct {
	line, column int32
	// source is -1 where the bundle comes from no source.
	source               int32
	sourceLine, sourceAt int32
	// name is -1 for none.
	name int32
}

type source struct {
	path string
	// content is "" where the map does not have it.
	content string
	// lines are where the lines of the content begin.
	lines []uint32
	// ignored says that the map lists the source as one of a library.
	ignored bool
	// functions is nil without a function map.
	functions *functionMap
}

// Place is where a place in a bundle comes from. It belongs to the Map that found it.
type Place struct {
	// File is as the map has it, under the map's sourceRoot; Path is relative to the folder that the map's sources are in.
	File, Path string
	// Line begins at 1 and Column at 0.
	Line, Column int
	// Name is the identifier at the place, "" where the map has none.
	Name string
	// Function is the enclosing function by the map's function map, "" without one.
	Function string
	// Library says that the source is not the app's own code.
	Library bool

	source int32
}

// Find looks a place of the bundle up; line begins at 1 and column at 0. ok is false where no source is mapped.
func (m *Map) Find(line, column int) (p Place, ok bool) {
	at := sort.Search(len(m.segments), func(i int) bool {
		s := &m.segments[i]
		return int(s.line) > line-1 || int(s.line) == line-1 && int(s.column) > column
	}) - 1
	if at < 0 || int(m.segments[at].line) != line-1 || m.segments[at].source < 0 {
		return Place{}, false
	}
	s := m.segments[at]
	from := &m.sources[s.source]
	p = Place{
		File: from.path, Path: strings.TrimPrefix(from.path, m.root), Line: int(s.sourceLine) + 1, Column: int(s.sourceAt),
		Library: from.library(), source: s.source,
	}
	if s.name >= 0 {
		p.Name = m.names[s.name]
	}
	if from.functions != nil {
		p.Function = from.functions.at(p.Line, p.Column)
	}
	return p, true
}

// Lines returns the lines of the place's source around its line, at most around of them before and after it, and the number
// of the first. They are nil where the map has no content of the source.
func (m *Map) Lines(p Place, around int) (first int, lines []string) {
	from := &m.sources[p.source]
	if p.Line > len(from.lines) {
		return 0, nil
	}
	first = max(1, p.Line-around)
	for n := first; n <= min(p.Line+around, len(from.lines)); n++ {
		lines = append(lines, cutLine(from.text(n)))
	}
	return first, lines
}

// Line is the text of the place's line, "" where the map has no content of the source.
func (m *Map) Line(p Place) string { return cutLine(m.sources[p.source].text(p.Line)) }

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

// text is a line of the source, of which the first is 1.
func (s *source) text(line int) string {
	if line > len(s.lines) {
		return ""
	}
	text := s.content[s.lines[line-1]:]
	if line < len(s.lines) {
		text = s.content[s.lines[line-1]:s.lines[line]]
	}
	return strings.TrimRight(text, "\r\n")
}

// longestLine bounds a line of Lines, in bytes: that of a minified library is of no use to a reader.
const longestLine = 512

func cutLine(line string) string {
	if len(line) <= longestLine {
		return line
	}
	return strings.ToValidUTF8(line[:longestLine], "")
}

// Bytes is how much memory the map takes, about.
func (m *Map) Bytes() int64 {
	const ofSegment, ofSource, ofText = 24, 88, 16
	n := int64(cap(m.segments))*ofSegment + int64(cap(m.sources))*ofSource + int64(cap(m.names))*ofText
	for i := range m.sources {
		s := &m.sources[i]
		n += int64(len(s.path) + len(s.content) + 4*cap(s.lines))
		if s.functions != nil {
			n += s.functions.bytes()
		}
	}
	for _, name := range m.names {
		n += int64(len(name))
	}
	return n
}

// library reports whether the source is not the app's own code: the map says so, or it is in a folder of packages, or a
// bundler made it.
func (s *source) library() bool {
	return s.ignored || strings.Contains(s.path, "node_modules/") || strings.HasPrefix(s.path, "\x00") ||
		strings.HasPrefix(s.path, "__") || strings.Contains(s.path, "/__prelude__")
}

// finish sorts what was read and finds the root of the sources.
func (m *Map) finish() {
	inOrder := func(a, b segment) int { return cmp.Or(cmp.Compare(a.line, b.line), cmp.Compare(a.column, b.column)) }
	if !slices.IsSortedFunc(m.segments, inOrder) {
		slices.SortStableFunc(m.segments, inOrder)
	}
	m.segments = slices.Clip(m.segments)
	absolute := false
	for i := range m.sources {
		m.sources[i].lines = beginnings(m.sources[i].content)
		path := m.sources[i].path
		if !strings.HasPrefix(path, "/") {
			continue
		}
		folder := path[:strings.LastIndexByte(path, '/')+1]
		if !absolute {
			m.root, absolute = folder, true
		}
		for !strings.HasPrefix(folder, m.root) {
			m.root = m.root[:strings.LastIndexByte(m.root[:len(m.root)-1], '/')+1]
		}
	}
}

// beginnings are where the lines of a text begin.
func beginnings(text string) []uint32 {
	if text == "" {
		return nil
	}
	lines := make([]uint32, 1, strings.Count(text, "\n")+1)
	for i := range len(text) {
		if text[i] == '\n' && i+1 < len(text) {
			lines = append(lines, uint32(i+1))
		}
	}
	return lines
}

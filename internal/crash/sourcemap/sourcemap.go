// Package sourcemap reads source maps (ECMA-426) as Metro, Hermes and bundlers write them, including index maps with
// sections. It finds the source of a place in a bundle. It does no I/O except through the reader of the map.
package sourcemap

import (
	"cmp"
	"slices"
	"sort"
	"strings"
)

// Map is a parsed source map. It is immutable and safe for concurrent use.
type Map struct {
	// segments are sorted by line and column.
	segments []segment
	sources  []source
	names    []string
	// root is the folder that contains all sources with absolute paths. It ends with a slash.
	root string
}

// segment maps the part of the bundle from a place up to the next segment to its source. Lines and columns begin at 0.
type segment struct {
	line, column int32
	// source is -1 if this part of the bundle does not come from a source.
	source               int32
	sourceLine, sourceAt int32
	// name is -1 if the segment does not have a name.
	name int32
}

type source struct {
	path string
	// content is "" if the map does not have it.
	content string
	// lines contains the offsets at which the lines of the content begin.
	lines []uint32
	// ignored says that the map lists the source as part of a library.
	ignored bool
	// functions is nil if there is no function map.
	functions *functionMap
}

// Place is the source of a place in a bundle. It belongs to the Map that found it.
type Place struct {
	// File is the path as in the map, below the map's sourceRoot. Path is relative to the folder that contains the
	// map's sources.
	File, Path string
	// Line begins at 1 and Column at 0.
	Line, Column int
	// Name is the identifier at the place, or "" if the map does not have one.
	Name string
	// Function is the enclosing function according to the map's function map, or "".
	Function string
	// Library says that the source is not part of the app's own code.
	Library bool

	source int32
}

// Find returns the source of a place in the bundle. line begins at 1 and column at 0. ok is false if the place is not
// mapped to a source.
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

// Lines returns the lines of the place's source from around lines before to around lines after its line, and the number
// of the first one. The lines are nil if the map does not have the source's content.
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

// Line returns the place's line in the source, or "" if the map does not have the source's content.
func (m *Map) Line(p Place) string { return cutLine(m.sources[p.source].text(p.Line)) }

// Mentions reports whether the source of a place contains the word.
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

// text returns a line of the source. The first line is 1.
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

// longestLine is the number of bytes after which Lines cuts a line off. The line of a minified library is of no use to
// a reader.
const longestLine = 512

func cutLine(line string) string {
	if len(line) <= longestLine {
		return line
	}
	return strings.ToValidUTF8(line[:longestLine], "")
}

// Bytes returns approximately how much memory the map takes.
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

// library reports whether the source is not part of the app's own code. That is so if the map says so, if the source is
// in a folder of packages, or if a bundler generated it.
func (s *source) library() bool {
	return s.ignored || strings.Contains(s.path, "node_modules/") || strings.HasPrefix(s.path, "\x00") ||
		strings.HasPrefix(s.path, "__") || strings.Contains(s.path, "/__prelude__")
}

// finish sorts the segments and finds the root of the sources.
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

// beginnings returns the offsets at which the lines of a string begin.
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

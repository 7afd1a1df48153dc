package sourcemap

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path"
	"slices"
	"strings"
)

// Limits of a source map. They are far above what a large app needs, and low enough to bound memory whatever the file
// contains.
const (
	maxSegments  = 8_000_000
	maxSources   = 250_000
	maxNames     = 2_000_000
	maxSections  = 10_000
	maxFunctions = 4 << 20 // bytes of the function map of one source
	maxMetadata  = 8 << 20 // bytes of all metadata about the functions of one source
	maxIgnored   = 4 << 20 // bytes of the list of sources to ignore
)

// Read reads a source map. It uses memory for the map and for its longest string. The error describes what is wrong
// with the map, or is an error of r.
func Read(r io.Reader) (*Map, error) {
	from := bufio.NewReader(r)
	if err := skipPreamble(from); err != nil {
		return nil, err
	}
	d := decoder{Decoder: json.NewDecoder(from), m: &Map{}}
	if err := d.document(0, 0, false); err != nil {
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			err = fmt.Errorf("it is not JSON: %w", err)
		}
		return nil, err
	}
	d.m.finish()
	return d.m, nil
}

// skipPreamble skips a byte order mark, and the line )]}' that keeps browsers from executing a source map.
func skipPreamble(r *bufio.Reader) error {
	if mark, _ := r.Peek(3); string(mark) == "\xef\xbb\xbf" {
		_, _ = r.Discard(len(mark)) // these bytes were peeked, so discarding them cannot fail
	}
	if guard, _ := r.Peek(3); string(guard) == ")]}" {
		if _, err := r.ReadSlice('\n'); err != nil {
			return fmt.Errorf("it is not JSON: %w", err)
		}
	}
	return nil
}

// decoder adds the content of a document to a Map, key by key, so that at most one string is in memory twice.
type decoder struct {
	*json.Decoder
	m *Map
	// functionNames is the number of names in all function maps.
	functionNames int
}

// part contains the data of one document, except its sources and names. These are in the Map, beginning at the given
// indexes.
type part struct {
	sources, names int
	root           string
	mappings       string
	ignored        []int
	functions      []*functionMap
	version        json.Number
	hasMappings    bool
}

// document reads a source map whose first character is at the given line and column of the bundle. A section cannot
// have sections.
func (d *decoder) document(line, column int32, isSection bool) error {
	p := part{sources: len(d.m.sources), names: len(d.m.names)}
	var contents []string
	sections := false
	err := d.object(func(key string) error {
		if sections && (key == "sources" || key == "names") { // reading them would drop the sources and names of the sections
			return d.skip()
		}
		switch key {
		case "version":
			return d.Decode(&p.version)
		case "sourceRoot":
			return d.optional(&p.root)
		case "mappings":
			p.hasMappings = true
			return d.Decode(&p.mappings)
		case "sources":
			d.m.sources = d.m.sources[:p.sources]
			return d.texts(maxSources, "sources", func(text string) {
				d.m.sources = append(d.m.sources, source{path: text})
			}, func() int { return len(d.m.sources) })
		case "sourcesContent":
			contents = nil
			return d.texts(maxSources, "sources", func(text string) { contents = append(contents, text) }, func() int { return len(contents) })
		case "names":
			d.m.names = d.m.names[:p.names]
			return d.texts(maxNames, "names", func(text string) { d.m.names = append(d.m.names, text) }, func() int { return len(d.m.names) })
		case "ignoreList", "x_google_ignoreList":
			return d.ignoreList(&p)
		case "x_facebook_sources":
			p.functions = nil
			return d.functionMaps(&p)
		case "sections":
			if isSection {
				return errors.New("a section has sections")
			}
			sections = true
			return d.sections()
		default:
			return d.skip()
		}
	})
	if err != nil {
		return err
	}
	if p.version != "" && p.version != "3" {
		return fmt.Errorf("its version is %.20s; source maps have version 3", p.version)
	}
	if !p.hasMappings && !sections {
		return errors.New("it has neither mappings nor sections, so it is not a source map")
	}
	d.complete(p, contents)
	return d.mappings(p, line, column)
}

// complete sets the paths, contents and function maps of a document's sources.
func (d *decoder) complete(p part, contents []string) {
	sources := d.m.sources[p.sources:]
	for i := range sources {
		sources[i].path = under(p.root, sources[i].path)
		if i < len(contents) {
			sources[i].content = contents[i]
		}
		if i < len(p.functions) {
			sources[i].functions = p.functions[i]
		}
	}
	for _, i := range p.ignored {
		if i >= 0 && i < len(sources) {
			sources[i].ignored = true
		}
	}
}

// under returns the path of a source below the map's sourceRoot, with forward slashes.
func under(root, source string) string {
	source = strings.ReplaceAll(source, `\`, "/")
	if root == "" || path.IsAbs(source) || strings.HasPrefix(source, "\x00") {
		return source
	}
	if u, err := url.Parse(source); err == nil && u.IsAbs() {
		return source
	}
	return strings.TrimSuffix(root, "/") + "/" + source
}

// sections reads the sections of an index map.
func (d *decoder) sections() error {
	n := 0
	return d.array("sections", func() error {
		if n++; n > maxSections {
			return fmt.Errorf("it has more than %d sections", maxSections)
		}
		var offset struct{ Line, Column int32 }
		return d.object(func(key string) error {
			switch key {
			case "offset":
				return d.Decode(&offset)
			case "map":
				if offset.Line < 0 || offset.Column < 0 {
					return errors.New("a section begins before its bundle")
				}
				return d.document(offset.Line, offset.Column, true)
			case "url":
				return errors.New("a section is in another file; only maps that contain their sections are supported")
			default:
				return d.skip()
			}
		})
	})
}

// mappings decodes the segments of a document and adds them to the map.
func (d *decoder) mappings(p part, line, firstColumn int32) error {
	var at, sourceLine, sourceColumn, src, name int64
	sources, names := int64(len(d.m.sources)-p.sources), int64(len(d.m.names)-p.names)
	column := int64(firstColumn)
	d.m.segments = slices.Grow(d.m.segments, min(segmentsIn(p.mappings), maxSegments-len(d.m.segments)))
	for text := p.mappings; text != ""; {
		end := strings.IndexAny(text, ",;")
		one, separator := text, byte(0)
		if end >= 0 {
			one, separator, text = text[:end], text[end], text[end+1:]
		} else {
			text = ""
		}
		if one != "" {
			var f [5]int32
			n, err := vlqs(one, &f)
			if err != nil || n == 2 || n == 3 {
				return fmt.Errorf("its mappings have the invalid segment %.40q", one)
			}
			s := segment{line: line + int32(at), source: -1, name: -1}
			column += int64(f[0])
			if n > 1 {
				src, sourceLine, sourceColumn = src+int64(f[1]), sourceLine+int64(f[2]), sourceColumn+int64(f[3])
				if src < 0 || src >= sources || !isPosition(sourceLine) || !isPosition(sourceColumn) {
					return fmt.Errorf("its mappings name the source %d of %d, or a place before its beginning", src, sources)
				}
				s.source, s.sourceLine, s.sourceAt = int32(p.sources)+int32(src), int32(sourceLine), int32(sourceColumn)
			}
			if n == len(f) {
				if name += int64(f[4]); name < 0 || name >= names {
					return fmt.Errorf("its mappings name the identifier %d of %d", name, names)
				}
				s.name = int32(p.names) + int32(name)
			}
			if !isPosition(column) {
				return errors.New("its mappings have a column before the beginning of a line")
			}
			if s.column = int32(column); len(d.m.segments) == maxSegments {
				return fmt.Errorf("it has more than %d mappings", maxSegments)
			}
			d.m.segments = append(d.m.segments, s)
		}
		if separator == ';' {
			at, column = at+1, 0
		}
	}
	return nil
}

// segmentsIn returns the number of segments in mappings.
func segmentsIn(mappings string) (n int) {
	separated := true
	for i := range len(mappings) {
		was := separated
		if separated = mappings[i] == ',' || mappings[i] == ';'; was && !separated {
			n++
		}
	}
	return n
}

// isPosition reports whether n is a valid line or column. The maximum is far below the maximum of an int32.
func isPosition(n int64) bool { return n >= 0 && n < 1<<30 }

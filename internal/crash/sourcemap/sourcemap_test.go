package sourcemap

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// small maps two lines. On line 1 it maps "aa" and "bbb" to a.js, and nothing after column 6. It maps line 2 to b.js.
const small = `{"version":3,"sourceRoot":"/srv/app","sources":["src/a.js",null,"/srv/app/node_modules/x/b.js"],
	"sourcesContent":["function first() {\n  aa();\n  bbb();\n}\n",null,"lib"],"names":["aa","bbb"],
	"mappings":"AACEA,GACAC,G;GEFFC"}`

func read(t *testing.T, text string) *Map {
	t.Helper()
	m, err := Read(strings.NewReader(text))
	require.NoError(t, err)
	return m
}

func TestPlacesAreFound(t *testing.T) {
	t.Parallel()
	m := read(t, strings.Replace(small, `GEFFC"`, `GEFF"`, 1))
	place := func(line, column int) Place {
		p, ok := m.Find(line, column)
		require.True(t, ok, "%d:%d", line, column)
		p.source = 0
		return p
	}
	require.Equal(t, Place{File: "/srv/app/src/a.js", Path: "src/a.js", Line: 2, Column: 2, Name: "aa"}, place(1, 0))
	require.Equal(t, "aa", place(1, 2).Name, "a place between two segments belongs to the first one")
	require.Equal(t, Place{File: "/srv/app/src/a.js", Path: "src/a.js", Line: 3, Column: 2, Name: "bbb"}, place(1, 4))
	require.Equal(t, Place{
		File: "/srv/app/node_modules/x/b.js", Path: "node_modules/x/b.js", Line: 1, Column: 0, Library: true,
	}, place(2, 500))
	for _, none := range [][2]int{{1, 6}, {1, 7}, {2, 2}, {3, 0}, {0, 0}, {-1, -1}} {
		_, ok := m.Find(none[0], none[1])
		require.False(t, ok, none)
	}
}

func TestLinesAroundAPlace(t *testing.T) {
	t.Parallel()
	m := read(t, strings.Replace(small, `GEFFC"`, `GEFF"`, 1))
	p, ok := m.Find(1, 4)
	require.True(t, ok)
	first, lines := m.Lines(p, 1)
	require.Equal(t, 2, first)
	require.Equal(t, []string{"  aa();", "  bbb();", "}"}, lines)
	first, lines = m.Lines(p, 9)
	require.Equal(t, 1, first)
	require.Len(t, lines, 4)
	require.Equal(t, "  bbb();", m.Line(p))
	require.True(t, m.Mentions(p, "bbb"))
	require.False(t, m.Mentions(p, "bb"), "it is only part of a word")
	p.Line = 99
	first, lines = m.Lines(p, 1)
	require.Zero(t, first)
	require.Nil(t, lines)
}

// Lines of a section count from its offset. Its columns do so only on its first line.
func TestSectionsOfAnIndexMap(t *testing.T) {
	t.Parallel()
	section := func(name string, line, column int) string {
		return fmt.Sprintf(`{"offset":{"line":%d,"column":%d},"map":{"version":3,"sources":["/app/%s.js"],"names":["n%s"],"mappings":"AAAAA;EACA"}}`, line, column, name, name)
	}
	m := read(t, fmt.Sprintf(`{"version":3,"file":"x","sections":[%s,%s]}`, section("one", 0, 0), section("two", 1, 10)))
	for at, want := range map[[2]int]string{
		{1, 0}: "/app/one.js:1 none", {2, 2}: "/app/one.js:2 ", {2, 9}: "/app/one.js:2 ",
		{2, 10}: "/app/two.js:1 ntwo", {2, 99}: "/app/two.js:1 ntwo", {3, 2}: "/app/two.js:2 ",
	} {
		p, ok := m.Find(at[0], at[1])
		require.True(t, ok, at)
		require.Equal(t, want, fmt.Sprintf("%s:%d %s", p.File, p.Line, p.Name), at)
	}
	_, ok := m.Find(3, 1)
	require.False(t, ok, "a section's column offset applies only to its first line")
}

// This is the function map of the example app's catalogue, as Metro writes it.
func TestFunctionsByTheFunctionMap(t *testing.T) {
	t.Parallel()
	functions := functionMap{
		[]string{"<global>", "refreshedItems", "items.map$argument_0", "priceOf", "total", "basket.reduce$argument_0"},
		"AAA;OCW;qBCG,sDD;mBCE,gED;CDC;OGE;CHE;OIE;uBCC,qCD;CJC",
	}
	for at, want := range map[[2]int]string{
		{1, 0}: "<global>", {12, 7}: "refreshedItems", {15, 30}: "items.map$argument_0", {17, 1}: "refreshedItems",
		{19, 0}: "<global>", {21, 19}: "priceOf", {25, 40}: "basket.reduce$argument_0", {900, 0}: "<global>",
	} {
		require.Equal(t, want, functions.at(at[0], at[1]), at)
	}
	require.Empty(t, (&functionMap{[]string{"a"}, "!;AAA"}).at(1, 0))
	require.Empty(t, (&functionMap{nil, "AAA"}).at(1, 0))
}

// For any file that is not a source map, the error describes the problem.
func TestFilesThatAreNoSourceMaps(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		``:                                "it is not JSON",
		`<html>`:                          "it is not JSON",
		`[]`:                              "where a source map has an object",
		`{}`:                              "neither mappings nor sections",
		`{"version":3,"mappings":"AAAA`:   "it is not JSON",
		`{"version":2,"mappings":""}`:     "its version is 2",
		`{"version":3,"mappings":"AAAA"}`: "name the source 0 of 0",
		`{"version":3,"sources":["a"],"mappings":"ACAA"}`:                                                "name the source 1 of 1",
		`{"version":3,"sources":["a"],"mappings":"ADAA"}`:                                                "name the source -1 of 1",
		`{"version":3,"sources":["a"],"mappings":"AAAAA"}`:                                               "name the identifier 0 of 0",
		`{"version":3,"sources":["a"],"mappings":"AADA"}`:                                                "a place before its beginning",
		`{"version":3,"sources":["a"],"mappings":"D"}`:                                                   "a column before the beginning",
		`{"version":3,"sources":["a"],"mappings":"AA"}`:                                                  "the invalid segment",
		`{"version":3,"sources":["a"],"mappings":"AAAAAA"}`:                                              "the invalid segment",
		`{"version":3,"sources":["a"],"mappings":"gggggggggggA"}`:                                        "the invalid segment",
		`{"version":3,"sources":["a"],"mappings":"A!AA"}`:                                                "the invalid segment",
		`{"version":3,"sources":{},"mappings":""}`:                                                       "a list of sources",
		`{"version":3,"sections":[{"offset":{"line":-1,"column":0},"map":{"version":3,"mappings":""}}]}`: "begins before its bundle",
		`{"version":3,"sections":[{"url":"x.map"}]}`:                                                     "in another file",
		`{"version":3,"sections":[{"map":{"version":3,"sections":[]}}]}`:                                 "a section has sections",
		`{"version":3,"sections":[{}],"mappings":7}`:                                                     "cannot unmarshal number",
	} {
		_, err := Read(strings.NewReader(text))
		require.ErrorContains(t, err, want, text)
	}
}

func TestPreamblesAreSkipped(t *testing.T) {
	t.Parallel()
	for _, before := range []string{"", "\ufeff", ")]}'\n", "\ufeff)]}\n"} {
		_, err := Read(strings.NewReader(before + `{"version":3,"mappings":""}`))
		require.NoError(t, err)
	}
}

// The keys may be in any order, and the segments in a bundler's map may be unsorted.
func TestOrderDoesNotMatter(t *testing.T) {
	t.Parallel()
	m := read(t, `{"mappings":"IAAAA,DAACC","names":["later","earlier"],"ignoreList":[1],"sourcesContent":["a\nb"],"sources":["a.js"],"version":3}`)
	p, ok := m.Find(1, 3)
	require.True(t, ok)
	require.Equal(t, "earlier", p.Name)
	p, _ = m.Find(1, 4)
	require.Equal(t, "later", p.Name)
	require.Equal(t, "a.js", p.File)
	require.Positive(t, m.Bytes())
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(small), 1, 4)
	f.Add([]byte(`{"version":3,"sections":[{"offset":{"line":1,"column":3},"map":{"version":3,"sources":["a"],"mappings":"AAAA"}}]}`), 2, 3)
	f.Add([]byte(`{"version":3,"sources":["a"],"sourcesContent":["f\n"],"x_facebook_sources":[[{"names":["f"],"mappings":"AAA"}]],"mappings":"AAAA"}`), 1, 0)
	f.Fuzz(func(t *testing.T, text []byte, line, column int) {
		m, err := Read(strings.NewReader(string(text)))
		if err != nil {
			return
		}
		require.GreaterOrEqual(t, m.Bytes(), int64(0))
		if p, ok := m.Find(line, column); ok {
			m.Lines(p, 3)
			m.Mentions(p, "f")
		}
	})
}

// TestSectionsKeepTheirSources checks that lists of the whole map, if they follow its sections, do not replace the
// lists of the sections, to which the mappings refer.
func TestSectionsKeepTheirSources(t *testing.T) {
	t.Parallel()
	m := read(t, `{"version":3,"sections":[{"offset":{"line":0,"column":0},"map":{"version":3,"sources":["a.js"],"names":["n"],`+
		`"mappings":"AAAAA"}}],"sources":[],"names":[],"mappings":""}`)
	p, ok := m.Find(1, 0)
	require.True(t, ok)
	require.Equal(t, "a.js n", p.File+" "+p.Name)
}

// TestValuesOfNoUseAreNotKept uses small files with many values that do not belong in a source map. Decoding such a
// value fully takes many times its size.
func TestValuesOfNoUseAreNotKept(t *testing.T) { //nolint:paralleltest // AllocsPerRun counts the allocations of the whole process
	const values = 100_000
	list := strings.TrimSuffix(strings.Repeat("{},", values), ",")
	for _, field := range []string{"sources", "sourcesContent", "names", "unknown"} {
		text := fmt.Sprintf(`{"version":3,%q:[[%s]],"mappings":""}`, field, list)
		allocations := testing.AllocsPerRun(1, func() { read(t, text) })
		require.Less(t, allocations, values/100., field)
	}
	long := strings.TrimSuffix(strings.Repeat("0,", maxIgnored/2+1), ",")
	_, err := Read(strings.NewReader(`{"version":3,"ignoreList":[` + long + `],"mappings":""}`))
	require.ErrorContains(t, err, "list of sources to ignore")
	names := strings.TrimSuffix(strings.Repeat(`"",`, maxNames/2), ",")
	function := `[{"names":[` + names + `],"mappings":""}]`
	_, err = Read(strings.NewReader(`{"version":3,"x_facebook_sources":[` + function + "," + function + `],"mappings":""}`))
	require.NoError(t, err)
	_, err = Read(strings.NewReader(`{"version":3,"x_facebook_sources":[` + function + "," + function +
		`,[{"names":["f"],"mappings":""}]],"mappings":""}`))
	require.ErrorContains(t, err, "names of functions")
}

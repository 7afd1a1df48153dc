package sourcemap

import "strings"

// functionMap finds the function that encloses a place in a source. It has the form that Metro writes in
// x_facebook_sources: a list of names, and segments of column, name and line, each as the difference from the previous
// segment. It is decoded at each look-up, because only a few sources are looked up.
type functionMap struct {
	names    []string
	mappings string
}

func (f *functionMap) bytes() (n int64) {
	const ofText = 16
	n = int64(len(f.mappings))
	for _, name := range f.names {
		n += int64(len(name)) + ofText
	}
	return n
}

// at returns the name of the function that encloses a place, or "" if it is not inside a function. line begins at 1,
// column at 0.
func (f *functionMap) at(line, column int) (name string) {
	at, index := int64(1), int64(0)
	for group := range strings.SplitSeq(f.mappings, ";") {
		col := int64(0)
		for text := range strings.SplitSeq(group, ",") {
			var fields [5]int32
			n, err := vlqs(text, &fields)
			if err != nil || n < 2 {
				return name
			}
			col, index, at = col+int64(fields[0]), index+int64(fields[1]), at+int64(fields[2])
			if at > int64(line) || at == int64(line) && col > int64(column) {
				return name
			}
			if name = ""; index >= 0 && index < int64(len(f.names)) {
				name = f.names[index]
			}
		}
	}
	return name
}

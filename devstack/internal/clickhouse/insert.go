package clickhouse

import "strings"

type insert struct {
	target   string // everything up to the table and its columns
	settings string // the SETTINGS clause, or ""
	format   string // of the rows
	data     int    // where the rows begin in the statement
}

// parseInsert recognises INSERT … [SETTINGS …] FORMAT name and … VALUES, but not an INSERT
// of a query's result or from a file.
func parseInsert(sql string) (insert, bool) {
	s := &scanner{sql: sql}
	if !s.next().is("INSERT") || !s.next().is("INTO") {
		return insert{}, false
	}
	t := s.next()
	switch {
	case t.is("FUNCTION"):
		return insert{}, false
	case t.is("TABLE"):
		t = s.next()
	}
	// The table's name may be a keyword.
	end := t.end
	for t = s.next(); t.text == "."; t = s.next() {
		end = s.next().end
	}
	if t.text == "(" && t.depth == 0 {
		for t = s.next(); t.text != "" && (t.text != ")" || t.depth != 0); {
			t = s.next()
		}
		end = t.end
		t = s.next()
	}
	in := insert{target: sql[:end]}
	for settings := -1; t.text != ""; t = s.next() {
		if t.depth != 0 {
			continue
		}
		switch {
		case t.is("SETTINGS") && settings < 0:
			settings = t.start
		case t.is("VALUES"), t.is("FORMAT"):
			if settings >= 0 {
				in.settings = sql[settings:t.start]
			}
			in.format, in.data = "Values", t.end
			if t.is("FORMAT") {
				name := s.next()
				in.format, in.data = name.text, name.end
			}
			return in, in.format != ""
		case t.is("SELECT"), t.is("WITH"), t.is("FROM"), t.is("WATCH"), t.text == "(":
			return insert{}, false
		}
	}
	return insert{}, false
}

// inline returns the rows in the statement, without the line end after a format's name.
func (in insert) inline(sql string) string {
	data := sql[in.data:]
	if in.values() {
		return data
	}
	return strings.TrimPrefix(strings.TrimLeft(data, " \t\r"), "\n")
}

// head returns the statement without its rows.
func (in insert) head() string { return in.target + in.settings + " FORMAT " + in.format }

// values reports whether the engine takes the rows for expressions.
func (in insert) values() bool { return strings.EqualFold(in.format, "Values") }

// literally returns the insert with the setting that makes the engine read the rows of VALUES as literals.
func (in insert) literally() insert {
	const off = "input_format_values_interpret_expressions = 0, input_format_values_deduce_templates_of_expressions = 0"
	if in.settings == "" {
		in.settings = "SETTINGS " + off
	} else {
		in.settings += ", " + off // of a setting that is there twice, the engine takes the last
	}
	return in
}

func (in insert) from(file string) string {
	return in.target + " FROM INFILE " + quoteString(file) + " COMPRESSION 'none' " +
		in.settings + " FORMAT " + in.format
}

// severalStatements reports whether something follows the end of a statement. Over HTTP
// that is an error.
func severalStatements(sql string) bool {
	s := &scanner{sql: sql}
	ended := false
	for t := s.next(); t.text != ""; t = s.next() {
		if ended && t.text != ";" {
			return true
		}
		ended = ended || t.text == ";" && t.depth == 0
	}
	return false
}

// changesSession reports whether a statement leaves state in its session. Over HTTP a
// session ends with its request.
func changesSession(sql string) bool {
	s := &scanner{sql: sql}
	first, second := s.next(), s.next()
	if first.is("CREATE") && second.is("OR") {
		s.next()
		second = s.next()
	}
	return first.is("SET") || first.is("USE") || first.is("CREATE") && second.is("TEMPORARY")
}

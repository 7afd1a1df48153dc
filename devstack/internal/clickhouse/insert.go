package clickhouse

import "strings"

// insert is an INSERT statement whose rows follow it as data.
type insert struct {
	// target is everything up to the table and its columns.
	target string
	// settings is the SETTINGS clause, empty when there is none.
	settings string
	// format names the data's format.
	format string
	// data is where the rows start in the statement.
	data int
}

// parseInsert recognises INSERT … [SETTINGS …] FORMAT name and … VALUES. An
// INSERT of a query's result, or from a file, is none.
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
	// The table's name may itself be a keyword.
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

// inline returns the rows that stand in the statement itself. One line end
// after a format's name belongs to neither.
func (in insert) inline(sql string) string {
	data := sql[in.data:]
	if in.format == "Values" {
		return data
	}
	trimmed := strings.TrimLeft(data, " \t\r")
	if rest, ok := strings.CutPrefix(trimmed, "\n"); ok {
		return rest
	}
	return trimmed
}

// from returns the statement that reads its rows from a file instead.
func (in insert) from(file string) string {
	return in.target + " FROM INFILE " + quoteString(file) + " COMPRESSION 'none' " +
		in.settings + " FORMAT " + in.format
}

// severalStatements says whether anything follows a statement's end, which a
// server refuses over HTTP.
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

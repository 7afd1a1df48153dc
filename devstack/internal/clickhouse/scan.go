package clickhouse

import "strings"

// token is one word or sign of a statement, with its position.
type token struct {
	text       string
	start, end int
	depth      int
}

func (t token) is(word string) bool { return strings.EqualFold(t.text, word) }

// scanner splits a statement into tokens, without comments. Quoted text is one token. That
// is enough to find the parts of a statement.
type scanner struct {
	sql   string
	at    int
	depth int
}

// next returns the next token, or a token without text at the end.
func (s *scanner) next() token {
	s.skipBlank()
	start := s.at
	if start >= len(s.sql) {
		return token{start: start, end: start}
	}
	depth := s.depth
	switch c := s.sql[start]; {
	case c == '\'' || c == '"' || c == '`':
		s.skipQuoted(c)
	case isWord(c):
		for s.at < len(s.sql) && isWord(s.sql[s.at]) {
			s.at++
		}
	default:
		s.at++
		switch c {
		case '(', '[', '{':
			s.depth++
		case ')', ']', '}':
			s.depth--
			depth = s.depth
		}
	}
	return token{text: s.sql[start:s.at], start: start, end: s.at, depth: depth}
}

func (s *scanner) skipBlank() {
	for s.at < len(s.sql) {
		rest := s.sql[s.at:]
		switch {
		case isSpace(rest[0]):
			s.at++
		case strings.HasPrefix(rest, "--"), strings.HasPrefix(rest, "# "), strings.HasPrefix(rest, "#!"):
			s.skipPast("\n")
		case strings.HasPrefix(rest, "/*"):
			s.skipPast("*/")
		default:
			return
		}
	}
}

func (s *scanner) skipPast(end string) {
	if i := strings.Index(s.sql[s.at:], end); i >= 0 {
		s.at += i + len(end)
		return
	}
	s.at = len(s.sql)
}

func (s *scanner) skipQuoted(quote byte) {
	for s.at++; s.at < len(s.sql); s.at++ {
		switch s.sql[s.at] {
		case '\\':
			s.at++
		case quote:
			if s.at+1 < len(s.sql) && s.sql[s.at+1] == quote {
				s.at++
				continue
			}
			s.at++
			return
		}
	}
	s.at = len(s.sql)
}

func isWord(c byte) bool {
	return c == '_' || c == '$' || c >= 0x80 ||
		c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func isSpace(c byte) bool {
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'
}

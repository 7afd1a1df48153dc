package main

import (
	"path/filepath"
	"regexp"
	"strings"
)

// fromTypeScript returns the comments of a TypeScript file and, of a file that is named strings.ts, its strings.
func fromTypeScript(path, source string) []*extract {
	comments := &extract{path: path, suffix: ".comment.txt"}
	texts := &extract{path: path, suffix: ".string.txt"}
	scanner := &scanner{source: source, line: 1, comments: comments, texts: texts}
	scanner.code(false)
	scanner.flush()
	if filepath.Base(path) != "strings.ts" {
		return []*extract{comments}
	}
	return []*extract{comments, texts}
}

// scanner reads TypeScript well enough to tell comments, strings and code apart. It takes a regular expression for code,
// and a quotation mark in the text of JSX for the beginning of a string that ends with its line.
type scanner struct {
	source          string
	at              int
	line            int
	comments, texts *extract
	// comment is the paragraph of line comments that is being read, which began in commentLine.
	comment     string
	commentLine int
}

func (s *scanner) next() byte {
	char := s.source[s.at]
	s.at++
	if char == '\n' {
		s.line++
	}
	return char
}

// flush ends a paragraph of line comments.
func (s *scanner) flush() {
	s.comments.add(s.commentLine, plain(strings.TrimSuffix(s.comment, "\n")))
	s.comment = ""
}

// code reads to the end of the source or, inside a template, to the brace that ends the expression.
func (s *scanner) code(inTemplate bool) {
	depth := 0
	for s.at < len(s.source) {
		rest := s.source[s.at:]
		switch {
		case strings.HasPrefix(rest, "//") && (s.at == 0 || s.source[s.at-1] != ':'):
			s.lineComment()
			continue
		case strings.HasPrefix(rest, "/*"):
			s.flush()
			s.blockComment()
			continue
		}
		char := s.next()
		if char != ' ' && char != '\t' && char != '\n' && s.comment != "" {
			s.flush()
		}
		switch char {
		case '\'', '"':
			s.quoted(char)
		case '`':
			s.template()
		case '{':
			depth++
		case '}':
			if depth == 0 && inTemplate {
				return
			}
			depth--
		}
	}
}

func (s *scanner) lineComment() {
	end := strings.IndexByte(s.source[s.at:], '\n')
	if end < 0 {
		end = len(s.source) - s.at
	}
	text := strings.TrimSpace(strings.TrimPrefix(s.source[s.at:s.at+end], "//"))
	if s.comment != "" && s.line > s.commentLine+strings.Count(s.comment, "\n") {
		s.flush()
	}
	if s.comment == "" {
		s.commentLine = s.line
	}
	if strings.HasPrefix(text, "eslint-") || strings.HasPrefix(text, "@ts-") || strings.HasPrefix(text, "/ ") {
		text = ""
	}
	s.comment += text + "\n"
	s.at += end
}

var leadingStar = regexp.MustCompile(`^\s*\*?\s?`)

func (s *scanner) blockComment() {
	start, end := s.at, len(s.source)
	if length := strings.Index(s.source[s.at+2:], "*/"); length >= 0 {
		end = s.at + 2 + length + 2
	}
	firstLine := s.line
	for s.at < end {
		s.next()
	}
	text := strings.TrimSuffix(strings.TrimPrefix(s.source[start:end], "/*"), "*/")
	paragraph, paragraphLine, fenced := "", firstLine, false
	for offset, line := range strings.Split(text, "\n") {
		line = strings.TrimRight(leadingStar.ReplaceAllString(line, ""), " ")
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
			line = ""
		}
		if line == "" || fenced || strings.HasPrefix(line, "@") || strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "eslint-") {
			s.comments.add(paragraphLine, plain(strings.TrimSuffix(paragraph, "\n")))
			paragraph = ""
		}
		if line == "" || fenced || strings.HasPrefix(line, "eslint-") {
			continue
		}
		if paragraph == "" {
			paragraphLine = firstLine + offset
		}
		paragraph += line + "\n"
	}
	s.comments.add(paragraphLine, plain(strings.TrimSuffix(paragraph, "\n")))
}

// quoted reads a string to its closing mark or to the end of the line.
func (s *scanner) quoted(mark byte) {
	line, text := s.line, ""
	for s.at < len(s.source) {
		char := s.next()
		if char == '\\' && s.at < len(s.source) {
			text += string(s.next())
			continue
		}
		if char == mark || char == '\n' {
			break
		}
		text += string(char)
	}
	s.text(line, text)
}

func (s *scanner) template() {
	line, text := s.line, ""
	for s.at < len(s.source) {
		char := s.next()
		if char == '\\' && s.at < len(s.source) {
			text += string(s.next())
			continue
		}
		if char == '`' {
			break
		}
		if char == '$' && s.at < len(s.source) && s.source[s.at] == '{' {
			s.next()
			s.code(true)
			text += "VALUE"
			continue
		}
		text += string(char)
	}
	s.text(line, text)
}

// text adds a string of one word or more, since labels are short.
func (s *scanner) text(line int, text string) {
	if word.MatchString(text) {
		s.texts.add(line, plain(text))
	}
}

package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"regexp"
	"strconv"
	"strings"
)

var (
	generated = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)
	directive = regexp.MustCompile(`^(?:[a-z]+:[a-z]|nolint|exhaustive|#nosec|\+build)`)
	// sql matches literals that are statements or parts of statements.
	sql      = regexp.MustCompile(`(?i)^\s*(?:[(),]|AS\s|\w+(?:\.\w+)?\s*(?:=|<|>|IN\s*\(|IS (?:NOT )?NULL))|(?:\b|^)(?:SELECT|INSERT INTO|UPDATE \w+ SET|DELETE FROM|WHERE|FROM \w+|JOIN|GROUP BY|ORDER BY|ALTER TABLE|CREATE (?:TABLE|INDEX|VIEW|MATERIALIZED|DATABASE)|FOR UPDATE|ON CONFLICT|RETURNING|UNION ALL|ENGINE|INTERVAL '|LIMIT \d|LIMIT \?|SYSTEM)\b`)
	upperSQL = regexp.MustCompile(`\b(?:SELECT|INSERT|UPDATE|DELETE|WHERE|FROM|JOIN|GROUP|ORDER|AND|OR|NOT|CREATE|ALTER|TABLE|VALUES|RETURNING|UNION|LIMIT|INTERVAL|NULL|AS|BY|SET)\b`)
)

// fromGo returns the comments and the strings of a Go file. The strings of tests are left out: they are input, not text for
// people.
func fromGo(path string, source []byte) ([]*extract, []finding, error) {
	if generated.Match(source) {
		return nil, nil, nil
	}
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, path, source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, nil, err
	}
	comments := &extract{path: path, suffix: ".comment.txt"}
	for _, group := range parsed.Comments {
		addComment(comments, files, group)
	}
	extracts := []*extract{comments}
	if !strings.HasSuffix(path, "_test.go") {
		texts := &extract{path: path, suffix: ".string.txt"}
		ast.Inspect(parsed, func(node ast.Node) bool { return addStrings(texts, files, node) })
		extracts = append(extracts, texts)
	}
	return extracts, docFindings(path, files, parsed), nil
}

// addComment adds a comment without its directives and indented code.
func addComment(to *extract, files *token.FileSet, group *ast.CommentGroup) {
	start, paragraph := 0, ""
	flush := func() {
		to.add(start, plain(strings.TrimSuffix(paragraph, "\n")))
		paragraph = ""
	}
	for _, comment := range group.List {
		line := files.Position(comment.Pos()).Line
		text, isLine := strings.CutPrefix(comment.Text, "//")
		if !isLine {
			text = strings.TrimSuffix(strings.TrimPrefix(text, "/*"), "*/")
		}
		for offset, text := range strings.Split(text, "\n") {
			indented := strings.HasPrefix(text, "\t") || strings.HasPrefix(text, "  ")
			text = strings.TrimSpace(text)
			if text == "" || indented || directive.MatchString(text) {
				flush()
				continue
			}
			if strings.HasPrefix(text, "- ") {
				flush()
			}
			if paragraph == "" {
				start = line + offset
			}
			paragraph += text + "\n"
		}
	}
	flush()
}

// addStrings adds the literals of a node that people read: messages, help and the doc tags of fields.
func addStrings(to *extract, files *token.FileSet, node ast.Node) bool {
	switch node := node.(type) {
	case *ast.ImportSpec:
		return false
	case *ast.Field:
		if node.Tag != nil {
			if tag, err := strconv.Unquote(node.Tag.Value); err == nil {
				to.add(files.Position(node.Tag.Pos()).Line, plain(reflect.StructTag(tag).Get("doc")))
			}
		}
		if node.Type != nil {
			ast.Inspect(node.Type, func(inner ast.Node) bool { return addStrings(to, files, inner) })
		}
		return false
	case *ast.BinaryExpr:
		if text, ok := joined(node); ok {
			addLiteral(to, files.Position(node.Pos()).Line, text)
			return false
		}
	case *ast.BasicLit:
		if text, ok := joined(node); ok {
			addLiteral(to, files.Position(node.Pos()).Line, text)
		}
	}
	return true
}

// joined returns the text of a literal, or of literals joined by +.
func joined(node ast.Expr) (string, bool) {
	switch node := node.(type) {
	case *ast.BasicLit:
		if node.Kind != token.STRING {
			return "", false
		}
		text, err := strconv.Unquote(node.Value)
		return text, err == nil
	case *ast.BinaryExpr:
		if node.Op != token.ADD {
			return "", false
		}
		left, leftIsText := joined(node.X)
		right, rightIsText := joined(node.Y)
		return left + right, leftIsText && rightIsText
	case *ast.ParenExpr:
		return joined(node.X)
	}
	return "", false
}

func addLiteral(to *extract, line int, text string) {
	if !isProse(text) || sql.MatchString(text) && upperSQL.MatchString(text) {
		return
	}
	for offset, paragraph := range strings.Split(text, "\n") {
		if strings.HasPrefix(paragraph, "  ") || strings.HasPrefix(paragraph, "\t") {
			continue // an example of the CLI's help
		}
		to.add(line+offset, plain(paragraph))
	}
}

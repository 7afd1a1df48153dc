package main

import (
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strings"
)

// thirdPerson matches verbs such as "returns". notVerbs are other words with the same ending, and verbs that describe a
// thing, not an action.
var (
	thirdPerson = regexp.MustCompile(`^[a-z]+s$`)
	notVerbs    = []string{"is", "was", "has", "as", "its", "this", "thus", "always", "plus", "whose", "us", "unless", "besides"}
)

// test matches functions whose names are sentences already, so that their comments need not begin with them.
var test = regexp.MustCompile(`^(?:Test|Benchmark|Fuzz|Example)`)

// docFindings returns a finding for each documented function whose comment does not begin with its name and a verb.
func docFindings(path string, files *token.FileSet, parsed *ast.File) []finding {
	var findings []finding
	for _, declaration := range parsed.Decls {
		function, ok := declaration.(*ast.FuncDecl)
		if !ok || function.Doc == nil || test.MatchString(function.Name.Name) || describes(function.Doc.Text(), function.Name.Name) {
			continue
		}
		findings = append(findings, finding{path, files.Position(function.Doc.Pos()).Line, "Doc",
			"the comment of " + function.Name.Name + " does not begin with its name and a verb, such as “" + function.Name.Name + " returns”"})
	}
	return findings
}

// describes reports whether a comment is empty, apart from directives, or begins with the function's name and a verb.
func describes(comment, name string) bool {
	fields := strings.Fields(comment)
	if len(fields) == 0 {
		return true
	}
	if fields[0] != name || len(fields) < 2 {
		return false
	}
	verb := strings.TrimRight(fields[1], ",.;:")
	return thirdPerson.MatchString(verb) && !slices.Contains(notVerbs, verb)
}

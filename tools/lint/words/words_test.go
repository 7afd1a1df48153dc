package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// refusedWords returns the words in the Not column of the glossary.
func refusedWords(t *testing.T) []string {
	glossary, err := os.ReadFile("../../../docs/reference/glossary.md")
	require.NoError(t, err)
	var refused []string
	for _, row := range regexp.MustCompile(`(?m)^\| .* \| .* \| (.+) \|$`).FindAllStringSubmatch(string(glossary), -1) {
		if row[1] != "Not" {
			refused = append(refused, strings.Split(row[1], ", ")...)
		}
	}
	require.NotEmpty(t, refused)
	return refused
}

func TestTheLinterRefusesTheWordsOfTheGlossary(t *testing.T) {
	rule, err := os.ReadFile("../styles/Waft/Glossary.yml")
	require.NoError(t, err)
	_, tokens, found := strings.Cut(string(rule), "tokens:\n")
	require.True(t, found)
	var listed []string
	for line := range strings.Lines(tokens) {
		// \s instead of a space, because a line may break there.
		term := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "-"))
		listed = append(listed, strings.ReplaceAll(term, `\s`, " "))
	}
	require.ElementsMatch(t, refusedWords(t), listed, "tools/lint/styles/Waft/Glossary.yml lists the Not column of docs/reference/glossary.md")
}

// TestFindings checks that each kind of text reaches Vale, and that a finding has the line of its source.
func TestFindings(t *testing.T) {
	root, err := filepath.Abs("testdata")
	require.NoError(t, err)
	t.Chdir(root)
	repository, err := repositoryRoot()
	require.NoError(t, err)
	var files []string
	for _, name := range []string{"sample.go.txt", "strings.ts", "page.md"} {
		content, err := os.ReadFile(name)
		require.NoError(t, err)
		path := strings.TrimSuffix(name, ".txt")
		folder := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(folder, path), content, 0o600))
		relative, err := filepath.Rel(repository, filepath.Join(folder, path))
		require.NoError(t, err)
		files = append(files, relative)
	}
	findings, err := check(repository, files)
	require.NoError(t, err)
	var got []string
	for _, one := range findings {
		got = append(got, fmt.Sprintf("%s:%02d %s", filepath.Base(one.path), one.line, one.rule))
	}
	require.ElementsMatch(t, []string{
		"sample.go:04 Doc", "sample.go:04 Riddle", "sample.go:09 IsNo", "sample.go:14 AtOnce", "sample.go:20 AlsoFor",
		"sample.go:21 FrontedOf", "sample.go:21 Negation", "sample.go:24 Length",
		"strings.ts:02 AtOnce", "strings.ts:03 Pronoun", "strings.ts:05 Banned",
		"page.md:03 Glossary", "page.md:07 FrontedOf",
	}, got)
}

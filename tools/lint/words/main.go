// Command words checks the prose of the repository: Markdown, comments in Go and TypeScript, and the strings that people
// read. It extracts the text of each file and hands it to Vale with the styles in tools/lint/styles. It adds a check of its
// own, Doc: the comment of a function begins with the function's name and a verb.
//
// The file counts.txt allows a number of findings for each rule. The command fails if a rule has more findings or fewer,
// so that the numbers in the file only fall.
//
//	words                  checks every file that git tracks, against counts.txt
//	words FILE...          prints the findings in the files
//	words -list RULE ...   prints only the findings of one rule
//	words -sample SEED     prints ten random texts of each kind
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// finding is a passage that a rule objects to.
type finding struct {
	path    string // relative to the repository's root
	line    int    // from 1
	rule    string
	message string
}

// skipped matches files whose text other people or programs wrote, and the two pages that quote what they refuse.
var skipped = regexp.MustCompile(`(^|/)(node_modules|testdata|dist)/|_gen\.go$|\.gen\.go$|^client/client\.go$|schema\.d\.ts$|\.api\.md$|^LICENSE|^docs/(contribute/style|reference/glossary)\.md$`)

func main() {
	rule := flag.String("list", "", "print only the findings of this rule")
	seed := flag.Uint64("sample", 0, "print ten random strings, comments and paragraphs by this seed, to read them")
	flag.Parse()
	if err := run(*rule, *seed, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run checks files, or the whole repository if files is empty. If seed is not 0, it prints a sample of their texts.
func run(rule string, seed uint64, files []string) error {
	root, err := repositoryRoot()
	if err != nil {
		return err
	}
	whole := len(files) == 0
	if files, err = tracked(root, files); err != nil {
		return err
	}
	if seed != 0 {
		return sample(root, files, seed)
	}
	findings, err := check(root, files)
	if err != nil {
		return err
	}
	if rule == "" && whole {
		return compare(filepath.Join(root, "tools/lint/words/counts.txt"), findings)
	}
	for _, found := range findings {
		if rule == "" || found.rule == rule {
			fmt.Printf("%s:%d: %s: %s\n", found.path, found.line, found.rule, found.message)
		}
	}
	return nil
}

func repositoryRoot() (string, error) {
	out, err := exec.Command("git", "rev-parse", "--show-toplevel").Output()
	if err != nil {
		return "", fmt.Errorf("find the repository: %w", err)
	}
	return strings.TrimSpace(string(out)), nil
}

// tracked returns the files below the given paths that git tracks or would track, and that are written by hand. Its
// results are relative to root; paths are relative to the working directory.
func tracked(root string, paths []string) ([]string, error) {
	arguments := []string{"ls-files", "--cached", "--others", "--exclude-standard", "--full-name", "--deduplicate"}
	if len(paths) == 0 {
		arguments = append(arguments, root)
	}
	out, err := exec.Command("git", append(append(arguments, "--"), paths...)...).Output()
	if err != nil {
		return nil, fmt.Errorf("list files: %w", err)
	}
	var kept []string
	for _, path := range strings.Fields(string(out)) {
		if _, err := os.Stat(filepath.Join(root, path)); err == nil && !skipped.MatchString(path) {
			kept = append(kept, path)
		}
	}
	return kept, nil
}

// check extracts the text of the files and returns the findings, ordered by path and line.
func check(root string, files []string) ([]finding, error) {
	folder, err := os.MkdirTemp("", "words")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	sources := map[string]*extract{} // by the path of the extract
	var findings []finding
	for _, path := range files {
		source, err := os.ReadFile(filepath.Join(root, path))
		if err != nil {
			return nil, err
		}
		extracts, docs, err := extractFrom(path, source)
		if err != nil {
			return nil, err
		}
		findings = append(findings, docs...)
		for _, extracted := range extracts {
			name := filepath.Join(folder, strings.ReplaceAll(path, "/", "+")+extracted.suffix)
			if err := os.WriteFile(name, []byte(extracted.text.String()), 0o600); err != nil {
				return nil, err
			}
			sources[name] = extracted
		}
	}
	found, err := vale(root, folder, sources)
	findings = append(findings, found...)
	slices.SortStableFunc(findings, func(a, b finding) int {
		if a.path != b.path {
			return strings.Compare(a.path, b.path)
		}
		return a.line - b.line
	})
	return findings, err
}

// vale runs Vale over the extracts in folder.
func vale(root, folder string, sources map[string]*extract) ([]finding, error) {
	if len(sources) == 0 {
		return nil, nil
	}
	command := exec.Command(filepath.Join(root, "bin/vale"), "--config", filepath.Join(root, "tools/lint/vale.ini"), "--output", "JSON", folder)
	var problems bytes.Buffer
	command.Stderr = &problems
	out, err := command.Output()
	// Vale exits with 1 when it finds an error, and with 2 when it fails itself.
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
		return nil, fmt.Errorf("vale: %w: %s%s", err, problems.String(), out)
	}
	var alerts map[string][]struct {
		Check   string
		Message string
		Line    int
	}
	if err := json.Unmarshal(out, &alerts); err != nil {
		return nil, fmt.Errorf("read Vale's output: %w", err)
	}
	var findings []finding
	for name, list := range alerts {
		extracted, ok := sources[name]
		if !ok {
			return nil, fmt.Errorf("vale reports on %s, which is not an extract", name)
		}
		for _, alert := range list {
			_, rule, _ := strings.Cut(alert.Check, ".")
			findings = append(findings, finding{extracted.path, extracted.line(alert.Line), rule, alert.Message})
		}
	}
	return findings, nil
}

package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// outcome is the result of a test after its last try.
type outcome string

const (
	passed  outcome = "passed"
	failed  outcome = "failed"
	flaky   outcome = "flaky" // failed first, and passed on a rerun
	skipped outcome = "skipped"
)

// test is one line of the files that Playwright and Vitest write, and what goResults makes of the events of a Go test.
type test struct {
	Runner       string  `json:"runner"` // go, playwright or vitest
	Suite        string  `json:"suite"`  // the package, or the file
	Name         string  `json:"name"`
	Outcome      outcome `json:"outcome"`
	Seconds      float64 `json:"seconds"`      // of the last try
	FirstFailure string  `json:"firstFailure"` // empty when the test did not fail
}

// isPart reports whether the test is a subtest of a Go test, whose time and failure its root contains.
func (t test) isPart() bool { return t.Runner == "go" && strings.Contains(t.Name, "/") }

func (t test) String() string { return strings.TrimSpace(t.Suite + " " + t.Name) }

// results reads the files of all test runners in the folder.
func results(dir string) ([]test, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.json*"))
	if err != nil {
		return nil, err
	}
	var all []test
	for _, file := range files {
		read := testsOf
		if strings.HasPrefix(filepath.Base(file), "go-") {
			read = goTestsOf
		}
		tests, err := read(file)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		all = append(all, tests...)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s contains no results of tests", dir)
	}
	return all, nil
}

// testsOf reads a file with one test per line.
func testsOf(file string) (tests []test, err error) {
	return tests, eachLine(file, func(line []byte) error {
		var t test
		err := json.Unmarshal(line, &t)
		tests = append(tests, t)
		return err
	})
}

// goTestsOf reads the events that gotestsum wrote.
func goTestsOf(file string) ([]test, error) {
	var events goEvents
	err := eachLine(file, func(line []byte) error {
		var e goEvent
		err := json.Unmarshal(line, &e)
		events.add(e)
		return err
	})
	return events.tests(), err
}

func eachLine(file string, do func(line []byte) error) error {
	opened, err := os.Open(file)
	if err != nil {
		return err
	}
	defer opened.Close()
	lines := bufio.NewScanner(opened)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		if len(lines.Bytes()) == 0 {
			continue
		}
		if err := do(lines.Bytes()); err != nil {
			return err
		}
	}
	return lines.Err()
}

// with returns the tests of the outcome. Where a Go test and its subtests have the same outcome, it returns the root only.
func with(tests []test, o outcome) []test {
	return slices.DeleteFunc(slices.Clone(tests), func(t test) bool { return t.Outcome != o || t.isPart() })
}

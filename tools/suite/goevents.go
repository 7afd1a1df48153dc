package main

import (
	"strings"
)

// goEvent is an event of `go test -json`; see `go doc test2json`.
type goEvent struct {
	Action  string
	Package string
	Test    string
	Elapsed float64 // seconds
	Output  string
}

// goEvents collects the events of Go tests. gotestsum appends the events of a rerun to the events of the first run, so a test that
// failed and passed afterwards is flaky.
type goEvents struct {
	order []*goTest
	known map[[2]string]*goTest
}

type goTest struct {
	test
	output  []string // of the current try, subtests included
	isRerun bool
}

func (all *goEvents) add(e goEvent) {
	if e.Package == "" {
		return
	}
	t := all.of(e.Package, e.Test)
	switch e.Action {
	case "run", "start":
		t.output = nil
	case "output":
		t.output = append(t.output, e.Output)
		if root, _, isPart := strings.Cut(e.Test, "/"); isPart {
			parent := all.of(e.Package, root)
			parent.output = append(parent.output, e.Output)
		}
	case "pass", "fail", "skip":
		t.end(e)
	}
}

func (all *goEvents) of(pkg, name string) *goTest {
	key := [2]string{pkg, name}
	if t := all.known[key]; t != nil {
		return t
	}
	if all.known == nil {
		all.known = map[[2]string]*goTest{}
	}
	t := &goTest{test: test{Runner: "go", Suite: strings.TrimPrefix(pkg, "github.com/waft-ota/waft/"), Name: name, Outcome: failed}}
	all.known[key], all.order = t, append(all.order, t)
	return t
}

func (t *goTest) end(e goEvent) {
	t.Seconds = e.Elapsed
	switch {
	case e.Action == "fail":
		t.Outcome, t.isRerun = failed, true
		if t.FirstFailure == "" {
			t.FirstFailure = failureIn(t.output)
		}
	case e.Action == "skip":
		t.Outcome = skipped
	case t.isRerun:
		t.Outcome = flaky
	default:
		t.Outcome = passed
	}
	t.output = nil
}

// tests returns the tests in the order of their first events. A test whose end is missing, because its process crashed, has failed.
// A package is included only if it failed without a failed test, for example because it did not compile.
func (all *goEvents) tests() (tests []test) {
	hasFailed := map[string]bool{}
	for _, t := range all.order {
		if t.Name != "" && (t.Outcome == failed || t.Outcome == flaky) {
			hasFailed[t.Suite] = true
		}
	}
	for _, t := range all.order {
		if t.Name == "" && (t.Outcome != failed || hasFailed[t.Suite]) {
			continue
		}
		if t.Outcome == failed && t.FirstFailure == "" {
			t.FirstFailure = failureIn(t.output)
		}
		tests = append(tests, t.test)
	}
	return tests
}

// failureLines is how much of a failure is shown: what require prints of one, and some lines around it.
const failureLines = 40

// failureIn returns the part of the output with the reason of a failure: from the first message of require or panic on, or else the
// last lines.
func failureIn(output []string) string {
	var lines []string
	first := -1
	for _, line := range output {
		text := strings.TrimRight(line, "\n")
		if strings.HasPrefix(strings.TrimSpace(text), "=== ") {
			continue
		}
		if first < 0 && (strings.Contains(text, "Error Trace:") || strings.HasPrefix(text, "panic: ")) {
			first = len(lines)
		}
		lines = append(lines, text)
	}
	if first < 0 {
		first = max(0, len(lines)-failureLines)
	}
	return strings.Join(lines[first:min(len(lines), first+failureLines)], "\n")
}

package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
)

// slowestShown is how many of the slowest tests the report lists.
const slowestShown = 30

// report prints the results in dir. Hosted CI systems read its last line.
func report(out io.Writer, dir string) error {
	tests, err := results(dir)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "\nThe %d slowest tests:\n", slowestShown)
	for _, t := range slowest(tests, slowestShown) {
		fmt.Fprintf(out, "%8.1f s  %s\n", t.Seconds, t)
	}
	for _, shown := range []struct {
		outcome
		label string
	}{{failed, "FAILED"}, {flaky, "FLAKY"}} {
		for _, t := range with(tests, shown.outcome) {
			fmt.Fprintf(out, "\n%s %s\n%s\n", shown.label, t, indented(t.FirstFailure))
		}
	}
	fmt.Fprintf(out, "\n%s\n", counted(tests))
	return nil
}

func slowest(tests []test, n int) []test {
	roots := slices.DeleteFunc(slices.Clone(tests), test.isPart)
	slices.SortStableFunc(roots, func(a, b test) int { return cmp.Compare(b.Seconds, a.Seconds) })
	return roots[:min(n, len(roots))]
}

// counted returns how many tests, subtests included, had each outcome. A flaky test has passed. Reruns are mentioned only
// where there were some.
func counted(tests []test) string {
	count := map[outcome]int{}
	for _, t := range tests {
		count[t.Outcome]++
	}
	line := fmt.Sprintf("%d passed, %d failed", count[passed]+count[flaky], count[failed])
	if n := count[skipped]; n > 0 {
		line += fmt.Sprintf(", %d skipped", n)
	}
	if n := len(with(tests, flaky)); n > 0 {
		line += fmt.Sprintf(", %d FLAKY", n)
	}
	return line
}

func indented(text string) string {
	return "    " + strings.ReplaceAll(text, "\n", "\n    ")
}

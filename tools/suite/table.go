package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"
)

// table prints for each test that failed in one of the runs how often it failed, and how it failed first. A test that passed on
// a rerun counts as failed.
func table(out io.Writer, runs []string) error {
	times := map[string]int{}
	first := map[string]string{}
	for _, dir := range runs {
		tests, err := results(dir)
		if err != nil {
			return err
		}
		for _, t := range slices.Concat(with(tests, failed), with(tests, flaky)) {
			times[t.String()]++
			if first[t.String()] == "" {
				first[t.String()] = t.FirstFailure
			}
		}
	}
	if len(times) == 0 {
		fmt.Fprintf(out, "no test failed in %d runs\n", len(runs))
		return nil
	}
	names := slices.SortedFunc(maps.Keys(times), func(a, b string) int {
		return cmp.Or(cmp.Compare(times[b], times[a]), cmp.Compare(a, b))
	})
	for _, name := range names {
		fmt.Fprintf(out, "%s\n%s\n\n", name, indented(first[name]))
	}
	columns := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(columns, "failed\tof runs\ttest\n")
	for _, name := range names {
		fmt.Fprintf(columns, "%d\t%d\t%s\n", times[name], len(runs), name)
	}
	return columns.Flush()
}

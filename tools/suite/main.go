// Command suite prints the results of Waft's tests, from the files that the test runners write into a folder:
// gotestsum writes go-*.json, and Playwright and Vitest write *.jsonl (tools/results.mts).
//
//	suite report DIR        prints the flaky, the failed and the slowest tests, and the number of tests
//	suite table DIR ...     prints the number of failures per test; each folder holds the results of one run
package main

import (
	"fmt"
	"io"
	"os"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "suite:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	switch {
	case len(args) == 2 && args[0] == "report":
		return report(out, args[1])
	case len(args) >= 2 && args[0] == "table":
		return table(out, args[1:])
	default:
		return fmt.Errorf("usage: suite report DIR, or suite table DIR, with one or more folders")
	}
}

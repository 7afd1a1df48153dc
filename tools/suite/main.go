// Command suite tells what came of Waft's tests, from the files that the test runners leave in a folder of results:
// gotestsum writes go-*.json, and Playwright and Vitest write *.jsonl (tools/results.mts).
//
//	suite report DIR        prints the flaky and the failed tests, the slowest ones, and how many there were
//	suite table DIR ...     prints what failed how often; each folder holds the results of one run
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

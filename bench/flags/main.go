// Command flags measures Waft's evaluation of feature flags beside SDKs that evaluate in the process, with the same rules
// for the same people, as docs/benchmarks.md describes. It fails when a peer answers otherwise, when one is faster than
// Waft, or when the evaluation of a share takes 300 ns or allocates.
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"time"
)

func main() {
	people := flag.Int("people", 100_000, "people whose answers are compared")
	rounds := flag.Int("rounds", 20, "rounds; each measures every peer in every column once")
	each := flag.Duration("each", 20*time.Millisecond, "time of one measurement")
	flag.Parse()
	if err := run(*people, *rounds, *each); err != nil {
		fmt.Fprintln(os.Stderr, "bench/flags:", err)
		os.Exit(1)
	}
}

// peer is a library that evaluates flags.
type peer struct {
	name string
	// prepare returns an evaluation of a flag for a person, with the context made before.
	prepare func(p person, flag string) (evaluate func() bool, err error)
}

// named is the name of a peer with the version of its module.
func named(name, module string) string {
	if build, ok := debug.ReadBuildInfo(); ok {
		for _, m := range build.Deps {
			if m.Path == module {
				return name + " " + strings.TrimPrefix(m.Version, "v")
			}
		}
	}
	return name
}

func run(people, rounds int, each time.Duration) error {
	if people < 1000 || rounds < 1 || each <= 0 {
		return fmt.Errorf("-people must be at least 1000, -rounds and -each above 0")
	}
	var peers []peer
	for _, make := range []func() (peer, error){newWaft, newLaunchDarkly, newGrowthBook, newUnleash, newGoFeatureFlag, newFlagd} {
		p, err := make()
		if err != nil {
			return err
		}
		peers = append(peers, p)
	}
	if err := agree(peers, people); err != nil {
		return err
	}
	results := make([][]result, len(columns))
	for i, c := range columns {
		for _, p := range peers {
			r, err := newResult(p, c)
			if err != nil {
				return err
			}
			results[i] = append(results[i], r)
		}
	}
	for round := range rounds {
		for i := range results {
			for j := range peers {
				at := (j + round) % len(peers)
				if err := results[i][at].measure(each); err != nil {
					return fmt.Errorf("%s, %s: %w", peers[at].name, columns[i].name, err)
				}
			}
		}
	}
	return report(peers, results)
}

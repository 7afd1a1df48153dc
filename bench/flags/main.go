// Command flags compares Waft's evaluation of feature flags with SDKs that evaluate in the process, with the same rules
// for the same people, as docs/contribute/benchmarks.md describes. It compares the inner evaluators with each other, and the whole calls
// of their users with each other. It fails if a peer decides differently, or if another inner evaluator is faster than Waft's. It
// also fails if Waft's evaluation of a percentage takes 300 ns or allocates.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"time"
)

func main() {
	people := flag.Int("people", 100_000, "people whose values are compared")
	rounds := flag.Int("rounds", 20, "rounds; each measures every peer in every column once")
	each := flag.Duration("each", 20*time.Millisecond, "time of one measurement")
	flag.Parse()
	slow, err := run(*people, *rounds, *each)
	if err := errors.Join(err, slow); err != nil {
		fmt.Fprintln(os.Stderr, "bench/flags:", err)
		os.Exit(1)
	}
}

// library is something that evaluates flags.
type library struct {
	name string
	// inner prepares the evaluator of the rules with a context that is made before. It is nil when the library exports none.
	inner prepare
	// whole prepares what users of the library call, from the attributes of a person to the value. It makes the context each time.
	whole prepare
}

// prepare returns an evaluation of a flag for a person.
type prepare func(p person, flag string) (evaluate func() bool, err error)

// peer is a library, or the inner part of one, as it is measured.
type peer struct {
	name    string
	prepare prepare
}

// named returns the name of a peer with the version of its module.
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

// run measures and prints all tables. slow says where an inner evaluator of another library is faster than Waft's.
func run(people, rounds int, each time.Duration) (slow, err error) {
	if people < 1000 || rounds < 1 || each <= 0 {
		return nil, fmt.Errorf("-people must be at least 1000, -rounds and -each above 0")
	}
	var inner, whole []peer
	for _, make := range []func() (library, error){newWaft, newLaunchDarkly, newGrowthBook, newUnleash, newGoFeatureFlag, newFlagd} {
		l, err := make()
		if err != nil {
			return nil, err
		}
		if l.inner != nil {
			inner = append(inner, peer{l.name, l.inner})
		}
		whole = append(whole, peer{l.name, l.whole})
	}
	results, err := measureAll("inner", inner, people, rounds, each)
	if err != nil {
		return nil, err
	}
	_, err = measureAll("whole", whole, people, rounds, each)
	return lost(inner, results), err
}

// measureAll measures the peers in turn and prints their tables.
func measureAll(part string, peers []peer, people, rounds int, each time.Duration) ([][]result, error) {
	if err := agree(peers, people); err != nil {
		return nil, err
	}
	results := make([][]result, len(columns))
	for i, c := range columns {
		for _, p := range peers {
			r, err := newResult(p, c)
			if err != nil {
				return nil, err
			}
			results[i] = append(results[i], r)
		}
	}
	for round := range rounds {
		for i := range results {
			for j := range peers {
				at := (j + round) % len(peers)
				if err := results[i][at].measure(each); err != nil {
					return nil, fmt.Errorf("%s, %s: %w", peers[at].name, columns[i].name, err)
				}
			}
		}
	}
	return results, report(part, peers, results)
}

package models

import (
	"fmt"
	"iter"
	"regexp/syntax"
	"strings"
)

// Limits of patterns, in instructions of the compiled program. Every API process keeps the programs of all projects. Matching
// a pattern takes up to one step per instruction for each byte of the string (docs/contribute/costs.md).
const (
	// MaxPatternInstructions is the maximum for one pattern.
	MaxPatternInstructions = 2_000
	// MaxProjectPatternInstructions is the maximum for all different patterns of a project together.
	MaxProjectPatternInstructions = 20_000
	// MaxMatchedBytes is the maximum length of a string that a pattern is matched with; a longer string never matches.
	MaxMatchedBytes = 1 << 10
)

// patternInstructions returns the number of instructions that the pattern in RE2's syntax compiles to. It fails above
// MaxPatternInstructions. A pattern that is far above is not compiled, so the number in its error is an estimate.
func patternInstructions(re2 string) (int, error) {
	parsed, err := syntax.Parse(re2, syntax.Perl)
	if err != nil {
		return 0, err
	}
	n := expanded(parsed)
	if n <= 4*MaxPatternInstructions {
		compiled, err := syntax.Compile(parsed.Simplify())
		if err != nil {
			return 0, err
		}
		n = len(compiled.Inst)
	}
	if n > MaxPatternInstructions {
		return n, fmt.Errorf("must compile to at most %d instructions but has %d; shorten its repetitions, such as {0,1000}",
			MaxPatternInstructions, n)
	}
	return n, nil
}

// expanded returns the number of parts that the expression has once its repetitions are written out. It does not overflow,
// because Parse limits the product of nested repetitions.
func expanded(re *syntax.Regexp) int {
	n := max(1, len(re.Rune))
	if re.Op == syntax.OpCharClass {
		n = 1
	}
	for _, sub := range re.Sub {
		n += expanded(sub)
	}
	if re.Op == syntax.OpRepeat {
		n *= max(1, re.Min, re.Max)
	}
	return n
}

// Patterns yields each different pattern of the conditions, in order.
func Patterns(conditions []Condition) iter.Seq[string] {
	return func(yield func(string) bool) {
		seen := map[string]bool{}
		for _, c := range conditions {
			if c.Operator != OpMatches {
				continue
			}
			for _, pattern := range c.Values {
				if !seen[pattern] && !yield(pattern) {
					return
				}
				seen[pattern] = true
			}
		}
	}
}

// PatternsProblem describes the patterns of the condition that never match and the reasons, "" for none.
func (c Condition) PatternsProblem() string {
	var problems []string
	for i, v := range c.Values {
		if c.Operator != OpMatches {
			break
		}
		if _, _, err := measureFlagPattern(v); err != nil {
			problems = append(problems, fmt.Sprintf("values[%d] never matches, because it %v", i, err))
		}
	}
	return strings.Join(problems, "; ")
}

// PatternInstructions returns the number of instructions that the different patterns of the conditions have together. A
// pattern that never matches, because it is invalid or too long, counts as 0. Counting stops above
// MaxProjectPatternInstructions.
func PatternInstructions(conditions []Condition) (total int) {
	for pattern := range Patterns(conditions) {
		if _, n, err := measureFlagPattern(pattern); err == nil {
			total += n
		}
		if total > MaxProjectPatternInstructions {
			break
		}
	}
	return total
}

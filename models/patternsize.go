package models

import (
	"fmt"
	"iter"
	"regexp/syntax"
	"strings"
)

// Bounds of patterns, in instructions of the compiled program. Every API process keeps the programs of all projects, and
// matching one costs as many steps per byte of text as it has instructions (docs/security-bounds.md).
const (
	// MaxPatternInstructions bounds one pattern.
	MaxPatternInstructions = 2_000
	// MaxProjectPatternInstructions bounds the different patterns of a project together.
	MaxProjectPatternInstructions = 20_000
	// MaxMatchedBytes bounds the text that a pattern is tried on; a longer one never matches.
	MaxMatchedBytes = 1 << 10
)

// patternInstructions returns how many instructions the pattern in RE2's syntax compiles to. It fails above
// MaxPatternInstructions. A pattern that is far above is not compiled, and the error has a part of its instructions.
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
		return n, fmt.Errorf("must compile to at most %d instructions, and has %d: shorten its repetitions, such as {0,1000}",
			MaxPatternInstructions, n)
	}
	return n, nil
}

// expanded returns how many parts the expression has once its repetitions are written out. Parse has bounded the product of
// nested repetitions, so it does not overflow.
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

// Patterns yields each different pattern of the conditions, in their order.
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

// PatternsProblem says which of the patterns of a condition never match and why, "" for none.
func (c Condition) PatternsProblem() string {
	var problems []string
	for i, v := range c.Values {
		if c.Operator != OpMatches {
			break
		}
		if _, _, err := measureFlagPattern(v); err != nil {
			problems = append(problems, fmt.Sprintf("values[%d] never matches: it %v", i, err))
		}
	}
	return strings.Join(problems, "; ")
}

// PatternInstructions returns how many instructions the different patterns of the conditions have together. A pattern that
// never matches, because it is not valid or too long, has none. It stops to count above MaxProjectPatternInstructions.
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

package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
)

// compare fails if a rule has more or fewer findings than the file allows. It prints the findings of rules that have more.
func compare(path string, findings []finding) error {
	allowed, err := readCounts(path)
	if err != nil {
		return err
	}
	found := map[string]int{}
	for _, one := range findings {
		found[one.rule]++
	}
	rules := slices.Sorted(maps.Keys(found))
	for rule := range allowed {
		if found[rule] == 0 && allowed[rule] > 0 {
			rules = append(rules, rule)
		}
	}
	var problems []error
	for _, rule := range rules {
		switch {
		case found[rule] > allowed[rule]:
			for _, one := range findings {
				if one.rule == rule {
					fmt.Printf("%s:%d: %s: %s\n", one.path, one.line, one.rule, one.message)
				}
			}
			problems = append(problems, fmt.Errorf("%s: %d findings, %s allows %d; see docs/contribute/style.md", rule, found[rule], path, allowed[rule]))
		case found[rule] < allowed[rule]:
			problems = append(problems, fmt.Errorf("%s: only %d findings, %s allows %d: lower the number", rule, found[rule], path, allowed[rule]))
		}
	}
	return errors.Join(problems...)
}

// readCounts reads lines of a rule's name and a number. Lines that begin with # are comments.
func readCounts(path string) (map[string]int, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	counts := map[string]int{}
	for line := range strings.Lines(string(content)) {
		fields := strings.Fields(line)
		if len(fields) == 0 || fields[0] == "#" {
			continue
		}
		if len(fields) != 2 {
			return nil, fmt.Errorf("%s: %q is not a rule and a number", path, strings.TrimSpace(line))
		}
		if counts[fields[0]], err = strconv.Atoi(fields[1]); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	return counts, nil
}

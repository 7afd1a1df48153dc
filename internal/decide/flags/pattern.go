package flags

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/waft-ota/waft/models"
)

// pattern is a pattern of a project. A pattern that is not admitted never matches.
type pattern struct {
	models.FlagPattern
	// problem explains in a sentence why the pattern never matches. It is "" if the pattern may match.
	problem string
}

// patterns are a project's patterns by their text. A pattern that appears several times is compiled once.
type patterns map[string]*pattern

// conditionList is the conditions of a rule or segment.
type conditionList struct {
	id         int64
	conditions []models.Condition
}

// patternsOf compiles the patterns of a project and reuses the compiled patterns of before. It admits patterns oldest
// first, until their total reaches models.MaxProjectPatternInstructions.
func patternsOf(p models.ProjectSnapshot, before patterns) patterns {
	var lists []conditionList
	for _, g := range p.Segments {
		lists = append(lists, conditionList{g.ID, g.Conditions})
	}
	for _, f := range p.Flags {
		for _, r := range f.Rules {
			lists = append(lists, conditionList{r.ID, r.Config.Conditions})
		}
	}
	slices.SortStableFunc(lists, func(a, b conditionList) int { return cmp.Compare(a.id, b.id) })
	return admit(lists, before)
}

// admit compiles the patterns of the lists in order.
func admit(lists []conditionList, before patterns) patterns {
	all, total := patterns{}, 0
	for _, list := range lists {
		for text := range models.Patterns(list.conditions) {
			if all[text] == nil {
				all[text] = before.compiled(text, &total)
			}
		}
	}
	return all
}

// compiled returns the pattern. If the pattern is admitted, compiled adds its instructions to the total.
func (before patterns) compiled(text string, total *int) *pattern {
	known := before[text]
	made := &pattern{}
	if known != nil && known.Regexp != nil {
		made.FlagPattern = known.FlagPattern
	} else {
		var err error
		if made.FlagPattern, err = models.ParseFlagPattern(text); err != nil {
			made.problem = fmt.Sprintf("the pattern %.100q never matches: it %v", text, err)
			return made
		}
	}
	if *total+made.Instructions > models.MaxProjectPatternInstructions {
		made.FlagPattern = models.FlagPattern{}
		made.problem = fmt.Sprintf("the pattern %.100q never matches: older patterns use all %d instructions that a project may have",
			text, models.MaxProjectPatternInstructions)
		return made
	}
	*total += made.Instructions
	if known != nil && known.problem == "" {
		return known
	}
	return made
}

// admitted returns the patterns of the strings that may match.
func (all patterns) admitted(texts []string) []*pattern {
	return parsed(texts, func(text string) (*pattern, bool) {
		p := all[text]
		return p, p != nil && p.problem == ""
	})
}

// matches reports whether the text has a match. A comparison with many steps rests, and ends early if the result is
// no longer needed.
func (p *pattern) matches(of *Context, text string) bool {
	switch {
	case len(text) > models.MaxMatchedBytes:
		return false
	case p.Instructions*len(text) <= restSteps:
		return p.MatchString(text)
	default:
		return p.MatchReader(&restingReader{of: of, instructions: p.Instructions, text: strings.NewReader(text)})
	}
}

// restingReader reads a text for a pattern. It assumes the worst case, in which a pattern runs all its instructions
// for each rune.
type restingReader struct {
	of           *Context
	instructions int
	text         *strings.Reader
}

// ReadRune implements io.RuneReader.
func (r *restingReader) ReadRune() (read rune, size int, err error) {
	if r.of.work(r.instructions); r.of.stopped() {
		r.of.meter.isOver = true
		return 0, 0, io.EOF
	}
	return r.text.ReadRune()
}

// differ reports whether a pattern that both sets contain is admitted in only one of them.
func (before patterns) differ(after patterns) bool {
	for text, p := range after {
		if known := before[text]; known != nil && known.problem != p.problem {
			return true
		}
	}
	return false
}

// problems returns the problems of the patterns that never match.
func (all patterns) problems(texts []string) (sentences []string) {
	for _, text := range texts {
		if p := all[text]; p != nil && p.problem != "" {
			sentences = append(sentences, p.problem)
		}
	}
	return sentences
}

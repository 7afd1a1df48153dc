package flags

import (
	"maps"

	"github.com/waft-ota/waft/models"
)

// Replaced compiles a changed flag of the set, with the set's segments and the links of its releases.
func (s *Set) Replaced(source models.Flag) (*Flag, error) {
	all := maps.Clone(s.patterns)
	if all == nil {
		all = patterns{}
	}
	for _, r := range source.Rules {
		for text := range models.Patterns(r.Config.Conditions) {
			if all[text] == nil {
				all[text] = patterns(nil).compiled(text, new(int))
			}
		}
	}
	var linked []override
	if f, ok := s.FlagByID(source.ID); ok {
		linked = f.overrides
	}
	return compileFlag(source, linked, s.segments, all)
}

// Attributes returns the names of the attributes that the flag's rules read, apart from built-in ones.
func (f *Flag) Attributes() (names []string) {
	for _, s := range f.allSettings() {
		for _, r := range s.rules {
			names = append(names, r.bucketBy.name)
			for _, c := range r.conditions {
				names = append(names, c.at.name)
			}
		}
	}
	return names
}

// allSettings returns the flag's settings without a channel and on each channel.
func (f *Flag) allSettings() []*settings {
	all := []*settings{f.base}
	for _, s := range f.channels {
		all = append(all, s)
	}
	return all
}

// Move counts the contexts whose value changes from one value to another.
type Move struct {
	From, To *Outcome
	Contexts int64
}

// absent is the outcome of a flag that does not exist.
var absent = &Outcome{}

// Moves evaluates a flag before and after a change for the contexts, as long as c has steps left. It returns the
// changed values in the order in which they appear, and the number of evaluated contexts. before is nil for a new flag.
func Moves(before, after *Flag, contexts []Context, c *Context) (moves []Move, evaluated int64) {
	type pair struct{ from, to string }
	at := map[pair]int{}
	for _, each := range contexts {
		if c.meter.used > MaxRequestSteps-2*MaxEvaluationSteps || c.meter.isSlow || c.meter.isStopped {
			break
		}
		c.Become(each)
		from, to := absent, after.evaluate(c)
		if before != nil {
			from = before.evaluate(c)
		}
		evaluated++
		if string(from.Value) == string(to.Value) {
			continue
		}
		p := pair{string(from.Value), string(to.Value)}
		if _, known := at[p]; !known {
			at[p], moves = len(moves), append(moves, Move{From: from, To: to})
		}
		moves[at[p]].Contexts++
	}
	return moves, evaluated
}

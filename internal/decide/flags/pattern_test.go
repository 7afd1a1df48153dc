package flags

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

func matches(patterns ...string) models.FlagRule {
	return where(models.Condition{Attribute: "a", Operator: models.OpMatches, Values: patterns})
}

// Every implementation is tested with these vectors.
func TestTextsThatPatternsMatch(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("../../../docs/match-vectors.json")
	require.NoError(t, err)
	var vectors struct {
		Matches []struct {
			Pattern string
			// Text is repeated Times times.
			Text    string
			Times   int
			Matches bool
		}
	}
	require.NoError(t, json.Unmarshal(data, &vectors))
	require.NotEmpty(t, vectors.Matches)
	for _, v := range vectors.Matches {
		text, err := json.Marshal(strings.Repeat(v.Text, v.Times))
		require.NoError(t, err)
		require.Equal(t, v.Matches, holds(t, models.OpMatches, []string{v.Pattern}, string(text)), "%s %q %d", v.Pattern, v.Text, v.Times)
		require.Equal(t, v.Matches, holds(t, models.OpMatches, []string{v.Pattern}, `[null,`+string(text)+`]`), "%s %q %d", v.Pattern, v.Text, v.Times)

		parsed, err := models.ParseFlagPattern(v.Pattern)
		require.NoError(t, err)
		costly := pattern{FlagPattern: models.FlagPattern{Regexp: parsed.Regexp, Instructions: restSteps + 1}}
		require.Equal(t, v.Matches, costly.matches(&Context{}, strings.Repeat(v.Text, v.Times)), "costly: %s %q %d", v.Pattern, v.Text, v.Times)
	}
}

// A comparison of many steps rests repeatedly, and ends early if the result is no longer needed.
func TestACostlyComparisonRests(t *testing.T) {
	t.Parallel()
	flag := set(t, one(gives("1", matches("^(?:x?){600}x{600}$")))).Flags()[0]
	stop := make(chan struct{})
	rests := 0
	c := &Context{Attributes: attributes("a", strings.Repeat("x", 250)), Stop: stop, Rest: func() { rests++ }}
	require.Equal(t, "0", string(flag.Evaluate(c).Value))
	all := rests
	require.Greater(t, all, 20, "250 times some 1,800 instructions")

	rests = 0
	c.Rest = func() {
		if rests++; rests == all/2 {
			close(stop)
		}
	}
	flag.Evaluate(c)
	require.True(t, c.IsStopped())
	require.Equal(t, all/2, rests)
}

// A stored pattern above the limit never matches, and neither do the newest patterns above the project's total.
// Explain names these patterns, and clients that evaluate flags themselves do not get them.
func TestPatternsAboveTheLimits(t *testing.T) {
	t.Parallel()
	costly := strings.Repeat(".{0,1000}", 100)
	large := func(i int) string { return fmt.Sprintf("^%02d|.{950}.{950}", i) }
	p := one(gives("1", matches(costly, "^fine$")))
	for i := range 11 {
		p.Flags[0].Rules = append(p.Flags[0].Rules, gives("2", matches(large(i))))
	}
	for i := range p.Flags[0].Rules {
		p.Flags[0].Rules[i].ID = int64(100 - i)
	}
	s := set(t, p)
	outcome := func(text string) string {
		return string(s.Flags()[0].Evaluate(&Context{Attributes: attributes("a", text)}).Value)
	}
	require.Equal(t, "1", outcome("fine"))
	require.Equal(t, "0", outcome("anything"))
	require.Equal(t, "2", outcome("10"), "the oldest pattern is admitted")
	require.Equal(t, "0", outcome("00"), "the newest large pattern is not admitted")

	e := s.Flags()[0].Explain(&Context{Attributes: attributes("a", "00")})
	require.Contains(t, e.Rules[0].Conditions[0].Note, "at most 2000 instructions")
	require.Contains(t, e.Rules[1].Conditions[0].Note, "20000 instructions")
	require.Empty(t, e.Rules[11].Conditions[0].Note)
	long := s.Flags()[0].Explain(&Context{Attributes: attributes("a", strings.Repeat("x", 1025))})
	require.Contains(t, long.Rules[11].Conditions[0].Note, "longer than 1024 bytes, and the attribute has 1025")

	document, ok, err := NewDefinitions(p, s).Channel("", func() {})
	require.NoError(t, err)
	require.True(t, ok)
	require.NotContains(t, string(document.Body), "{0,1000}")
	require.NotContains(t, string(document.Body), "^00|")
	require.Contains(t, string(document.Body), "^10|")

	// If an older pattern is removed, the newest pattern is admitted, even in an unchanged flag.
	p.Flags = append(p.Flags, one().Flags[0])
	p.Flags[1].ID, p.Flags[1].Key = 2, "other"
	p.Flags[1].Rules = p.Flags[0].Rules[11:]
	p.Flags[0].Rules = p.Flags[0].Rules[:11]
	s = set(t, p)
	require.Equal(t, "0", outcome("00"))
	p.Flags = p.Flags[:1]
	after, err := NewSet(p, s)
	require.NoError(t, err)
	s = after
	require.Equal(t, "2", outcome("00"))
	require.Same(t, after.patterns[large(3)], after.patterns.compiled(large(3), new(int)), "a pattern is compiled once")
}

// A flag that needs more steps than its budget has its default, and so do flags after the request's budget is spent.
func TestStepsAreBounded(t *testing.T) {
	t.Parallel()
	dear := gives("1", matches("^x.{950}.{950}$|^$"))
	p := one(dear)
	s := set(t, p)
	text := strings.Repeat("x", 1024)
	o := s.Flags()[0].Evaluate(&Context{Attributes: attributes("a", text)})
	require.Equal(t, ReasonError, o.Reason)
	require.Equal(t, "0", string(o.Value))
	require.JSONEq(t, `{"value":0,"reason":"ERROR","variant":"v0"}`, string(o.JSON))
	require.Equal(t, ReasonTargetingMatch, s.Flags()[0].Evaluate(&Context{Attributes: attributes("a", "")}).Reason)
	e := s.Flags()[0].Explain(&Context{Attributes: attributes("a", text)})
	require.Same(t, o, e.Outcome)
	require.Contains(t, e.Detail, "more steps")
	require.Contains(t, e.Rules[0].Detail, "not evaluated")
	require.Contains(t, e.Rules[0].Conditions[0].Note, "not evaluated")

	// Each of these flags needs 410,000 steps, and the request has 4,000,000.
	p = one(gives("1", matches("^x.{198}.{198}$")))
	for i := range 11 {
		f := p.Flags[0]
		f.ID, f.Key = int64(i+2), fmt.Sprintf("g%02d", i)
		p.Flags = append(p.Flags, f)
	}
	s = set(t, p)
	c := Context{Attributes: attributes("a", text)}
	outcomes := s.Evaluate(&c, nil)
	reasons := make([]Reason, len(outcomes))
	for i, o := range outcomes {
		reasons[i] = o.Reason
	}
	require.Equal(t, ReasonDefault, reasons[8])
	require.Equal(t, []Reason{ReasonError, ReasonError, ReasonError}, reasons[9:])
	require.Equal(t, 3, c.Refused())
	for i, e := range s.Explain(&c) {
		require.Same(t, outcomes[i], e.Outcome)
	}
	require.Equal(t, outcomes, s.Reevaluate(&c, Evaluated{s, c, outcomes}))
	require.Equal(t, outcomes, s.Evaluate(&c, nil), "each evaluation has its own budget")

	stop := make(chan struct{})
	close(stop)
	c.Stop = stop
	s.Evaluate(&c, nil)
	require.True(t, c.IsStopped())
	require.Zero(t, c.Refused())
}

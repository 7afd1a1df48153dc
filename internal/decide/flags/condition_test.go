package flags

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/Masterminds/semver/v3"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// contextOf returns a context with one attribute, a, with the JSON value.
func contextOf(t testing.TB, attribute string) *Context {
	t.Helper()
	c := &Context{Attributes: map[string]any{}}
	require.NoError(t, json.Unmarshal([]byte(`{"a":`+attribute+`}`), &c.Attributes), attribute)
	return c
}

// holds reports whether a condition on a holds for a JSON value. With value "" the context does not have the
// attribute.
func holds(t testing.TB, o models.Operator, values []string, value string) bool {
	t.Helper()
	of := &Context{}
	if value != "" {
		of = contextOf(t, value)
	}
	return holdsFor(t, models.Condition{Attribute: "a", Operator: o, Values: values}, of)
}

// holdsFor reports whether a condition holds for a context, without a limit on steps.
func holdsFor(t testing.TB, condition models.Condition, of *Context) bool {
	t.Helper()
	c := compileCondition(condition, admit([]conditionList{{0, []models.Condition{condition}}}, nil))
	of.meter = meter{left: math.MaxInt}
	return c.holds(of)
}

var huge = strings.Repeat("x", 1<<20)

// operatorRows lists for each operator the JSON values for which it holds and does not hold.
var operatorRows = []struct {
	operator models.Operator
	values   []string
	holds    []string
	not      []string
}{
	{
		models.OpEq, []string{"ios", "42", "true", "größe", "1e2"},
		[]string{`"ios"`, `"42"`, `42`, `42.0`, `4.2e1`, `100`, `true`, `"true"`, `"größe"`, `["web","ios"]`, `[null,42]`},
		[]string{`"iOS"`, `""`, `"42.0"`, `"100"`, `41`, `false`, `"gro\u0308ße"`, `[]`, `["web"]`, `[["ios"]]`, `[{"ios":1}]`, `{"ios":true}`},
	},
	{
		models.OpNeq, []string{"ios", "42"},
		[]string{`"android"`, `""`, `41`, `true`, `"42.0"`, `["ios","web"]`, `[1]`},
		[]string{`"ios"`, `42`, `4.2e1`, `["ios"]`, `["ios",42]`, `[]`, `{}`, `[null]`, `[["web"]]`},
	},
	{models.OpIn, []string{"a", "b"}, []string{`"a"`, `"b"`, `["c","b"]`}, []string{`"c"`, `"a,b"`, `["c"]`, `1`}},
	{models.OpNotIn, []string{"a", "b"}, []string{`"c"`, `["a","c"]`, `1`}, []string{`"a"`, `["a","b"]`, `[]`, `{}`}},
	{models.OpContains, []string{"eta", "x", "🚀"}, []string{`"beta"`, `"xy"`, `"go 🚀"`, `["no","beta"]`}, []string{`"alpha"`, `""`, `12`, `true`}},
	{models.OpContains, []string{"."}, []string{`1.5`}, []string{`15`, `1.0`}},
	{models.OpNotContains, []string{"eta", "x"}, []string{`"alpha"`, `""`, `7`, `["beta","alpha"]`}, []string{`"beta"`, `["beta"]`, `{}`, `[]`}},
	{models.OpStartsWith, []string{"1.", "v", "tr"}, []string{`"1.2"`, `"v7"`, `1.5`, `true`}, []string{`"2.1."`, `1`, `""`, `{}`}},
	{models.OpEndsWith, []string{"-beta", "5"}, []string{`"1-beta"`, `25`, `["a","b-beta"]`}, []string{`"1-beta1"`, `["-beta-"]`}},
	{models.OpGt, []string{"10"}, []string{`10.5`, `"10.5"`, `9e9`, `"9e9"`, `[1,11]`}, []string{`10`, `"10"`, `9`, `"ten"`, `""`, `true`, `"0x99"`, `"inf"`, `" 11"`, `"1_1"`, `"+11"`, `"011"`, `[]`, `{}`}},
	{models.OpGte, []string{"10"}, []string{`10`, `10.0`, `"1e1"`}, []string{`9`, `"9.999"`}},
	{models.OpLt, []string{"-1.5"}, []string{`-2`, `"-1e3"`}, []string{`-1.5`, `"x"`, `""`, `null`}},
	{models.OpLte, []string{"10"}, []string{`9`, `10`, `-1`, `"-0"`}, []string{`10.1`, `false`}},
	{
		models.OpBefore, []string{"2026-01-01T00:00:00Z"},
		[]string{`"2025-12-31T23:59:59Z"`, `"2026-01-01T00:30:00+01:00"`, `"2025-12-31T23:59:59.999Z"`},
		[]string{`"2026-01-01T00:00:00Z"`, `"2026-01-01T01:00:00+01:00"`, `"soon"`, `"2025-12-31"`, `0`, `"0"`, `"2025-12-31 23:59:59Z"`, `true`},
	},
	{
		models.OpAfter, []string{"2026-01-01T00:00:00Z"},
		[]string{`"2026-01-01T00:00:01Z"`, `["2020-01-01T00:00:00Z","2027-01-01T00:00:00Z"]`},
		[]string{`"2026-01-01T00:00:00Z"`, `"2027"`, `1900000000000`, `{}`},
	},
	{
		models.OpMatches, []string{`^1\.`, "b$", `^.$`},
		[]string{`"1.9"`, `"ab"`, `1.5`, `"🚀"`, `["x1","ab"]`}, []string{`"21."`, `"\n"`, `"\u2028"`, `""`, `{}`},
	},
	{models.OpExists, nil, []string{`""`, `"x"`, `0`, `false`, `[]`, `{}`, `[null]`}, []string{`null`}},
	{models.OpNotExists, nil, []string{`null`}, []string{`""`, `0`, `false`, `[]`, `{}`}},
	{models.OpSemverEq, []string{"1.2"}, []string{`"1.2.0"`, `"v1.2"`, `"1.2.0+7"`, `1.2`}, []string{`"1.2.1"`, `"1.2.0-rc"`, `"x"`, `""`, `"1.2.0.0"`, `true`}},
	{models.OpSemverNeq, []string{"1.2", "1.3"}, []string{`"1.2.1"`, `2`, `["1.2","1.4"]`}, []string{`"1.2.0"`, `"1.3.0"`, `"x"`, `{}`, `["1.2"]`}},
	{models.OpSemverGt, []string{"1.9.0"}, []string{`"1.10.0"`, `"2"`, `"1.9.1-rc"`}, []string{`"1.9.0"`, `"1.9.0-beta"`, `"x"`}},
	{models.OpSemverGte, []string{"1.9.0"}, []string{`"1.9.0"`, `"2"`, `"1.9.0+build"`}, []string{`"1.8"`, `"1.9.0-beta"`, `"f00ba7"`}},
	{models.OpSemverLt, []string{"1.9.0-rc.2"}, []string{`"1.8"`, `"1.9.0-rc.1"`, `"0"`}, []string{`"1.10"`, `"1.9.0"`, `"1.9.0-rc.10"`}},
	{models.OpSemverLte, []string{"1.9.0"}, []string{`"1.9.0"`, `"v1"`}, []string{`"1.9.1"`, `"x"`, `"99999999999999999999.0.0"`}},
}

func TestOperators(t *testing.T) {
	t.Parallel()
	tested := map[models.Operator]bool{}
	for _, row := range operatorRows {
		tested[row.operator] = true
		for _, v := range row.holds {
			require.True(t, holds(t, row.operator, row.values, v), "%s %q should hold for %s", row.operator, row.values, v)
		}
		for _, v := range append(row.not, `null`)[:len(row.not)] {
			require.False(t, holds(t, row.operator, row.values, v), "%s %q should not hold for %s", row.operator, row.values, v)
		}
		missing := row.operator == models.OpNotExists
		require.Equal(t, missing, holds(t, row.operator, row.values, ""), row.operator)
		require.Equal(t, missing, holds(t, row.operator, row.values, "null"), row.operator)
		// None of these values is long, so negated operators hold for a very long string.
		negated := row.operator == models.OpNeq || row.operator == models.OpNotIn
		if !strings.Contains(strings.Join(row.values, ""), "x") {
			negated = negated || row.operator == models.OpNotContains
		}
		require.Equal(t, negated || row.operator == models.OpExists || strings.Contains(strings.Join(row.values, ""), "x") && row.operator == models.OpContains,
			holds(t, row.operator, row.values, `"`+huge+`"`), row.operator)
	}
	for _, o := range models.Operators {
		require.True(t, tested[o], o)
	}
	require.False(t, holds(t, "new", []string{"x"}, `"x"`))
}

// Many values are searched as a set, few values as a list.
func TestManyValuesAreComparedLikeFew(t *testing.T) {
	t.Parallel()
	many := []string{"ios", "42"}
	for i := range 5000 {
		many = append(many, fmt.Sprintf("other-%d", i))
	}
	for _, v := range []string{`"ios"`, `42`, `"42"`, `"42.0"`, `"web"`, `true`, `["web",42]`, `{}`, `null`} {
		for _, o := range []models.Operator{models.OpEq, models.OpIn, models.OpNeq, models.OpNotIn} {
			require.Equal(t, holds(t, o, many[:2], v), holds(t, o, many, v), "%s %s", o, v)
		}
	}
}

// Numbers are formatted as in ECMAScript.
func TestNumbersAsText(t *testing.T) {
	t.Parallel()
	for number, text := range map[string]string{
		"0": "0", "-0": "0", "1.0": "1", "1e21": "1e+21", "123456789012345680000": "123456789012345680000",
		"1e-7": "1e-7", "0.000001": "0.000001", "1.5e300": "1.5e+300", "-2.50": "-2.5",
	} {
		require.True(t, holds(t, models.OpStartsWith, []string{text}, number), "%s is %s", number, numberText(0))
		require.True(t, holds(t, models.OpEndsWith, []string{text}, number), number)
	}
}

func TestSegments(t *testing.T) {
	t.Parallel()
	ios := models.Condition{Attribute: "platform", Operator: models.OpEq, Values: []string{"ios"}}
	beta := models.Condition{Attribute: "channel", Operator: models.OpEq, Values: []string{"beta"}}
	all := CompileSegment(models.Segment{MatchType: models.MatchAll, Conditions: []models.Condition{ios, beta}})
	either := CompileSegment(models.Segment{MatchType: models.MatchAny, Conditions: []models.Condition{ios, beta}})
	for _, c := range []struct {
		context         Context
		inAll, inEither bool
	}{
		{Context{Platform: "ios", Channel: "beta"}, true, true},
		{Context{Platform: "ios"}, false, true},
		{Context{Platform: "android", Channel: "beta"}, false, true},
		{Context{}, false, false},
	} {
		for segment, want := range map[*Segment]bool{all: c.inAll, either: c.inEither} {
			included, ok := segment.Includes(&c.context)
			require.True(t, ok)
			require.Equal(t, want, included, c.context)
		}
	}
}

// Versions without a pre-release part are parsed without the library. The result must be the same.
func FuzzVersionsCompareAsInTheLibrary(f *testing.F) {
	for _, v := range []string{"1", "1.2", "v1.2.3", "01.2", "1.2.3.4", "1..2", "1.2.", "1.2.3-rc.1", "1.2.3+b", "999999999999999999", "9999999999999999999", "x", ""} {
		f.Add(v, "1.2.3")
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		v, okV := parseVersion(a)
		w, okW := parseVersion(b)
		x, errX := semver.NewVersion(a)
		y, errY := semver.NewVersion(b)
		require.Equal(t, errX == nil, okV, a)
		require.Equal(t, errY == nil, okW, b)
		if okV && okW {
			require.Equal(t, x.Compare(y), v.compare(w), "%q and %q", a, b)
		}
	})
}

func FuzzNumbersAreThoseOfJSON(f *testing.F) {
	for _, v := range []string{"1", "-0", "01", "1.", ".5", "1e5", "1E+5", "1e", "0x1", "inf", "NaN", "1_0", "--1", "-", "", " 1", "1e999"} {
		f.Add(v)
	}
	f.Fuzz(func(t *testing.T, s string) {
		valid := json.Valid([]byte(s)) && strings.Trim(s, "0123456789+-.eE") == "" && s != ""
		require.Equal(t, valid, isNumber(s), s)
	})
}

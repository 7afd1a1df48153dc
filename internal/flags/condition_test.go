package flags

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

func TestHolds(t *testing.T) {
	t.Parallel()
	tested := map[models.Operator]bool{}
	for _, c := range []struct {
		operator models.Operator
		values   []string
		holds    []string
		not      []string
	}{
		{models.OpEq, []string{"ios", "tv"}, []string{"ios", "tv"}, []string{"iOS", "", "io"}},
		{models.OpNeq, []string{"ios", "tv"}, []string{"android", ""}, []string{"ios", "tv"}},
		{models.OpIn, []string{"a", "b"}, []string{"a", "b"}, []string{"c"}},
		{models.OpNotIn, []string{"a", "b"}, []string{"c"}, []string{"a", "b"}},
		{models.OpContains, []string{"eta", "x"}, []string{"beta", "xy"}, []string{"alpha"}},
		{models.OpNotContains, []string{"eta", "x"}, []string{"alpha"}, []string{"beta", "xy"}},
		{models.OpStartsWith, []string{"1.", "v"}, []string{"1.2", "v7"}, []string{"2.1."}},
		{models.OpEndsWith, []string{"-beta"}, []string{"1-beta"}, []string{"-beta1"}},
		{models.OpGt, []string{"10"}, []string{"10.5", "9e9"}, []string{"10", "9", "ten", ""}},
		{models.OpGte, []string{"10"}, []string{"10", "10.0"}, []string{"9"}},
		{models.OpLt, []string{"10"}, []string{"9"}, []string{"10", "x"}},
		{models.OpLte, []string{"10"}, []string{"10", "-1"}, []string{"10.1"}},
		{models.OpBefore, []string{"2026-01-01"}, []string{"2025-12-31T23:59:59Z", "0"}, []string{"2026-01-01", "soon"}},
		{models.OpAfter, []string{"2026-01-01"}, []string{"2026-01-01T00:00:01Z"}, []string{"2026-01-01", "soon"}},
		{models.OpMatches, []string{"^1\\.", "b$"}, []string{"1.9", "ab"}, []string{"21."}},
		{models.OpExists, nil, []string{"", "x"}, nil},
		{models.OpNotExists, nil, nil, []string{"", "x"}},
		{models.OpSemverEq, []string{"1.2"}, []string{"1.2.0", "v1.2"}, []string{"1.2.1", "x"}},
		{models.OpSemverNeq, []string{"1.2", "1.3"}, []string{"1.2.1"}, []string{"1.2.0", "1.3.0", "x"}},
		{models.OpSemverGt, []string{"1.9.0"}, []string{"1.10.0"}, []string{"1.9.0", "1.9.0-beta", "x"}},
		{models.OpSemverGte, []string{"1.9.0"}, []string{"1.9.0", "2"}, []string{"1.8", "1.9.0-beta"}},
		{models.OpSemverLt, []string{"1.9.0"}, []string{"1.8", "1.9.0-beta"}, []string{"1.10"}},
		{models.OpSemverLte, []string{"1.9.0"}, []string{"1.9.0"}, []string{"1.9.1", "x"}},
	} {
		tested[c.operator] = true
		condition := models.Condition{Attribute: "a", Operator: c.operator, Values: c.values}
		for _, text := range c.holds {
			require.True(t, Holds(condition, text, true), "%s %v %q", c.operator, c.values, text)
		}
		for _, text := range c.not {
			require.False(t, Holds(condition, text, true), "%s %v %q", c.operator, c.values, text)
		}
		require.Equal(t, c.operator == models.OpNotExists, Holds(condition, "", false), c.operator)
	}
	for _, o := range models.Operators {
		require.True(t, tested[o], o)
	}
	require.False(t, Holds(models.Condition{Operator: "new"}, "x", true))
}

func TestInSegment(t *testing.T) {
	t.Parallel()
	ios := models.Condition{Attribute: "platform", Operator: models.OpEq, Values: []string{"ios"}}
	beta := models.Condition{Attribute: "channel", Operator: models.OpEq, Values: []string{"beta"}}
	all := models.Segment{MatchType: models.MatchAll, Conditions: []models.Condition{ios, beta}}
	either := models.Segment{MatchType: models.MatchAny, Conditions: all.Conditions}
	for _, c := range []struct {
		attributes      map[string]string
		inAll, inEither bool
	}{
		{map[string]string{"platform": "ios", "channel": "beta"}, true, true},
		{map[string]string{"platform": "ios"}, false, true},
		{map[string]string{"platform": "android", "channel": "beta"}, false, true},
		{nil, false, false},
	} {
		require.Equal(t, c.inAll, InSegment(all, c.attributes), c.attributes)
		require.Equal(t, c.inEither, InSegment(either, c.attributes), c.attributes)
	}
}

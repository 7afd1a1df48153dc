package store_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

func (f *fixture) segment(key string) models.Segment {
	f.t.Helper()
	g, err := f.CreateSegment(f.t.Context(), f.project.ID, alice, models.NewSegment{
		Key: key, Name: "The " + key, MatchType: models.MatchAll,
		Conditions: []models.Condition{
			{Attribute: "plan", Operator: models.OpEq, Values: []string{"pro"}}, {Attribute: "email", Operator: models.OpExists},
		},
	})
	require.NoError(f.t, err)
	return g
}

func TestCreateSegment(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.requireBumped(true, func() {
		g := f.segment("")
		require.Equal(t, "the", g.Key)
		require.NotZero(t, g.Conditions[0].ID)
		require.NotEqual(t, g.Conditions[0].ID, g.Conditions[1].ID)
		require.Equal(t, []string{}, g.Conditions[1].Values)
		read, err := f.Segment(t.Context(), f.project.ID, g.ID)
		require.NoError(t, err)
		require.Equal(t, g, read)
		_, err = f.Segment(t.Context(), f.newProject("other").ID, g.ID)
		requireCode(t, models.CodeNotFound, err)
	})
	require.Equal(t, "segment.created", f.audited(1)[0].Action)
	_, err := f.CreateSegment(t.Context(), f.project.ID, alice, models.NewSegment{
		Name: "THE", MatchType: models.MatchAny, Conditions: []models.Condition{{Attribute: "a", Operator: models.OpExists}},
	})
	requireCode(t, models.CodeAlreadyExists, err)
	_, err = f.CreateSegment(t.Context(), f.project.ID, alice, models.NewSegment{Name: "x", MatchType: models.MatchAny})
	requireField(t, "conditions", err)
}

func TestUpdateSegment(t *testing.T) {
	t.Parallel()
	f := setup(t)
	g := f.segment("beta")
	listed := []models.Condition{
		{ID: g.Conditions[1].ID, Attribute: "email", Operator: models.OpEndsWith, Values: []string{"@example.com"}},
		{ID: 1 << 40, Attribute: "age", Operator: models.OpGt, Values: []string{"17"}},
	}
	f.requireBumped(true, func() {
		got, err := f.UpdateSegment(t.Context(), f.project.ID, alice, g.ID, models.SegmentPatch{
			Name: new("Beta"), MatchType: new(models.MatchAny), Conditions: &listed,
		})
		require.NoError(t, err)
		require.Equal(t, "beta", got.Key)
		require.Equal(t, g.Conditions[1].ID, got.Conditions[0].ID, "a condition keeps its id")
		require.NotEqual(t, int64(1<<40), got.Conditions[1].ID, "nobody chooses one")
		read, err := f.Segment(t.Context(), f.project.ID, g.ID)
		require.NoError(t, err)
		require.Equal(t, got, read)
	})
	entry := f.audited(1)[0]
	require.Equal(t, "segment.updated", entry.Action)
	require.Equal(t, map[string]any{"before": "all", "after": "any"}, entry.Details["matchType"])
	f.requireBumped(false, func() {
		_, err := f.UpdateSegment(t.Context(), f.project.ID, alice, g.ID, models.SegmentPatch{Name: new("Beta")})
		require.NoError(t, err)
	})
}

func TestASegmentThatARuleRefersToStays(t *testing.T) {
	t.Parallel()
	f := setup(t)
	g, flag := f.segment("beta"), f.flag("colour")
	idle := f.segment("idle")
	rule := f.rule(flag, "green", forSegment("beta"))

	segments, err := f.ListSegments(t.Context(), f.project.ID, models.Page{})
	require.NoError(t, err)
	require.Equal(t, []models.SegmentReference{}, segments[0].ReferencedBy)
	require.Equal(t, []models.SegmentReference{{FlagID: flag.ID, FlagKey: "colour", RuleID: rule.ID}}, segments[1].ReferencedBy)

	err = f.DeleteSegment(t.Context(), f.project.ID, alice, g.ID)
	requireCode(t, models.CodeInUse, err)
	require.ErrorContains(t, err, `flag "colour"`)
	require.NoError(t, f.DeleteSegment(t.Context(), f.project.ID, alice, idle.ID))
	require.NoError(t, f.DeleteRule(t.Context(), f.project.ID, alice, flag.ID, rule.ID))
	require.NoError(t, f.DeleteSegment(t.Context(), f.project.ID, alice, g.ID))
	require.Equal(t, "segment.deleted", f.audited(1)[0].Action)
}

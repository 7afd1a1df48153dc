package flagstore_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

func TestCreateSegment(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	f.RequireBumped(true, func() {
		g := storetest.AddSegment(f, "")
		require.Equal(t, "the", g.Key)
		require.NotZero(t, g.Conditions[0].ID)
		require.NotEqual(t, g.Conditions[0].ID, g.Conditions[1].ID)
		require.Equal(t, []string{}, g.Conditions[1].Values)
		read, err := f.Segment(t.Context(), f.Demo.ID, g.ID)
		require.NoError(t, err)
		require.Equal(t, g, read)
		_, err = f.Segment(t.Context(), f.NewProject("other").ID, g.ID)
		storetest.RequireCode(t, models.CodeNotFound, err)
	})
	require.Equal(t, "segment.created", f.Audited(1)[0].Action)
	_, err := f.CreateSegment(t.Context(), f.Demo.ID, storetest.Alice, models.NewSegment{
		Name: "THE", MatchType: models.MatchAny, Conditions: []models.Condition{{Attribute: "a", Operator: models.OpExists}},
	})
	storetest.RequireCode(t, models.CodeAlreadyExists, err)
	_, err = f.CreateSegment(t.Context(), f.Demo.ID, storetest.Alice, models.NewSegment{Name: "x", MatchType: models.MatchAny})
	storetest.RequireField(t, "conditions", err)
}

func TestUpdateSegment(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	g := storetest.AddSegment(f, "beta")
	listed := []models.Condition{
		{ID: g.Conditions[1].ID, Attribute: "email", Operator: models.OpEndsWith, Values: []string{"@example.com"}},
		{ID: 1 << 40, Attribute: "age", Operator: models.OpGt, Values: []string{"17"}},
	}
	f.RequireBumped(true, func() {
		got, err := f.UpdateSegment(t.Context(), f.Demo.ID, storetest.Alice, g.ID, models.SegmentPatch{
			Name: new("Beta"), MatchType: new(models.MatchAny), Conditions: &listed,
		})
		require.NoError(t, err)
		require.Equal(t, "beta", got.Key)
		require.Equal(t, g.Conditions[1].ID, got.Conditions[0].ID, "a condition keeps its ID")
		require.NotEqual(t, int64(1<<40), got.Conditions[1].ID, "callers cannot choose an ID")
		read, err := f.Segment(t.Context(), f.Demo.ID, g.ID)
		require.NoError(t, err)
		require.Equal(t, got, read)
	})
	entry := f.Audited(1)[0]
	require.Equal(t, "segment.updated", entry.Action)
	require.Equal(t, map[string]any{"before": "all", "after": "any"}, entry.Details["matchType"])
	f.RequireBumped(false, func() {
		_, err := f.UpdateSegment(t.Context(), f.Demo.ID, storetest.Alice, g.ID, models.SegmentPatch{Name: new("Beta")})
		require.NoError(t, err)
	})
}

func TestASegmentThatARuleRefersToStays(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	g, flag := storetest.AddSegment(f, "beta"), storetest.AddFlag(f, "colour")
	idle := storetest.AddSegment(f, "idle")
	rule := storetest.AddRule(f, flag, "green", storetest.ForSegment("beta"))

	segments, err := f.ListSegments(t.Context(), f.Demo.ID, models.Page{})
	require.NoError(t, err)
	require.Equal(t, []models.SegmentReference{}, segments[0].ReferencedBy)
	require.Equal(t, []models.SegmentReference{{FlagID: flag.ID, FlagKey: "colour", RuleID: rule.ID}}, segments[1].ReferencedBy)

	err = f.DeleteSegment(t.Context(), f.Demo.ID, storetest.Alice, g.ID)
	storetest.RequireCode(t, models.CodeInUse, err)
	require.ErrorContains(t, err, `flag "colour"`)
	require.NoError(t, f.DeleteSegment(t.Context(), f.Demo.ID, storetest.Alice, idle.ID))
	require.NoError(t, f.DeleteRule(t.Context(), f.Demo.ID, storetest.Alice, flag.ID, rule.ID))
	require.NoError(t, f.DeleteSegment(t.Context(), f.Demo.ID, storetest.Alice, g.ID))
	require.Equal(t, "segment.deleted", f.Audited(1)[0].Action)
}

package store_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

func links(flags ...models.FlagLink) func(*models.Publish) {
	return func(p *models.Publish) { p.LinkedFlags = flags }
}

func TestPublishWithLinkedFlags(t *testing.T) {
	t.Parallel()

	t.Run("shows what its devices get", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		checkout, colour, dark := f.flag("checkout", boolean), f.flag("colour"), f.flag("dark")
		policy := f.policy()
		r := f.publish(withPolicy(policy.ID), links(
			models.FlagLink{FlagID: dark.ID}, models.FlagLink{FlagID: colour.ID, Enabled: true, Value: new("blue")},
			models.FlagLink{FlagID: checkout.ID, Enabled: true}))
		require.Equal(t, []models.LinkedFlag{
			{FlagID: checkout.ID, FlagKey: "checkout", Enabled: true, Value: "true"},
			{FlagID: colour.ID, FlagKey: "colour", Enabled: true, Value: "blue", VariationID: &colour.Variations[2].ID},
			{FlagID: dark.ID, FlagKey: "dark", Value: "red"},
		}, r.LinkedFlags)
		require.Equal(t, r, f.release(r.ID))
		releases, err := f.ListReleases(t.Context(), f.project.ID, models.ReleaseFilter{}, models.Page{})
		require.NoError(t, err)
		require.Equal(t, []models.Release{r}, releases)
		require.Equal(t, r.LinkedFlags, f.execution(*r.RolloutExecutionID).LinkedFlags)
		executions, err := f.ListExecutions(t.Context(), f.project.ID, models.ExecutionFilter{}, models.Page{})
		require.NoError(t, err)
		require.Equal(t, r.LinkedFlags, executions[0].LinkedFlags)
		require.Equal(t, []int64{*r.RolloutExecutionID}, f.readFlag(colour.ID).ActiveRollouts)
		require.Len(t, f.audited(2)[0].Details["linkedFlags"], 3)

		c := next(f.execution(*r.RolloutExecutionID))
		c.Status = models.ExecutionCompleted
		f.apply(c)
		require.Empty(t, f.readFlag(colour.ID).ActiveRollouts)
		require.Equal(t, r.LinkedFlags, f.release(r.ID).LinkedFlags, "they stay after completion")
	})

	for name, tc := range map[string]struct {
		link  func(f *fixture) models.FlagLink
		code  models.ErrorCode
		names string
	}{
		"a flag that does not exist": {func(*fixture) models.FlagLink { return models.FlagLink{FlagID: 1 << 40} }, models.CodeNotFound, "flag"},
		"a flag of another project": {func(f *fixture) models.FlagLink {
			flag, err := f.CreateFlag(f.t.Context(), f.newProject("other").ID, alice, models.NewFlag{Name: "theirs"})
			require.NoError(f.t, err)
			return models.FlagLink{FlagID: flag.ID}
		}, models.CodeNotFound, "flag"},
		"no value where one is needed": {func(f *fixture) models.FlagLink {
			return models.FlagLink{FlagID: f.flag("colour").ID, Enabled: true}
		}, models.CodeInvalid, "linkedFlags[0].value"},
		"a value that is no variation": {func(f *fixture) models.FlagLink {
			return models.FlagLink{FlagID: f.flag("colour").ID, Enabled: true, Value: new("pink")}
		}, models.CodeInvalid, "linkedFlags[0].value"},
		"a boolean that contradicts itself": {func(f *fixture) models.FlagLink {
			return models.FlagLink{FlagID: f.flag("checkout", boolean).ID, Enabled: true, Value: new("false")}
		}, models.CodeInvalid, "linkedFlags[0].value"},
	} {
		t.Run("refuses "+name, func(t *testing.T) {
			t.Parallel()
			f := setup(t)
			p := models.Publish{BuildID: f.build("one").ID, Channel: "production", LinkedFlags: []models.FlagLink{tc.link(f)}}
			_, err := f.Publish(t.Context(), f.project.ID, alice, p)
			requireCode(t, tc.code, err)
			require.ErrorContains(t, err, tc.names)
			require.Equal(t, []int64{0}, query[int64](f, "SELECT count(*) FROM releases"))
		})
	}
}

func TestPatchLinkedFlags(t *testing.T) {
	t.Parallel()
	f := setup(t)
	colour, checkout := f.flag("colour"), f.flag("checkout", boolean)
	r := f.publish(links(models.FlagLink{FlagID: colour.ID, Enabled: true, Value: new("blue")}))
	f.requireBumped(true, func() {
		got := f.patch(r.ID, models.ReleasePatch{LinkedFlags: &[]models.FlagLink{{FlagID: checkout.ID, Enabled: true}}})
		require.Len(t, got.LinkedFlags, 1)
		require.Equal(t, "checkout", got.LinkedFlags[0].FlagKey)
		require.Equal(t, got, f.release(r.ID))
	})
	entry := f.audited(1)[0]
	require.Equal(t, "update.patched", entry.Action)
	change := entry.Details["linkedFlags"].(map[string]any)
	require.Equal(t, "blue", change["before"].([]any)[0].(map[string]any)["value"])
	f.requireBumped(false, func() {
		f.patch(r.ID, models.ReleasePatch{LinkedFlags: &[]models.FlagLink{{FlagID: checkout.ID, Enabled: true}}})
	})
	require.Nil(t, f.patch(r.ID, models.ReleasePatch{LinkedFlags: &[]models.FlagLink{}}).LinkedFlags)
	require.NoError(t, f.DeleteFlag(t.Context(), f.project.ID, alice, colour.ID))
}

// A revert publishes the release before the bad one again: with its flags.
func TestARepublicationLinksWhatTheOriginalLinks(t *testing.T) {
	t.Parallel()
	f := setup(t)
	colour, checkout := f.flag("colour"), f.flag("checkout", boolean)
	good := f.publish(links(models.FlagLink{FlagID: colour.ID, Enabled: true, Value: new("blue")}))
	_, e := f.rollOut(links(models.FlagLink{FlagID: checkout.ID, Enabled: true}))
	c := next(f.reach(e, 10))
	c.Status, c.Revert = models.ExecutionRolledBack, true
	f.apply(c)
	releases, err := f.ListReleases(t.Context(), f.project.ID, models.ReleaseFilter{}, models.Page{Limit: 1})
	require.NoError(t, err)
	require.Equal(t, good.ID, *releases[0].RepublishedFromID)
	require.Equal(t, good.LinkedFlags, releases[0].LinkedFlags)
}

func TestSnapshotHoldsFlags(t *testing.T) {
	t.Parallel()
	f := setup(t)
	flag, segment := f.flag("colour"), f.segment("beta")
	f.rule(flag, "green", forSegment("beta"))
	f.rule(flag, "", func(n *models.NewFlagRule) {
		n.RuleType, n.VariantValue = models.RulePercentageRollout, nil
		n.Config = models.RuleConfig{Rollout: []models.RolloutShare{{VariantValue: "blue", HasValue: true, Weight: 10}}}
	})
	f.publish(links(models.FlagLink{FlagID: flag.ID, Enabled: true, Value: new("blue")}))
	other := f.newProject("other")
	_, err := f.CreateFlag(t.Context(), other.ID, alice, models.NewFlag{Name: "theirs"})
	require.NoError(t, err)

	snapshot, err := f.Snapshot(t.Context(), f.project.ID)
	require.NoError(t, err)
	require.Len(t, snapshot.Flags, 1)
	require.Equal(t, f.readFlag(flag.ID).Rules, snapshot.Flags[0].Rules)
	require.Len(t, snapshot.Flags[0].Variations, 3)
	require.Len(t, snapshot.Segments, 1)
	require.Equal(t, segment.Conditions, snapshot.Segments[0].Conditions)
	require.Equal(t, "blue", snapshot.Releases[0].LinkedFlags[0].Value)
}

package releasestore_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

func TestPublishWithLinkedFlags(t *testing.T) {
	t.Parallel()

	t.Run("shows what its devices get", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		checkout, colour, dark := storetest.AddFlag(f, "checkout", storetest.Boolean), storetest.AddFlag(f, "colour"),
			storetest.AddFlag(f, "dark")
		policy := f.MustPolicy()
		r := f.MustPublish(storetest.WithPolicy(policy.ID), storetest.LinkFlags(
			models.FlagLink{FlagID: dark.ID}, models.FlagLink{FlagID: colour.ID, Enabled: true, Value: new("blue")},
			models.FlagLink{FlagID: checkout.ID, Enabled: true}))
		require.Equal(t, []models.LinkedFlag{
			{FlagID: checkout.ID, FlagKey: "checkout", Enabled: true, Value: "true"},
			{FlagID: colour.ID, FlagKey: "colour", Enabled: true, Value: "blue", VariationID: &colour.Variations[2].ID},
			{FlagID: dark.ID, FlagKey: "dark", Value: "red"},
		}, r.LinkedFlags)
		require.Equal(t, r, f.MustRelease(r.ID))
		releases, err := f.ListReleases(t.Context(), f.Demo.ID, models.ReleaseFilter{}, models.Page{})
		require.NoError(t, err)
		require.Equal(t, []models.Release{r}, releases)
		require.Equal(t, r.LinkedFlags, f.MustExecution(*r.RolloutExecutionID).LinkedFlags)
		executions, err := f.ListExecutions(t.Context(), f.Demo.ID, models.ExecutionFilter{}, models.Page{})
		require.NoError(t, err)
		require.Equal(t, r.LinkedFlags, executions[0].LinkedFlags)
		require.Equal(t, []int64{*r.RolloutExecutionID}, storetest.ReadFlag(f, colour.ID).ActiveRollouts)
		require.Len(t, f.Audited(2)[0].Details["linkedFlags"], 3)

		c := storetest.Next(f.MustExecution(*r.RolloutExecutionID))
		c.Status = models.ExecutionCompleted
		f.MustApply(c)
		require.Empty(t, storetest.ReadFlag(f, colour.ID).ActiveRollouts)
		require.Equal(t, r.LinkedFlags, f.MustRelease(r.ID).LinkedFlags, "they stay after completion")
		other := f.MustPublish()
		linking := func(flagID int64) []int64 {
			found, err := f.ListReleases(t.Context(), f.Demo.ID, models.ReleaseFilter{FlagID: flagID}, models.Page{})
			require.NoError(t, err)
			return ids(found)
		}
		require.Equal(t, []int64{r.ID}, linking(colour.ID), "release %d does not link the flag", other.ID)
		require.Empty(t, linking(storetest.AddFlag(f, "unused").ID))
	})

	for name, tc := range map[string]struct {
		link  func(f *storetest.Fixture) models.FlagLink
		code  models.ErrorCode
		names string
	}{
		"a flag that does not exist": {func(*storetest.Fixture) models.FlagLink { return models.FlagLink{FlagID: 1 << 40} }, models.CodeNotFound,
			"flag"},
		"a flag of another project": {func(f *storetest.Fixture) models.FlagLink {
			flag, err := f.CreateFlag(f.T.Context(), f.NewProject("other").ID, storetest.Alice, models.NewFlag{Name: "theirs"})
			require.NoError(f.T, err)
			return models.FlagLink{FlagID: flag.ID}
		}, models.CodeNotFound, "flag"},
		"no value where one is needed": {func(f *storetest.Fixture) models.FlagLink {
			return models.FlagLink{FlagID: storetest.AddFlag(f, "colour").ID, Enabled: true}
		}, models.CodeInvalid, "linkedFlags[0].value"},
		"a value that is no variation": {func(f *storetest.Fixture) models.FlagLink {
			return models.FlagLink{FlagID: storetest.AddFlag(f, "colour").ID, Enabled: true, Value: new("pink")}
		}, models.CodeInvalid, "linkedFlags[0].value"},
		"a boolean that contradicts itself": {func(f *storetest.Fixture) models.FlagLink {
			return models.FlagLink{FlagID: storetest.AddFlag(f, "checkout", storetest.Boolean).ID, Enabled: true, Value: new("false")}
		}, models.CodeInvalid, "linkedFlags[0].value"},
	} {
		t.Run("refuses "+name, func(t *testing.T) {
			t.Parallel()
			f := storetest.Setup(t)
			p := models.Publish{BuildID: f.MustBuild("one").ID, Channel: "production", LinkedFlags: []models.FlagLink{tc.link(f)}}
			_, err := f.Publish(t.Context(), f.Demo.ID, storetest.Alice, p)
			storetest.RequireCode(t, tc.code, err)
			require.ErrorContains(t, err, tc.names)
			require.Equal(t, []int64{0}, storetest.Query[int64](f, "SELECT count(*) FROM releases"))
		})
	}
}

func TestPatchLinkedFlags(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	colour, checkout := storetest.AddFlag(f, "colour"), storetest.AddFlag(f, "checkout", storetest.Boolean)
	r := f.MustPublish(storetest.LinkFlags(models.FlagLink{FlagID: colour.ID, Enabled: true, Value: new("blue")}))
	f.RequireBumped(true, func() {
		got := f.MustPatch(r.ID, models.ReleasePatch{LinkedFlags: &[]models.FlagLink{{FlagID: checkout.ID, Enabled: true}}})
		require.Len(t, got.LinkedFlags, 1)
		require.Equal(t, "checkout", got.LinkedFlags[0].FlagKey)
		require.Equal(t, got, f.MustRelease(r.ID))
	})
	entry := f.Audited(1)[0]
	require.Equal(t, "update.patched", entry.Action)
	change := entry.Details["linkedFlags"].(map[string]any)
	require.Equal(t, "blue", change["before"].([]any)[0].(map[string]any)["value"])
	f.RequireBumped(false, func() {
		f.MustPatch(r.ID, models.ReleasePatch{LinkedFlags: &[]models.FlagLink{{FlagID: checkout.ID, Enabled: true}}})
	})
	require.Nil(t, f.MustPatch(r.ID, models.ReleasePatch{LinkedFlags: &[]models.FlagLink{}}).LinkedFlags)
	require.NoError(t, f.DeleteFlag(t.Context(), f.Demo.ID, storetest.Alice, colour.ID))
}

// A rollback publishes the release before the bad one again, including its flags.
func TestARepublicationLinksWhatTheOriginalLinks(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	colour, checkout := storetest.AddFlag(f, "colour"), storetest.AddFlag(f, "checkout", storetest.Boolean)
	good := f.MustPublish(storetest.LinkFlags(models.FlagLink{FlagID: colour.ID, Enabled: true, Value: new("blue")}))
	_, e := f.MustRollOut(storetest.LinkFlags(models.FlagLink{FlagID: checkout.ID, Enabled: true}))
	c := storetest.Next(f.MustReach(e, 10))
	c.Status, c.Revert = models.ExecutionRolledBack, true
	f.MustApply(c)
	releases, err := f.ListReleases(t.Context(), f.Demo.ID, models.ReleaseFilter{}, models.Page{Limit: 1})
	require.NoError(t, err)
	require.Equal(t, good.ID, *releases[0].RepublishedFromID)
	require.Equal(t, good.LinkedFlags, releases[0].LinkedFlags)
}

func TestSnapshotHoldsFlags(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	flag, segment := storetest.AddFlag(f, "colour"), storetest.AddSegment(f, "beta")
	storetest.AddRule(f, flag, "green", storetest.ForSegment("beta"))
	storetest.AddRule(f, flag, "", func(n *models.NewFlagRule) {
		n.RuleType, n.VariantValue = models.RulePercentageRollout, nil
		n.Config = models.RuleConfig{Rollout: []models.RolloutShare{{VariantValue: "blue", HasValue: true, Weight: 10}}}
	})
	f.MustPublish(storetest.LinkFlags(models.FlagLink{FlagID: flag.ID, Enabled: true, Value: new("blue")}))
	other := f.NewProject("other")
	_, err := f.CreateFlag(t.Context(), other.ID, storetest.Alice, models.NewFlag{Name: "theirs"})
	require.NoError(t, err)

	snapshot, err := f.Snapshot(t.Context(), f.Demo.ID)
	require.NoError(t, err)
	require.Len(t, snapshot.Flags, 1)
	require.Equal(t, storetest.ReadFlag(f, flag.ID).Rules, snapshot.Flags[0].Rules)
	require.Len(t, snapshot.Flags[0].Variations, 3)
	require.Len(t, snapshot.Segments, 1)
	require.Equal(t, segment.Conditions, snapshot.Segments[0].Conditions)
	require.Equal(t, "blue", snapshot.Releases[0].LinkedFlags[0].Value)
}

// The releases that link a flag are found among any number of newer releases, with a search or a count, too.
func TestReleasesOfAFlag(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	flag, other := storetest.AddFlag(f, "checkout", storetest.Boolean), storetest.AddFlag(f, "dark", storetest.Boolean)
	link := storetest.LinkFlags(models.FlagLink{FlagID: flag.ID, Enabled: true})
	var linking []int64
	for _, notes := range []string{"first", "second", "third", "fourth"} {
		r := f.MustPublish(link, func(p *models.Publish) { p.ReleaseMessage = notes })
		linking = append([]int64{r.ID}, linking...)
	}
	gone := f.MustPublish(link)
	require.NoError(t, f.DeleteRelease(t.Context(), f.Demo.ID, storetest.Alice, gone.ID))
	f.MustPublish()

	list := func(projectID, flagID int64, page models.Page) []int64 {
		releases, err := f.ListReleases(t.Context(), projectID, models.ReleaseFilter{FlagID: flagID}, page)
		require.NoError(t, err)
		return ids(releases)
	}
	found := &models.Found{}
	require.Equal(t, linking[:2], list(f.Demo.ID, flag.ID, models.Page{Limit: 2, Count: true, Found: found}))
	require.EqualValues(t, 4, *found.Total)
	require.Equal(t, linking[2:], list(f.Demo.ID, flag.ID, models.Page{Before: linking[1]}))
	require.Equal(t, linking[1:2], list(f.Demo.ID, flag.ID, models.Page{Search: "third", Found: &models.Found{}}))
	require.Empty(t, list(f.Demo.ID, other.ID, models.Page{}))
	require.Empty(t, list(f.NewProject("other").ID, flag.ID, models.Page{}))

	require.Equal(t, linking[:3], ids(storetest.ReadFlag(f, flag.ID).NewestReleases))
	require.Equal(t, "fourth", storetest.ReadFlag(f, flag.ID).NewestReleases[0].ReleaseMessage)
	require.Empty(t, storetest.ReadFlag(f, other.ID).NewestReleases)
}

package unit_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

// requiring returns an admin whose call requires the ETag of a record.
func requiring(etag string) models.Actor {
	actor := admin
	actor.IfMatch = models.IfMatch{etag}
	return actor
}

func TestARecordWithoutAVersionMatchesNothing(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	_, err := f.CreateBranch(t.Context(), f.Demo.ID, admin, models.NewBranch{Name: "next"})
	require.NoError(t, err)
	storetest.RequireCode(t, models.CodePreconditionFailed, f.DeleteBranch(t.Context(), f.Demo.ID, requiring(`"1-1"`), "next"))
	require.NoError(t, f.DeleteBranch(t.Context(), f.Demo.ID, admin, "next"))
}

// The condition is checked when the call is requested. When the call is applied, its basis is compared with what was
// approved.
func TestACallThatMatchesAsks(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	protect(f, "production", 1)
	c, err := f.Channel(t.Context(), f.Demo.ID, "production")
	require.NoError(t, err)
	patch := models.ChannelPatch{MinRuntimeVersion: storetest.SetTo("2.0.0")}
	_, err = f.UpdateChannel(t.Context(), f.Demo.ID, requiring(`"1-1"`), "production", patch)
	storetest.RequireCode(t, models.CodePreconditionFailed, err)
	_, err = f.UpdateChannel(t.Context(), f.Demo.ID, requiring(c.ETag(c.ID)), "production", patch)
	var needed *models.ApprovalNeeded
	require.True(t, errors.As(err, &needed), "%v", err)
	call := models.StoredOperation{Action: "channel.update", InputVersion: 1, Input: []byte("{}")}
	_, err = f.RequestApproval(t.Context(), f.Demo.ID, requiring(c.ETag(c.ID)), call, needed)
	require.NoError(t, err)
}

// TestVersions changes records, and the values in their rows that Waft itself updates.
func TestVersions(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	version := func(table string) (versions []int64) {
		t.Helper()
		return storetest.Query[int64](f, "SELECT version FROM "+table+" ORDER BY id")
	}
	step := func(what, table string, raised int64, change func()) {
		t.Helper()
		before := version(table)
		change()
		for i, now := range version(table)[:len(before)] {
			require.Equal(t, before[i]+raised, now, what)
		}
	}
	step("a new snapshot", "projects", 0, func() { f.MustPublish() })
	step("the share of a release", "releases", 1, func() {
		f.MustPatch(storetest.Query[int64](f, "SELECT id FROM releases")[0], models.ReleasePatch{RolloutPercentage: new(50.0)})
	})

	seen := models.EvaluatedContext{
		ProjectID: f.Demo.ID, Kind: models.ContextKinds[0], TargetingKey: "ada", Attributes: map[string]any{"plan": "pro"}, Evaluations: 1,
		SeenAt: time.Now(),
	}
	record := func() { require.NoError(t, f.RecordContexts(t.Context(), f.Demo.ID, []models.EvaluatedContext{seen})) }
	record()
	step("another evaluation", "contexts", 0, record)
	seen.Attributes = map[string]any{"plan": "free"}
	step("another attribute", "contexts", 1, record)

	i, _, err := f.OpenIncident(t.Context(), storetest.NewIncident(f, "production"))
	require.NoError(t, err)
	i.Devices++
	save := func() { require.NoError(t, f.SaveIncident(t.Context(), i)) }
	step("other counts", "incidents", 0, save)
	i.Resolve(models.ResolvedByRecovery, time.Now())
	step("the end of an incident", "incidents", 1, save)

	_, _, err = f.CreateWebhook(t.Context(), f.Demo.ID, admin, models.NewWebhook{
		URL: "https://example.com/hook", Events: []string{"*"}, IsActive: true,
	})
	require.NoError(t, err)
	step("a failed delivery", "webhooks", 0, func() { f.MustExec("UPDATE webhooks SET failing_since = now()") })

	f.MustPolicy()
	step("a rollout", "rollout_policies", 0, func() {
		f.MustPublish(storetest.WithPolicy(storetest.Query[int64](f, "SELECT id FROM rollout_policies")[0]))
	})

	flag := storetest.AddFlag(f, "checkout")
	_, err = f.CreateChannel(t.Context(), f.Demo.ID, admin, models.NewChannel{Name: "next", BranchName: "next"})
	require.NoError(t, err)
	_, _, err = f.UpdateFlagEnvironment(t.Context(), f.Demo.ID, admin, flag.ID, "next", models.FlagEnvironmentPatch{Enabled: storetest.SetTo(true)})
	require.NoError(t, err)
	step("a flag's setting that is deleted with its channel", "flags", 1, func() {
		require.NoError(t, f.DeleteChannel(t.Context(), f.Demo.ID, admin, "next"))
	})
}

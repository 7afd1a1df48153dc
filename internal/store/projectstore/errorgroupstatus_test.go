package projectstore_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

var brokenGroup = models.GroupToChange{
	Fingerprint: 0x9f86d081884c7d65, ErrorName: "TypeError", Message: "it broke", LastAt: time.Date(2026, 3, 14, 9, 0, 0, 0, time.UTC),
	Newest: map[models.Platform]time.Time{models.IOS: time.Date(2026, 3, 10, 0, 0, 0, 0, time.UTC)},
}

// A flood of reports about groups that no person has touched reads neither releases nor adds rows.
func TestReportsAddNoRows(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	reports := make([]models.ErrorReport, 5000)
	for i := range reports {
		reports[i] = models.ErrorReport{Fingerprint: models.Fingerprint(i + 1).String(), Platform: models.IOS, UpdateUUID: "x"}
	}
	regressed, err := f.RegressErrorGroups(t.Context(), f.Demo.ID, reports, func(context.Context) (map[string]time.Time, error) {
		return nil, errors.New("the releases are not needed")
	})
	require.NoError(t, err)
	require.Zero(t, regressed)
	require.Equal(t, []int64{0}, storetest.Query[int64](f, "SELECT count(*) FROM error_group_statuses"))
	unchanged, err := f.UpdateErrorGroup(t.Context(), f.Demo.ID, storetest.Alice, brokenGroup, models.ErrorGroupPatch{Resolved: new(false), Note: new("")})
	require.NoError(t, err)
	require.Zero(t, unchanged.ID)
	require.Equal(t, []int64{0}, storetest.Query[int64](f, "SELECT count(*) FROM error_group_statuses"))
}

// Several processes see the same report; one of them marks the group.
func TestARegressionIsRecordedOnce(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	s, err := f.UpdateErrorGroup(t.Context(), f.Demo.ID, storetest.Alice, brokenGroup, models.ErrorGroupPatch{Resolved: new(true)})
	require.NoError(t, err)
	require.Equal(t, models.ErrorResolved, s.Status())
	day := func(n int) time.Time { return time.Date(2026, 3, n, 0, 0, 0, 0, time.UTC) }
	releases := map[string]time.Time{"old": day(9), "same": day(10), "newer": day(11)}
	on := func(platform models.Platform, updates ...string) int {
		var reports []models.ErrorReport
		for _, u := range updates {
			reports = append(reports, models.ErrorReport{Fingerprint: brokenGroup.Fingerprint.String(), Platform: platform, UpdateUUID: u})
		}
		n, err := f.RegressErrorGroups(t.Context(), f.Demo.ID, reports, func(context.Context) (map[string]time.Time, error) { return releases, nil })
		require.NoError(t, err)
		return n
	}
	require.Zero(t, on(models.IOS, "old", "same", "unknown"))
	require.Zero(t, on(models.Android, "newer"), "the group was resolved after this release, and Android did not have it")
	require.Equal(t, 1, on(models.IOS, "old", "newer"))
	require.Zero(t, on(models.IOS, "newer"))
	found, err := f.ErrorGroupStatuses(t.Context(), f.Demo.ID, []string{brokenGroup.Fingerprint.String()})
	require.NoError(t, err)
	require.Equal(t, models.ErrorRegressed, found[brokenGroup.Fingerprint.String()].Status())
	require.Equal(t, "newer", *found[brokenGroup.Fingerprint.String()].RegressedUpdate)
	entries, err := f.ListAudit(t.Context(), f.Demo.ID, models.AuditFilter{Action: "error_group.regressed"}, models.Page{})
	require.NoError(t, err)
	require.Len(t, entries, 1)
	require.Equal(t, models.ActorSystem, entries[0].ActorType)

	other := f.NewProject("other")
	found, err = f.ErrorGroupStatuses(t.Context(), other.ID, []string{brokenGroup.Fingerprint.String()})
	require.NoError(t, err)
	require.Empty(t, found)
	require.NoError(t, f.DeleteProject(t.Context(), storetest.Alice, f.Demo.Slug))
}

func TestStatusesOfDeletedGroupsAreForgotten(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	s, err := f.UpdateErrorGroup(t.Context(), f.Demo.ID, storetest.Alice, brokenGroup, models.ErrorGroupPatch{Note: new("rare")})
	require.NoError(t, err)
	later := brokenGroup.LastAt.Add(time.Hour)
	old, err := f.OldErrorGroups(t.Context(), later, 10)
	require.NoError(t, err)
	require.Len(t, old, 1)
	require.NoError(t, f.SawErrorGroup(t.Context(), s.ID, later))
	require.NoError(t, f.ForgetErrorGroup(t.Context(), s.ID, later), "it was seen meanwhile")
	require.Equal(t, []int64{1}, storetest.Query[int64](f, "SELECT version FROM error_group_statuses"), "a sighting is not a change")
	require.NoError(t, f.ForgetErrorGroup(t.Context(), s.ID, later.Add(time.Second)))
	require.Equal(t, []int64{0}, storetest.Query[int64](f, "SELECT count(*) FROM error_group_statuses"))
}

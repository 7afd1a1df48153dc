package unit_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

func TestAuditLogIsAppendOnly(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	for _, statement := range []string{
		"UPDATE audit_log SET actor_name = 'nobody'",
		"DELETE FROM audit_log",
		"DELETE FROM audit_log WHERE false",
		"TRUNCATE audit_log",
	} {
		_, err := f.Conn().Exec(t.Context(), statement)
		require.ErrorContains(t, err, "append-only", statement)
	}
}

func TestListAudit(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	other := f.NewProject("other")
	_, err := f.CreateBranch(t.Context(), f.Demo.ID, models.SystemActor("gc"), models.NewBranch{Name: "x"})
	require.NoError(t, err)

	entries, err := f.ListAudit(t.Context(), f.Demo.ID, models.AuditFilter{}, models.Page{})
	require.NoError(t, err)
	require.Len(t, entries, 5)
	newest := entries[0]
	require.Equal(t, models.ActorSystem, newest.ActorType)
	require.Equal(t, "gc", newest.ActorID)
	require.Equal(t, map[string]any{"name": "x"}, newest.Details)
	for i, e := range entries {
		require.Equal(t, f.Demo.ID, e.ProjectID)
		if i > 0 {
			require.Less(t, e.ID, entries[i-1].ID)
		}
	}
	page, err := f.ListAudit(t.Context(), f.Demo.ID, models.AuditFilter{}, models.Page{Limit: 2, Before: newest.ID})
	require.NoError(t, err)
	require.Equal(t, entries[1:3], page)
	theirs, err := f.ListAudit(t.Context(), other.ID, models.AuditFilter{}, models.Page{})
	require.NoError(t, err)
	require.Len(t, theirs, 4)
}

func TestAChangeThatFailsLeavesNoAuditEntry(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	before := storetest.Query[int64](f, "SELECT count(*) FROM audit_log")
	_, err := f.CreateChannel(t.Context(), f.Demo.ID, storetest.Alice, models.NewChannel{Name: "production", BranchName: "new"})
	storetest.RequireCode(t, models.CodeAlreadyExists, err)
	require.Equal(t, before, storetest.Query[int64](f, "SELECT count(*) FROM audit_log"))
}

func TestListAuditFilters(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	r := f.MustPublish()
	f.MustPatch(r.ID, models.ReleasePatch{IsCritical: new(true)})
	f.MustPublish()
	id := strconv.FormatInt(r.ID, 10)
	cases := map[string]struct {
		filter models.AuditFilter
		want   []string
	}{
		"an action":           {models.AuditFilter{Action: "build.published"}, []string{"build.published", "build.published"}},
		"a kind of record":    {models.AuditFilter{EntityType: "update"}, []string{"build.published", "update.patched", "build.published"}},
		"a record":            {models.AuditFilter{EntityID: id}, []string{"update.patched", "build.published"}},
		"all together":        {models.AuditFilter{Action: "update.patched", EntityType: "update", EntityID: id}, []string{"update.patched"}},
		"a record of another": {models.AuditFilter{EntityType: "channel", EntityID: id}, []string{}},
	}
	for name, tc := range cases {
		entries, err := f.ListAudit(t.Context(), f.Demo.ID, tc.filter, models.Page{})
		require.NoError(t, err, name)
		actions := []string{}
		for _, e := range entries {
			actions = append(actions, e.Action)
		}
		require.Equal(t, tc.want, actions, name)
	}
}

package releasestore_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

func TestRecordsAreFoundByTheirOtherIdentifiers(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	other := f.NewProject("other")
	r, e := f.MustRollOut()
	deleted := f.MustPublish()
	rollback(f, toEmbedded())
	aliases := storetest.Query[uuid.UUID](f, "SELECT update_uuid FROM release_aliases WHERE release_id = $1", r.ID)
	require.Len(t, aliases, 1)
	require.NoError(t, f.DeleteRelease(t.Context(), f.Demo.ID, storetest.Alice, deleted.ID))
	b := f.MustBuild("a file")

	for name, tc := range map[string]struct {
		id   int64
		find func(projectID int64) (int64, error)
	}{
		"a release": {r.ID, func(p int64) (int64, error) { return f.UpdateID(t.Context(), p, r.UpdateUUID) }},
		"a deleted release, for its history": {deleted.ID, func(p int64) (int64, error) {
			return f.UpdateID(t.Context(), p, deleted.UpdateUUID)
		}},
		"a release by its alias": {r.ID, func(p int64) (int64, error) { return f.UpdateID(t.Context(), p, aliases[0]) }},
		"a build":                {b.ID, func(p int64) (int64, error) { return f.BuildID(t.Context(), p, b.UUID) }},
		"an execution":           {e.ID, func(p int64) (int64, error) { return f.ExecutionID(t.Context(), p, e.WorkflowID) }},
	} {
		id, err := tc.find(f.Demo.ID)
		require.NoError(t, err, name)
		require.Equal(t, tc.id, id, name)
		_, err = tc.find(other.ID)
		storetest.RequireCode(t, models.CodeNotFound, err)
	}
	_, err := f.UpdateID(t.Context(), f.Demo.ID, b.UUID)
	storetest.RequireCode(t, models.CodeNotFound, err)
	_, err = f.BuildID(t.Context(), f.Demo.ID, uuid.New())
	storetest.RequireCode(t, models.CodeNotFound, err)
	_, err = f.ExecutionID(t.Context(), f.Demo.ID, "rollout/\x00")
	storetest.RequireCode(t, models.CodeInvalid, err)
}

func TestAProjectIsDeletedByItsUUID(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	other := f.NewProject("other")
	storetest.RequireCode(t, models.CodeNotFound, f.DeleteProject(t.Context(), storetest.Alice, uuid.NewString()))
	require.NoError(t, f.DeleteProject(t.Context(), storetest.Alice, other.UUID.String()))
	_, err := f.Project(t.Context(), "other")
	storetest.RequireCode(t, models.CodeNotFound, err)
	_, err = f.Project(t.Context(), f.Demo.Slug)
	require.NoError(t, err)
}

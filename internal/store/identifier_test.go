package store_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

func TestRecordsAreFoundByTheirOtherIdentifiers(t *testing.T) {
	t.Parallel()
	f := setup(t)
	other := f.newProject("other")
	r, e := f.rollOut()
	deleted := f.publish()
	f.rollback(toEmbedded())
	aliases := query[uuid.UUID](f, "SELECT update_uuid FROM release_aliases WHERE release_id = $1", r.ID)
	require.Len(t, aliases, 1)
	require.NoError(t, f.DeleteRelease(t.Context(), f.project.ID, alice, deleted.ID))
	b := f.build("a file")

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
		id, err := tc.find(f.project.ID)
		require.NoError(t, err, name)
		require.Equal(t, tc.id, id, name)
		_, err = tc.find(other.ID)
		requireCode(t, models.CodeNotFound, err)
	}
	_, err := f.UpdateID(t.Context(), f.project.ID, b.UUID)
	requireCode(t, models.CodeNotFound, err)
	_, err = f.BuildID(t.Context(), f.project.ID, uuid.New())
	requireCode(t, models.CodeNotFound, err)
	_, err = f.ExecutionID(t.Context(), f.project.ID, "rollout/\x00")
	requireCode(t, models.CodeInvalid, err)
}

func TestAProjectIsDeletedByItsUUID(t *testing.T) {
	t.Parallel()
	f := setup(t)
	other := f.newProject("other")
	requireCode(t, models.CodeNotFound, f.DeleteProject(t.Context(), alice, uuid.NewString()))
	require.NoError(t, f.DeleteProject(t.Context(), alice, other.UUID.String()))
	_, err := f.Project(t.Context(), "other")
	requireCode(t, models.CodeNotFound, err)
	_, err = f.Project(t.Context(), f.project.Slug)
	require.NoError(t, err)
}

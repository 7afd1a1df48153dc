package releasestore_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store/storetest"
)

func TestPreviousRelease(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	first, second := f.MustPublish(), f.MustPublish()
	before, found, err := f.PreviousRelease(t.Context(), f.Demo.ID, second.UpdateUUID.String())
	require.NoError(t, err)
	require.True(t, found)
	require.Equal(t, []any{first.ID, first.UpdateUUID}, []any{before.ID, before.UpdateUUID})
	other := f.NewProject("other")
	for what, of := range map[string]struct {
		project int64
		update  string
	}{
		"the first":          {f.Demo.ID, first.UpdateUUID.String()},
		"an unknown update":  {f.Demo.ID, uuid.NewString()},
		"no update":          {f.Demo.ID, ""},
		"of another project": {other.ID, second.UpdateUUID.String()},
	} {
		_, found, err := f.PreviousRelease(t.Context(), of.project, of.update)
		require.NoError(t, err, what)
		require.False(t, found, what)
	}
}

package delivery

import (
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

func TestPatch(t *testing.T) {
	t.Parallel()
	release, alias, embedded, stranger := uuid.New(), uuid.New(), uuid.New(), uuid.New()
	target, other := strings.Repeat("a", 32), strings.Repeat("b", 32)
	fromRelease := models.OfferedPatch{TargetMD5: target, BaseMD5: other, SizeBytes: 5, BaseUpdate: release}
	fromEmbedded := models.OfferedPatch{TargetMD5: target, BaseMD5: strings.Repeat("c", 32), SizeBytes: 6, BaseUpdate: embedded}
	s, err := NewSnapshot(models.ProjectSnapshot{
		Branches: []models.Branch{{ID: 1, Name: "main"}},
		Releases: []*models.Release{{ID: 2, UpdateUUID: release, BranchID: 1, BranchName: "main", Kind: models.KindUpdate, Platform: models.IOS}},
		Aliases:  []models.ReleaseAlias{{ReleaseID: 2, UpdateUUID: alias, OriginalUUID: release}},
		Patches:  []models.OfferedPatch{fromRelease, fromEmbedded},
	}, "https://ota.example.com")
	require.NoError(t, err)
	for name, c := range map[string]struct {
		target  string
		running uuid.UUID
		wanted  models.OfferedPatch
		found   bool
	}{
		"from a release":                   {target, release, fromRelease, true},
		"from a release under its alias":   {target, alias, fromRelease, true},
		"from the update inside a binary":  {target, embedded, fromEmbedded, true},
		"from an update that has no patch": {target, stranger, models.OfferedPatch{}, false},
		"to a file that has no patch":      {other, release, models.OfferedPatch{}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, found := s.Patch(c.target, c.running.String())
			require.Equal(t, c.found, found)
			require.Equal(t, c.wanted, got)
		})
	}
	require.True(t, s.HasPatches(target))
	require.False(t, s.HasPatches(other))
	next, err := s.Next(models.ProjectSnapshot{})
	require.NoError(t, err)
	require.False(t, next.HasPatches(target), "a later state has its own patches")
}

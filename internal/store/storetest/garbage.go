package storetest

import (
	"slices"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/models"
)

// MakeOld makes a build the given number of days old and returns it.
func MakeOld(f *Fixture, b models.Build, days int) models.Build {
	f.T.Helper()
	f.MustExec("UPDATE builds SET created_at = now() - make_interval(days => $1) WHERE id = $2", days, b.ID)
	return b
}

// DeletedFor publishes the build and sets the release's deletion to the given number of days ago.
func DeletedFor(f *Fixture, b models.Build, days int) models.Release {
	f.T.Helper()
	r := f.MustPublish(func(p *models.Publish) { p.BuildID = b.ID })
	require.NoError(f.T, f.DeleteRelease(f.T.Context(), f.Demo.ID, Alice, r.ID))
	f.MustExec("UPDATE releases SET deleted_at = now() - make_interval(days => $1) WHERE id = $2", days, r.ID)
	return r
}

// CollectGarbage previews the cleanup, runs it, and checks that the preview was right.
func CollectGarbage(f *Fixture, idle ...string) models.Garbage {
	f.T.Helper()
	preview, err := f.Garbage(f.T.Context(), f.Demo.ID, idle)
	require.NoError(f.T, err)
	g, err := f.CollectGarbage(f.T.Context(), f.Demo.ID, Alice, idle)
	require.NoError(f.T, err)
	require.Equal(f.T, BuildNumbers(preview.Builds), BuildNumbers(g.Builds), "the preview was right")
	require.Equal(f.T, preview.Blobs, g.Blobs)
	require.Equal(f.T, preview.Bytes, g.Bytes)
	return g
}

// BuildNumbers returns the IDs of builds.
func BuildNumbers(builds []models.Build) []int64 {
	return pg.Each(builds, func(b models.Build) int64 { return b.ID })
}

// BundleOf returns the launch asset of a build.
func BundleOf(b models.Build) models.BuildAsset {
	return b.Assets[slices.IndexFunc(b.Assets, func(a models.BuildAsset) bool { return a.IsLaunchAsset })]
}

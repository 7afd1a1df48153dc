package models_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

const (
	blobMD5    = "9e107d9d372bb6826bd81d3542a419d6"
	blobSHA256 = "16j7swfXgJRpypq8sAguT41WUeRtPNt2LQLQvzfJ5ZI"
)

func TestBlobs(t *testing.T) {
	t.Parallel()
	with := func(t *testing.T, b models.Blobs, changed []models.Blob, gone ...string) models.Blobs {
		t.Helper()
		next, err := b.With(changed, gone)
		require.NoError(t, err)
		return next
	}
	gzip := int64(7)
	blob := models.Blob{MD5: blobMD5, SHA256: blobSHA256, SizeBytes: 43, GzipBytes: &gzip, ContentType: "text/plain"}
	other := models.Blob{MD5: strings.Repeat("a", 32), SHA256: blobSHA256, SizeBytes: 1, ContentType: "image/png"}

	t.Run("are found as they were put", func(t *testing.T) {
		t.Parallel()
		blobs := with(t, models.Blobs{}, []models.Blob{blob, other})
		for _, want := range []models.Blob{blob, other} {
			got, ok := blobs.Get(want.MD5)
			require.True(t, ok)
			require.Equal(t, want, got)
		}
	})

	t.Run("are found by nothing but an MD5 in lower case", func(t *testing.T) {
		t.Parallel()
		blobs := with(t, models.Blobs{}, []models.Blob{blob})
		for _, name := range []string{
			"", blobMD5[:31], blobMD5 + "0", strings.ToUpper(blobMD5), "g" + blobMD5[1:], other.MD5, "../" + blobMD5[3:],
		} {
			_, ok := blobs.Get(name)
			require.False(t, ok, name)
		}
		_, ok := models.Blobs{}.Get(blobMD5)
		require.False(t, ok)
	})

	t.Run("never change", func(t *testing.T) {
		t.Parallel()
		first := with(t, models.Blobs{}, []models.Blob{blob})
		second := with(t, first, []models.Blob{other}, blob.MD5)
		_, ok := first.Get(other.MD5)
		require.False(t, ok)
		_, ok = first.Get(blob.MD5)
		require.True(t, ok)
		_, ok = second.Get(blob.MD5)
		require.False(t, ok)
		_, ok = second.Get(other.MD5)
		require.True(t, ok)
	})

	t.Run("say when a file got another type", func(t *testing.T) {
		t.Parallel()
		first := with(t, models.Blobs{}, []models.Blob{blob})
		same := with(t, first, []models.Blob{other, blob})
		require.True(t, same.SameTypes(first))
		retyped := blob
		retyped.ContentType = "text/html"
		changed := with(t, same, []models.Blob{retyped})
		require.False(t, changed.SameTypes(first))
		require.True(t, with(t, changed, nil, other.MD5).SameTypes(changed))
	})

	t.Run("refuse a malformed hash", func(t *testing.T) {
		t.Parallel()
		for _, b := range []models.Blob{
			{MD5: "x", SHA256: blobSHA256},
			{MD5: blobMD5, SHA256: ""},
			{MD5: blobMD5, SHA256: blobSHA256[:42]},
			{MD5: blobMD5, SHA256: blobSHA256 + blobSHA256},
			{MD5: blobMD5, SHA256: strings.Repeat("+", 43)},
		} {
			_, err := models.Blobs{}.With([]models.Blob{b}, nil)
			require.Error(t, err, b)
		}
	})
}

func TestAnswers(t *testing.T) {
	t.Parallel()
	release := func(id, branch int64, change ...func(*models.Release)) *models.Release {
		r := &models.Release{ID: id, BranchID: branch, Platform: models.IOS, RuntimeVersion: "1", IsEnabled: true, RolloutPercentage: 100}
		for _, c := range change {
			c(r)
		}
		return r
	}
	off := func(r *models.Release) { r.IsEnabled = false }
	part := func(r *models.Release) { r.RolloutPercentage = 99.9 }
	gone := func(r *models.Release) { r.DeletedAt = &r.CreatedAt }
	android := func(r *models.Release) { r.Platform = models.Android }
	newer := func(r *models.Release) { r.RuntimeVersion = "2" }
	var ids []int64
	for _, r := range models.Answers([]*models.Release{
		release(12, 1, off), release(11, 1, gone), release(10, 1, part), release(9, 2), release(8, 1), release(7, 1),
		release(6, 2, part), release(5, 1, android, part), release(4, 1, newer), release(3, 1, android), release(2, 1, android),
	}) {
		ids = append(ids, r.ID)
	}
	require.Equal(t, []int64{10, 9, 8, 5, 4, 3}, ids)
}

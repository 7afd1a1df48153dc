package filestore_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store"
	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

// alone returns a file that is uploaded on its own.
func alone(content string) models.NewFile {
	a := storetest.Asset("x", content, 30)
	return models.NewFile{StoredFile: models.StoredFile{MD5: a.MD5, SHA256: a.SHA256, SizeBytes: a.SizeBytes, SniffedType: "text/plain"}}
}

// TestAFileThatAnUploadWasToldOfStays checks that the file stays until the promise ends, and that other projects cannot
// find out about it.
func TestAFileThatAnUploadWasToldOfStays(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	n := alone("alone")
	_, err := f.AddFile(t.Context(), f.Demo.ID, n)
	require.NoError(t, err)
	find := func(projectID int64) int {
		found, err := f.FindFiles(t.Context(), projectID, []string{n.SHA256})
		require.NoError(t, err)
		return len(found)
	}
	require.Equal(t, 1, find(f.Demo.ID))
	require.Zero(t, find(f.NewProject("other").ID))
	require.Zero(t, storetest.CollectGarbage(f).Blobs)
	// A promise that has expired is renewed by the next request.
	f.MustExec("UPDATE blob_promises SET until = now() - interval '1 second'")
	require.Equal(t, 1, find(f.Demo.ID))
	require.Zero(t, storetest.CollectGarbage(f).Blobs)
	f.MustExec("UPDATE blob_promises SET until = now() - interval '1 second'")
	preview, err := f.Garbage(t.Context(), f.Demo.ID, nil)
	require.NoError(t, err)
	require.EqualValues(t, 1, preview.Blobs)
	require.EqualValues(t, 1, storetest.CollectGarbage(f).Blobs)
	require.Zero(t, find(f.Demo.ID))
}

func TestPartsFollowOneAnother(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t, store.WithQuotas(models.Quotas{models.QuotaBuildBytes: 100}))
	n := alone("parts")
	begin := func() models.PartialFile {
		p, err := f.BeginFile(t.Context(), f.Demo.ID, n.SHA256, 30)
		require.NoError(t, err)
		return p
	}
	p := begin()
	_, err := f.FileProgress(t.Context(), f.Demo.ID, n.SHA256)
	require.Equal(t, models.CodeNotFound, models.CodeOf(err), "no bytes have arrived")
	slower := p
	require.NoError(t, f.AddPart(t.Context(), &p, models.FilePart{Name: "a", SizeBytes: 10}))
	require.Equal(t, models.CodeInvalidTransition, models.CodeOf(f.AddPart(t.Context(), &slower, models.FilePart{Name: "b", SizeBytes: 5})))
	require.NoError(t, f.AddPart(t.Context(), &p, models.FilePart{Name: "c", SizeBytes: 10}))
	other := begin()
	require.NoError(t, f.AddPart(t.Context(), &other, models.FilePart{Name: "d", SizeBytes: 15}))
	progress, err := f.FileProgress(t.Context(), f.Demo.ID, n.SHA256)
	require.NoError(t, err)
	require.Equal(t, models.FileProgress{SizeBytes: 30, ReceivedBytes: 20}, progress)
	found, err := f.PartialFile(t.Context(), f.Demo.ID, n.SHA256, 30, 20)
	require.NoError(t, err)
	require.Equal(t, []models.FilePart{{Name: "a", SizeBytes: 10}, {Name: "c", SizeBytes: 10}}, found.Parts)
	_, err = f.PartialFile(t.Context(), f.Demo.ID, n.SHA256, 31, 20)
	require.Equal(t, models.CodeNotFound, models.CodeOf(err), "a file of another size")

	big, err := f.BeginFile(t.Context(), f.Demo.ID, n.SHA256, 90)
	require.NoError(t, err)
	err = f.AddPart(t.Context(), &big, models.FilePart{Name: "e", SizeBytes: 66})
	require.Equal(t, models.CodeQuotaExceeded, models.CodeOf(err))
	require.ErrorContains(t, err, string(models.QuotaBuildBytes))

	ended, err := f.AddFile(t.Context(), f.Demo.ID, n)
	require.NoError(t, err)
	require.ElementsMatch(t, []int64{p.ID, other.ID, big.ID}, ended)
	require.Equal(t, models.CodeInvalidTransition, models.CodeOf(f.AddPart(t.Context(), &p, models.FilePart{Name: "f", SizeBytes: 10})))
}

func TestAPartialFileExpires(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	n := alone("late")
	p, err := f.BeginFile(t.Context(), f.Demo.ID, n.SHA256, 30)
	require.NoError(t, err)
	require.NoError(t, f.AddPart(t.Context(), &p, models.FilePart{Name: "a", SizeBytes: 10}))
	require.Zero(t, storetest.CollectGarbage(f).Partials)
	f.MustExec("UPDATE partial_files SET expires_at = now() - interval '1 second'")
	_, err = f.FileProgress(t.Context(), f.Demo.ID, n.SHA256)
	require.Equal(t, models.CodeNotFound, models.CodeOf(err))
	preview, err := f.Garbage(t.Context(), f.Demo.ID, nil)
	require.NoError(t, err)
	require.EqualValues(t, 1, preview.Partials)
	require.EqualValues(t, 10, preview.Bytes)
	require.Equal(t, preview, storetest.CollectGarbage(f))
}

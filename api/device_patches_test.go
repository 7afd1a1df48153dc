package api

import (
	"context"
	"encoding/json"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/assets"
	"github.com/waft-ota/waft/models"
)

// fakePatches has patches to one release.
type fakePatches struct{}

func (fakePatches) ReleasePatches(_ context.Context, _, releaseID int64) ([]models.Patch, error) {
	if releaseID != 17 {
		return nil, models.Errorf(models.CodeNotFound, "there is no update %d in this project", releaseID)
	}
	base := int64(16)
	return []models.Patch{
		{
			BaseUpdateUUID: releasedUUID, BaseReleaseID: &base, Status: models.PatchOffered, SizeBytes: 5, SHA256: "s",
			FullBytes: 43, CompressedBytes: 40, DurationMillis: 3,
		},
		{BaseUpdateUUID: runningUUID, Status: models.PatchSkipped, Reason: "it is too large", SizeBytes: 42, FullBytes: 43, CompressedBytes: 40},
	}, nil
}

func (fakeAssets) OpenPatch(context.Context, int64, string, string) (*assets.Reader, error) {
	return nil, models.Unavailable("the asset store", nil)
}

func TestListPatches(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	answer := w.do(request{method: get, path: "/v1/ota/updates/17/patches"})
	require.Equal(t, 200, answer.Code)
	var found []map[string]any
	require.NoError(t, json.Unmarshal(answer.Body.Bytes(), &found))
	require.Equal(t, []map[string]any{
		{
			"baseUpdateId": 16.0, "baseRelease": nil, "baseUpdateUuid": releasedUUID.String(), "status": "offered", "sizeBytes": 5.0,
			"fullBytes": 43.0, "compressedBytes": 40.0, "reason": "", "durationMs": 3.0,
		},
		{
			"baseUpdateId": nil, "baseRelease": nil, "baseUpdateUuid": runningUUID.String(), "status": "skipped", "sizeBytes": 42.0,
			"fullBytes": 43.0, "compressedBytes": 40.0, "reason": "it is too large", "durationMs": 0.0,
		},
	}, found)
	require.Equal(t, 404, w.do(request{method: get, path: "/v1/ota/updates/18/patches"}).Code)
}

var (
	runningUUID = uuid.MustParse("0b7c1a52-5b0e-4c39-9a53-0d5a3a5f7d10")
	baseMD5     = strings.Repeat("b", 32)
)

const patchBytes = "BSDIFF40 and the rest"

// withPatch returns an API with demo's file, and a patch to it for devices that run runningUUID. size is the patch's
// size in the snapshot.
func withPatch(t *testing.T, size int64) *testAPI {
	t.Helper()
	bucket, err := assets.Open(t.Context(), "file://"+t.TempDir(), t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, bucket.Close()) })
	staged, err := bucket.Stage(t.Context(), strings.NewReader(releasedFile), 100)
	require.NoError(t, err)
	require.NoError(t, staged.Keep(t.Context(), demo.ID, "application/javascript"))
	require.NoError(t, staged.Discard())
	require.NoError(t, bucket.PutPatch(t.Context(), demo.ID, releasedMD5, baseMD5, []byte(patchBytes)))
	return newTestAPI(t, func(d *parts) {
		d.Assets, d.PatchFiles = bucket, bucket
		d.Snapshots = newSnapshots(t, func(s *models.ProjectSnapshot) {
			s.Patches = []models.OfferedPatch{{TargetMD5: releasedMD5, BaseMD5: baseMD5, SizeBytes: size, BaseUpdate: runningUUID}}
		})
	})
}

// askPatch requests demo's file as the stock client does. changes are pairs of a header and its value.
func askPatch(w *testAPI, changes ...string) *httptest.ResponseRecorder {
	w.t.Helper()
	header := map[string]string{
		"Accept": "*/*", "Accept-Encoding": "zstd, br, gzip", "A-IM": "bsdiff",
		"Expo-Current-Update-ID": runningUUID.String(), "Expo-Requested-Update-ID": releasedUUID.String(),
	}
	for i := 0; i < len(changes); i += 2 {
		header[changes[i]] = changes[i+1]
	}
	return w.do(asset(get, "/v1/ota/assets/"+releasedMD5+"?project=demo", header))
}

func TestAPatchIsServed(t *testing.T) {
	t.Parallel()
	w := withPatch(t, int64(len(patchBytes)))
	for _, id := range []string{runningUUID.String(), strings.ToUpper(runningUUID.String())} {
		answer := askPatch(w, "Expo-Current-Update-ID", id)
		require.Equal(t, 226, answer.Code)
		require.Equal(t, patchBytes, answer.Body.String())
		header := answer.Header()
		require.Equal(t, "bsdiff", header.Get("im"))
		require.Equal(t, id, header.Get("expo-base-update-id"), "as the client sent it")
		require.Equal(t, "application/javascript", header.Get("content-type"))
		require.Equal(t, "private, no-store", header.Get("cache-control"))
		require.Equal(t, "21", header.Get("content-length"))
		require.Equal(t, "Accept-Encoding, A-IM, Expo-Current-Update-ID", header.Get("vary"))
		require.Empty(t, header.Values("content-encoding"))
		require.Empty(t, header.Values("etag"), "a cache must not take it for the file")
	}
	require.Equal(t, 226, askPatch(w, "A-IM", "vcdiff, BSDIFF;q=0.5").Code)
}

func TestWhateverIsInDoubtTheWholeFileIsServed(t *testing.T) {
	t.Parallel()
	w := withPatch(t, int64(len(patchBytes)))
	for name, changes := range map[string][]string{
		"no patches wanted":         {"A-IM", ""},
		"another format":            {"A-IM", "vcdiff, bsdiff2"},
		"bsdiff excluded":           {"A-IM", "bsdiff;q=0"},
		"bsdiff with a bad quality": {"A-IM", "bsdiff;q=much"},
		"nothing runs":              {"Expo-Current-Update-ID", ""},
		"another update runs":       {"Expo-Current-Update-ID", releasedUUID.String()},
		"an unknown update runs":    {"Expo-Current-Update-ID", uuid.NewString()},
		"what runs is no id":        {"Expo-Current-Update-ID", strings.Repeat("x", 5000)},
		"a UUID in another form":    {"Expo-Current-Update-ID", "{" + runningUUID.String() + "}"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			answer := askPatch(w, changes...)
			require.Equal(t, 200, answer.Code)
			require.Equal(t, releasedFile, answer.Body.String())
			require.Empty(t, answer.Header().Values("im"))
			require.Equal(t, "Accept-Encoding, A-IM, Expo-Current-Update-ID", answer.Header().Get("vary"))
		})
	}
	require.Equal(t, 206, askPatch(w, "Range", "bytes=0-3").Code)
	head := w.do(asset(head, "/v1/ota/assets/"+releasedMD5+"?project=demo", map[string]string{"A-IM": "bsdiff", "Expo-Current-Update-ID": runningUUID.String()}))
	require.Equal(t, 200, head.Code)

	// The bucket has a different patch than the snapshot, does not have it, or is unavailable.
	require.Equal(t, 200, askPatch(withPatch(t, 99)).Code)
	gone := withPatch(t, int64(len(patchBytes)))
	gone.deps.PatchFiles = fakeAssets{}
	gone.deps.Metrics = nil
	handler, err := New(gone.deps.deps())
	require.NoError(t, err)
	gone.handler = handler
	require.Equal(t, 200, askPatch(gone).Code)
}

func TestFilesWithoutPatchesDoNotVaryByThem(t *testing.T) {
	t.Parallel()
	answer := askPatch(withFile(t))
	require.Equal(t, 200, answer.Code)
	require.Equal(t, "Accept-Encoding", answer.Header().Get("vary"))
}

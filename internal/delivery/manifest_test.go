package delivery

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// TestManifestBytes pins the bytes: they are what a signature will cover.
func TestManifestBytes(t *testing.T) {
	t.Parallel()
	w := newWorld()
	channel := "production"
	id := w.publish("production", func(r *models.Release) {
		r.UpdateUUID = uuid.MustParse("5F0C5C0E-1111-4222-8333-444455556666")
		r.GroupID = uuid.MustParse("6a0c5c0e-1111-4222-8333-444455556666")
		r.Channel, r.IsCritical, r.ReleaseMessage = &channel, true, "Fixes <everything>\nfor all"
		r.CreatedAt = time.Date(2026, 1, 2, 4, 4, 5, 600_999_999, time.FixedZone("CET", 3600))
	})
	w.state.Project.Slug = "demo"
	launch, picture := w.state.Builds[*w.release(id).BuildID].Assets[0], sums("picture")
	s := w.snapshot(t)
	r := ask("d")
	r.Accept = ParseAccept("application/json")
	require.Equal(t, `{"id":"5f0c5c0e-1111-4222-8333-444455556666","createdAt":"2026-01-02T03:04:05.600Z","runtimeVersion":"1.0.0",`+
		`"launchAsset":{"key":"`+launch.MD5+`","hash":"`+launch.SHA256+`","contentType":"application/javascript","fileExtension":".bundle",`+
		`"url":"https://ota.example.com/v1/ota/assets/`+launch.MD5+`?project=demo"},`+
		`"assets":[{"key":"`+picture.md5+`","hash":"`+picture.sha256+`","contentType":"image/png","fileExtension":".png",`+
		`"url":"https://ota.example.com/v1/ota/assets/`+picture.md5+`?project=demo"}],`+
		`"metadata":{"branchName":"production","isCritical":true,"r`+itoa(id)+`":"1","releaseid":"`+itoa(id)+`"},`+
		`"extra":{"expoClient":{"name":"Demo"},"waft":{"releaseId":`+itoa(id)+`,"groupId":"6a0c5c0e-1111-4222-8333-444455556666",`+
		`"branchName":"production","channel":"production","isCritical":true,"releaseMessage":"Fixes \u003ceverything\u003e\nfor all"}}}`,
		s.Render(s.Resolve(r), r).Body.text())
}

func manifestOf(t *testing.T, w *world) *wireManifest {
	t.Helper()
	s := w.snapshot(t)
	a, err := readWire(s.Render(s.Resolve(ask("d")), ask("d")), 1)
	require.NoError(t, err)
	require.NotNil(t, a.manifest)
	return a.manifest
}

func TestManifestIsCriticalOnlyWhenTheReleaseIs(t *testing.T) {
	t.Parallel()
	w := newWorld()
	id := w.publish("production")
	m := manifestOf(t, w)
	require.NotContains(t, m.Metadata, "isCritical")
	require.False(t, m.Extra.Waft.IsCritical)
	require.Empty(t, m.Extra.Waft.Channel, "published straight to a branch")

	w.release(id).IsCritical = true
	m = manifestOf(t, w)
	require.Equal(t, true, m.Metadata["isCritical"])
	require.True(t, m.Extra.Waft.IsCritical)
}

func TestManifestOfABuildWithoutAppConfig(t *testing.T) {
	t.Parallel()
	for name, config := range map[string]string{"nothing": "", "null": " null", "no object": `["a"]`} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld()
			id := w.publish("production")
			w.state.Builds[*w.release(id).BuildID].ClientConfig = json.RawMessage(config)
			require.Empty(t, manifestOf(t, w).Extra.ExpoClient)
		})
	}
}

func TestManifestOfABuildWithABundleOnly(t *testing.T) {
	t.Parallel()
	w := newWorld()
	id := w.publish("production")
	b := w.state.Builds[*w.release(id).BuildID]
	b.Assets = b.Assets[:1]
	require.Empty(t, *manifestOf(t, w).Assets, "and an empty list, not null")
}

func TestManifestNamesEqualFilesOnce(t *testing.T) {
	t.Parallel()
	w := newWorld()
	id := w.publish("production")
	b := w.state.Builds[*w.release(id).BuildID]
	again := b.Assets[1]
	again.Path, again.FileExtension = "copy.jpg", ".jpg"
	sameAsBundle := b.Assets[0]
	sameAsBundle.Path, sameAsBundle.IsLaunchAsset = "copy.js", false
	b.Assets = append(b.Assets, again, sameAsBundle)
	assets := *manifestOf(t, w).Assets
	require.Len(t, assets, 1)
	require.Equal(t, ".png", assets[0].FileExtension)
}

func TestManifestAndDownloadAgreeOnTheContentType(t *testing.T) {
	t.Parallel()
	w := newWorld()
	w.publish("production")
	id := w.publish("production")
	later := w.state.Builds[*w.release(id).BuildID]
	later.Assets[1].ContentType = "image/x-png"
	asset := (*manifestOf(t, w).Assets)[0]
	require.Equal(t, "image/png", asset.ContentType, "the first build that had the file says")

	meta, ok := w.snapshot(t).Asset(asset.Key)
	require.True(t, ok)
	require.Equal(t, AssetMeta{
		Blob:      models.Blob{MD5: asset.Key, ContentType: "image/png", SizeBytes: 7, SHA256: asset.Hash},
		ProjectID: 7,
	}, meta)
	_, ok = w.snapshot(t).Asset("0123456789abcdef0123456789abcdef")
	require.False(t, ok)
}

func TestLaunchAssetDecidesTheContentType(t *testing.T) {
	t.Parallel()
	w := newWorld()
	w.publish("production")
	first := w.state.Builds[*w.release(w.state.Releases[0].ID).BuildID]
	id := w.publish("production")
	bundle := w.state.Builds[*w.release(id).BuildID].Assets[0]
	plain := bundle
	plain.IsLaunchAsset, plain.ContentType = false, "text/plain"
	first.Assets = append(first.Assets, plain)
	require.Equal(t, "application/javascript", manifestOf(t, w).LaunchAsset.ContentType)
}

func TestSnapshotRefusesContradictions(t *testing.T) {
	t.Parallel()
	none := int64(99999)
	for name, spoil := range map[string]func(w *world){
		"a channel without its branch":         func(w *world) { w.production().BranchID = none },
		"a channel without its rollout branch": func(w *world) { w.rollOut("next", 5); w.production().RolloutBranchID = &none },
		"a release without its build":          func(w *world) { w.release(w.publish("production")).BuildID = &none },
		"an update without a build":            func(w *world) { w.release(w.publish("production")).BuildID = nil },
		"a build without a launch asset": func(w *world) {
			id := w.publish("production")
			w.state.Builds[*w.release(id).BuildID].Assets[0].IsLaunchAsset = false
		},
		"a branch that no header can carry": func(w *world) { w.branch("brânche") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld()
			spoil(w)
			_, err := NewSnapshot(w.copy(), testBaseURL)
			require.Error(t, err)
		})
	}
}

func TestSnapshotNamesRolloutWorkflows(t *testing.T) {
	t.Parallel()
	w := newWorld()
	id := w.publish("production", percentage(5))
	w.state.RolloutWorkflows[id] = "rollout/demo/9"
	s := w.snapshot(t)
	workflow, ok := s.RolloutWorkflow(w.uuid(id))
	require.True(t, ok)
	require.Equal(t, "rollout/demo/9", workflow)
	_, ok = s.RolloutWorkflow(embeddedID)
	require.False(t, ok)
	require.Equal(t, int64(3), s.Version())
	require.Equal(t, "demo", s.Project().Slug)
}

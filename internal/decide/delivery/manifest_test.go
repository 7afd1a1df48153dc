package delivery

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// TestManifestBytes pins the exact bytes, because signatures cover them.
func TestManifestBytes(t *testing.T) {
	t.Parallel()
	tp := newTestProject()
	channel := "production"
	id := tp.publish("production", func(r *models.Release) {
		r.UpdateUUID = uuid.MustParse("5F0C5C0E-1111-4222-8333-444455556666")
		r.GroupID = uuid.MustParse("6a0c5c0e-1111-4222-8333-444455556666")
		r.Channel, r.IsCritical, r.ReleaseMessage = &channel, true, "Fixes <everything>\nfor all"
		r.CreatedAt = time.Date(2026, 1, 2, 4, 4, 5, 600_999_999, time.FixedZone("CET", 3600))
	})
	tp.state.Project.Slug = "demo"
	launch, picture := tp.state.Builds[*tp.release(id).BuildID].Assets[0], sums("picture")
	s := tp.snapshot(t)
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
		s.Respond(r).Body.text())
}

func manifestOf(t *testing.T, tp *testProject) *wireManifest {
	t.Helper()
	s := tp.snapshot(t)
	a, err := readWire(s.Respond(ask("d")), 1)
	require.NoError(t, err)
	require.NotNil(t, a.manifest)
	return a.manifest
}

func TestManifestIsCriticalOnlyWhenTheReleaseIs(t *testing.T) {
	t.Parallel()
	tp := newTestProject()
	id := tp.publish("production")
	m := manifestOf(t, tp)
	require.NotContains(t, m.Metadata, "isCritical")
	require.False(t, m.Extra.Waft.IsCritical)
	require.Empty(t, m.Extra.Waft.Channel, "published to a branch, not to a channel")

	tp.release(id).IsCritical = true
	m = manifestOf(t, tp)
	require.Equal(t, true, m.Metadata["isCritical"])
	require.True(t, m.Extra.Waft.IsCritical)
}

func TestManifestOfABuildWithoutAppConfig(t *testing.T) {
	t.Parallel()
	for name, config := range map[string]string{"nothing": "", "null": " null", "no object": `["a"]`} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tp := newTestProject()
			id := tp.publish("production")
			tp.state.Builds[*tp.release(id).BuildID].ClientConfig = json.RawMessage(config)
			require.Empty(t, manifestOf(t, tp).Extra.ExpoClient)
		})
	}
}

func TestManifestOfABuildWithABundleOnly(t *testing.T) {
	t.Parallel()
	tp := newTestProject()
	id := tp.publish("production")
	b := tp.state.Builds[*tp.release(id).BuildID]
	b.Assets = b.Assets[:1]
	require.Empty(t, *manifestOf(t, tp).Assets, "the list is empty, not null")
}

func TestManifestNamesEqualFilesOnce(t *testing.T) {
	t.Parallel()
	tp := newTestProject()
	id := tp.publish("production")
	b := tp.state.Builds[*tp.release(id).BuildID]
	again := b.Assets[1]
	again.Path, again.FileExtension = "copy.jpg", ".jpg"
	sameAsBundle := b.Assets[0]
	sameAsBundle.Path, sameAsBundle.IsLaunchAsset = "copy.js", false
	b.Assets = append(b.Assets, again, sameAsBundle)
	assets := *manifestOf(t, tp).Assets
	require.Len(t, assets, 1)
	require.Equal(t, ".png", assets[0].FileExtension)
}

func TestManifestAndDownloadAgreeOnTheContentType(t *testing.T) {
	t.Parallel()
	tp := newTestProject()
	tp.publish("production")
	id := tp.publish("production")
	later := tp.state.Builds[*tp.release(id).BuildID]
	later.Assets[1].ContentType = "image/x-png"
	asset := (*manifestOf(t, tp).Assets)[0]
	require.Equal(t, "image/png", asset.ContentType, "the first build with the file decides")

	meta, ok := tp.snapshot(t).Asset(asset.Key)
	require.True(t, ok)
	require.Equal(t, AssetMeta{
		Blob:      models.Blob{MD5: asset.Key, ContentType: "image/png", SizeBytes: 7, SHA256: asset.Hash},
		ProjectID: 7,
	}, meta)
	_, ok = tp.snapshot(t).Asset("0123456789abcdef0123456789abcdef")
	require.False(t, ok)
}

func TestLaunchAssetDecidesTheContentType(t *testing.T) {
	t.Parallel()
	tp := newTestProject()
	tp.publish("production")
	first := tp.state.Builds[*tp.release(tp.state.Releases[0].ID).BuildID]
	id := tp.publish("production")
	bundle := tp.state.Builds[*tp.release(id).BuildID].Assets[0]
	plain := bundle
	plain.IsLaunchAsset, plain.ContentType = false, "text/plain"
	first.Assets = append(first.Assets, plain)
	require.Equal(t, "application/javascript", manifestOf(t, tp).LaunchAsset.ContentType)
}

func TestSnapshotRefusesContradictions(t *testing.T) {
	t.Parallel()
	none := int64(99999)
	for name, spoil := range map[string]func(tp *testProject){
		"a channel without its branch":         func(tp *testProject) { tp.production().BranchID = none },
		"a channel without its rollout branch": func(tp *testProject) { tp.rollOut("next", 5); tp.production().RolloutBranchID = &none },
		"a release without its build":          func(tp *testProject) { tp.release(tp.publish("production")).BuildID = &none },
		"an update without a build":            func(tp *testProject) { tp.release(tp.publish("production")).BuildID = nil },
		"a build without a launch asset": func(tp *testProject) {
			id := tp.publish("production")
			tp.state.Builds[*tp.release(id).BuildID].Assets[0].IsLaunchAsset = false
		},
		"a branch that no header can carry": func(tp *testProject) { tp.branch("brânche") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tp := newTestProject()
			spoil(tp)
			_, err := NewSnapshot(tp.copy(), testBaseURL)
			require.Error(t, err)
		})
	}
}

func TestSnapshotNamesRolloutWorkflows(t *testing.T) {
	t.Parallel()
	tp := newTestProject()
	id := tp.publish("production", percentage(5))
	tp.state.RolloutWorkflows[id] = "rollout/demo/9"
	s := tp.snapshot(t)
	workflow, ok := s.RolloutWorkflow(tp.uuid(id))
	require.True(t, ok)
	require.Equal(t, "rollout/demo/9", workflow)
	_, ok = s.RolloutWorkflow(embeddedID)
	require.False(t, ok)
	require.Equal(t, int64(3), s.Version())
	require.Equal(t, "demo", s.Project().Slug)
}

package filestore_test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

func TestCreateBuild(t *testing.T) {
	t.Parallel()

	t.Run("stores the build with its files", func(t *testing.T) {
		t.Parallel()
		now, clock := storetest.StoppedClock()
		f := storetest.Setup(t, clock)
		created := f.MustBuild("one")
		require.Equal(t, now, created.CreatedAt)
		require.Equal(t, models.BuildUploaded, created.Status)
		require.Equal(t, 2, created.AssetCount)
		require.EqualValues(t, 120, created.SizeBytes)

		read, err := f.Build(t.Context(), f.Demo.ID, created.ID)
		require.NoError(t, err)
		require.JSONEq(t, string(created.ClientConfig), string(read.ClientConfig))
		read.ClientConfig = created.ClientConfig
		require.Equal(t, created, read)

		entry := f.Audited(1)[0]
		require.Equal(t, "build.uploaded", entry.Action)
		require.Equal(t, "build", entry.EntityType)
		require.Equal(t, strconv.FormatInt(created.ID, 10), entry.EntityID)
	})

	t.Run("counts what the project did not hold", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		first, second := f.MustBuild("one"), f.MustBuild("two")
		require.Equal(t, 2, first.NewAssetCount)
		require.EqualValues(t, 120, first.NewBytes)
		require.Equal(t, 1, second.NewAssetCount, "the logo is known")
		require.EqualValues(t, 100, second.NewBytes)
		require.Zero(t, f.MustBuild("one").NewAssetCount)

		hold, err := f.HoldBlobs(t.Context(), f.Demo.ID, []string{first.Assets[0].MD5, "ffffffffffffffffffffffffffffffff"})
		require.NoError(t, err)
		require.Equal(t, map[string]string{first.Assets[0].MD5: first.Assets[0].SHA256}, hold.Known)
		hold, err = f.HoldBlobs(t.Context(), f.NewProject("other").ID, []string{first.Assets[0].MD5})
		require.NoError(t, err)
		require.Empty(t, hold.Known, "projects do not share files")
		hold, err = f.HoldBlobs(t.Context(), f.Demo.ID, nil)
		require.NoError(t, err)
		require.Empty(t, hold.Known)
	})

	t.Run("counts a file that is there under two paths once", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		n := storetest.NewBuild(models.IOS, "one")
		n.Assets = append(n.Assets, storetest.Asset("assets/copy.png", "logo", 20))
		b, err := f.CreateBuild(t.Context(), f.Demo.ID, storetest.Alice, n)
		require.NoError(t, err)
		require.Equal(t, 3, b.AssetCount)
		require.Equal(t, 2, b.NewAssetCount)
		require.EqualValues(t, 140, b.SizeBytes)
		require.EqualValues(t, 120, b.NewBytes)
	})

	t.Run("stores 5,000 files", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		n := storetest.NewBuild(models.IOS, "one")
		for i := range 4998 {
			n.Assets = append(n.Assets, storetest.Asset(fmt.Sprintf("assets/%d", i), strconv.Itoa(i), 1))
		}
		b, err := f.CreateBuild(t.Context(), f.Demo.ID, storetest.Alice, n)
		require.NoError(t, err)
		require.Equal(t, 5000, b.NewAssetCount)
		require.Equal(t, []int64{5000}, storetest.Query[int64](f, "SELECT count(*) FROM build_assets WHERE build_id = $1", b.ID))
	})

	t.Run("counts a new file for only one of the builds that upload it at the same time", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		builds := make([]models.Build, 4)
		var all sync.WaitGroup
		for i := range builds {
			all.Go(func() { builds[i] = f.MustBuild("same") })
		}
		all.Wait()
		counted := 0
		for _, b := range builds {
			counted += b.NewAssetCount
		}
		require.Equal(t, 2, counted)
	})

	t.Run("keeps a missing client configuration missing", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		n := storetest.NewBuild(models.IOS, "one")
		n.ClientConfig = nil
		b, err := f.CreateBuild(t.Context(), f.Demo.ID, storetest.Alice, n)
		require.NoError(t, err)
		b, err = f.Build(t.Context(), f.Demo.ID, b.ID)
		require.NoError(t, err)
		require.Nil(t, b.ClientConfig)
	})

	for name, change := range map[string]func(*models.NewBuild){
		"an MD5 that the project knows with other content": func(n *models.NewBuild) {
			n.Assets[0].SHA256 = storetest.Asset("", "forged", 0).SHA256
		},
		"an MD5 that stands for two contents in one build": func(n *models.NewBuild) {
			n.Assets[0].MD5, n.Assets[1].MD5 = storetest.Asset("", "x", 0).MD5, storetest.Asset("", "x", 0).MD5
		},
	} {
		t.Run("refuses "+name, func(t *testing.T) {
			t.Parallel()
			f := storetest.Setup(t)
			f.MustBuild("one")
			n := storetest.NewBuild(models.IOS, "two")
			change(&n)
			_, err := f.CreateBuild(t.Context(), f.Demo.ID, storetest.Alice, n)
			storetest.RequireCode(t, models.CodeInvalid, err)
			require.ErrorContains(t, err, "different content")
			require.Equal(t, []int64{1}, storetest.Query[int64](f, "SELECT count(*) FROM builds"))
		})
	}

	t.Run("refuses bad fields", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		n := storetest.NewBuild("windows", "one")
		_, err := f.CreateBuild(t.Context(), f.Demo.ID, storetest.Alice, n)
		storetest.RequireField(t, "platform", err)
	})

	t.Run("refuses a client configuration that cannot be stored", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		n := storetest.NewBuild(models.IOS, "one")
		n.ClientConfig = []byte(`{"name": "\u0000"}`)
		_, err := f.CreateBuild(t.Context(), f.Demo.ID, storetest.Alice, n)
		storetest.RequireCode(t, models.CodeInvalid, err)
	})

	t.Run("refuses a project that does not exist", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		_, err := f.CreateBuild(t.Context(), 1<<40, storetest.Alice, storetest.NewBuild(models.IOS, "one"))
		storetest.RequireCode(t, models.CodeNotFound, err)
	})
}

func TestListBuilds(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	first, second := f.MustBuild("one"), f.MustBuild("two")
	builds, err := f.ListBuilds(t.Context(), f.Demo.ID, models.BuildFilter{}, models.Page{})
	require.NoError(t, err)
	require.Len(t, builds, 2)
	require.Equal(t, second.ID, builds[0].ID)
	require.Equal(t, second.Assets, builds[0].Assets)
	require.Equal(t, first.Assets, builds[1].Assets)
	builds, err = f.ListBuilds(t.Context(), f.Demo.ID, models.BuildFilter{}, models.Page{Before: first.ID})
	require.NoError(t, err)
	require.Empty(t, builds)
}

func TestABuildNamesItsUploaderAndItsReleases(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	unused := f.MustBuild("unused")
	used := f.MustBuildFor(models.Android, "used")
	var releases []int64
	for i := range models.MaxBuildReleases + 2 {
		r, err := f.Publish(t.Context(), f.Demo.ID, storetest.Alice, models.Publish{
			BuildID: used.ID, Channel: "production", ReleaseMessage: fmt.Sprint("release ", i),
		})
		require.NoError(t, err)
		releases = append(releases, r.ID)
	}
	deleted := releases[len(releases)-1]
	require.NoError(t, f.DeleteRelease(t.Context(), f.Demo.ID, storetest.Alice, deleted))

	builds, err := f.ListBuilds(t.Context(), f.Demo.ID, models.BuildFilter{WithoutAssets: true}, models.Page{})
	require.NoError(t, err)
	require.Len(t, builds, 2)
	got, other := builds[0], builds[1]
	require.Equal(t, unused.ID, other.ID)
	require.Empty(t, other.Releases)
	require.False(t, other.HasMoreReleases)
	require.Empty(t, got.Assets)
	require.Equal(t, storetest.Alice.Name, got.UploadedBy.Name)
	require.True(t, got.HasMoreReleases)
	require.Len(t, got.Releases, models.MaxBuildReleases)
	require.Equal(t, releases[len(releases)-2], got.Releases[0].ID, "newest first, without the deleted one")
	require.Equal(t, "production", *got.Releases[0].Channel)
	require.Equal(t, "production", got.Releases[0].BranchName)

	builds, err = f.ListBuilds(t.Context(), f.Demo.ID, models.BuildFilter{Platform: models.IOS}, models.Page{})
	require.NoError(t, err)
	require.Len(t, builds, 1)
	require.Equal(t, unused.ID, builds[0].ID)
	require.NotEmpty(t, builds[0].Assets)
}

func TestBuildOfAnotherProjectIsNotFound(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	_, err := f.Build(t.Context(), f.NewProject("other").ID, f.MustBuild("one").ID)
	storetest.RequireCode(t, models.CodeNotFound, err)
}

func TestDeleteBuild(t *testing.T) {
	t.Parallel()

	t.Run("deletes what nothing refers to", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		b := f.MustBuild("one")
		require.NoError(t, f.DeleteBuild(t.Context(), f.Demo.ID, storetest.Alice, b.ID))
		require.Equal(t, "build.deleted", f.Audited(1)[0].Action)
		storetest.RequireCode(t, models.CodeNotFound, f.DeleteBuild(t.Context(), f.Demo.ID, storetest.Alice, b.ID))
		require.Zero(t, f.MustBuild("one").NewAssetCount, "the asset bucket still has its files")
	})

	t.Run("deletes what only deleted releases refer to", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		r := f.MustPublish()
		require.NoError(t, f.DeleteRelease(t.Context(), f.Demo.ID, storetest.Alice, r.ID))
		require.NoError(t, f.DeleteBuild(t.Context(), f.Demo.ID, storetest.Alice, *r.BuildID))
	})

	t.Run("refuses while a live release refers to it, even a disabled one", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		r := f.MustPublish(storetest.Disabled)
		err := f.DeleteBuild(t.Context(), f.Demo.ID, storetest.Alice, *r.BuildID)
		storetest.RequireCode(t, models.CodeInUse, err)
		require.ErrorContains(t, err, strconv.FormatInt(r.ID, 10))
	})

	t.Run("names some of many releases", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		build := f.MustBuild("one")
		var last models.Release
		for range 22 {
			last = f.MustPublish(func(p *models.Publish) { p.BuildID = build.ID })
		}
		err := f.DeleteBuild(t.Context(), f.Demo.ID, storetest.Alice, build.ID)
		storetest.RequireCode(t, models.CodeInUse, err)
		require.ErrorContains(t, err, " and others")
		require.NotContains(t, err.Error(), strconv.FormatInt(last.ID, 10))
	})
}

// Postgres has limits of its own, so it must be able to store every document that passes the check.
func TestABuildKeepsAnyClientConfigThatIsValid(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	for _, config := range []string{
		`{}`, `{"a":"\ud83d\uDE00 \\u0000 \\ud800 \" ü"}`, `{"a":[-0.0,0e-5,1e-300,1.7e308,5e-324,null],"a":1}`,
		`{"a":` + strings.Repeat("[", 99) + strings.Repeat("]", 99) + `}`,
	} {
		n := storetest.NewBuild(models.IOS, "one")
		n.ClientConfig = json.RawMessage(config)
		created, err := f.CreateBuild(t.Context(), f.Demo.ID, storetest.Alice, n)
		require.NoError(t, err, "%.60s", config)
		read, err := f.Build(t.Context(), f.Demo.ID, created.ID)
		require.NoError(t, err)
		require.JSONEq(t, config, string(read.ClientConfig))
	}
	for _, config := range []string{`null`, `{"a":"\u0000"}`, `{"a":"\ud800"}`, `{"a":1e-30000}`} {
		n := storetest.NewBuild(models.IOS, "one")
		n.ClientConfig = json.RawMessage(config)
		_, err := f.CreateBuild(t.Context(), f.Demo.ID, storetest.Alice, n)
		storetest.RequireField(t, "clientConfig", err)
	}
}

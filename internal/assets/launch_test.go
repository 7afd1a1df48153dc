package assets

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// fakeFile is a file whose hashes are derived from its name.
type fakeFile string

func (f fakeFile) MD5() string     { return "md5-" + string(f) }
func (f fakeFile) SHA256() string  { return "sha-" + string(f) }
func (f fakeFile) Size() int64     { return int64(len(f)) }
func (f fakeFile) Sniffed() string { return "application/octet-stream" }

// uploaded returns an upload of files with these paths.
func uploaded(paths ...string) (parts []Part) {
	for _, p := range paths {
		parts = append(parts, Part{Path: p, File: fakeFile(p)})
	}
	return parts
}

// bundlePart marks the first part as the part named bundle.
func bundlePart(parts []Part) []Part {
	parts[0].IsBundle = true
	return parts
}

const exportMetadata = `{"version":0,"bundler":"metro","fileMetadata":{
	"ios":{"bundle":"_expo/static/js/ios/index-1.hbc","assets":[{"path":"assets/0f","ext":"png"},{"path":"assets/0f","ext":"png"}]},
	"android":{"bundle":"_expo\\static\\js\\android\\index-2.hbc","assets":[{"path":"assets\\0f","ext":"png"},{"path":"assets/1e","ext":"ttf"}]}}}`

func exportedUpload() []Part {
	return uploaded("metadata.json", "_expo/static/js/ios/index-1.hbc", "_expo/static/js/ios/index-1.hbc.map",
		"_expo/static/js/android/index-2.hbc", "assets/0f", "assets/1e", "favicon.ico")
}

func TestDescribeChoosesTheBundle(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		platform models.Platform
		parts    []Part
		metadata string
		launch   string
		others   []string
	}{
		{"the part named bundle", models.IOS, bundlePart(uploaded("main.js", "other.js", "a.png")), "", "main.js", []string{"a.png", "other.js"}},
		{"the part named bundle, whatever its name", models.IOS, bundlePart(uploaded("app", "a.js")), "", "app", []string{"a.js"}},
		{
			"the part named bundle before the metadata's", models.IOS, bundlePart(append(uploaded("main.js"), exportedUpload()...)),
			exportMetadata, "main.js", []string{"assets/0f"},
		},
		{"the metadata's for iOS", models.IOS, exportedUpload(), exportMetadata, "_expo/static/js/ios/index-1.hbc", []string{"assets/0f"}},
		{
			"the metadata's for Android, written on Windows", models.Android, exportedUpload(), exportMetadata,
			"_expo/static/js/android/index-2.hbc", []string{"assets/0f", "assets/1e"},
		},
		{
			"the single file in the platform's folder", models.Android, exportedUpload(), "",
			"_expo/static/js/android/index-2.hbc", []string{"assets/0f", "assets/1e", "favicon.ico"},
		},
		{
			"source maps in the platform's folder do not count", models.IOS, exportedUpload(), "",
			"_expo/static/js/ios/index-1.hbc", []string{"assets/0f", "assets/1e", "favicon.ico"},
		},
		{"the single .hbc", models.IOS, uploaded("x.hbc", "a.png"), "", "x.hbc", []string{"a.png"}},
		{"the single .jsbundle", models.IOS, uploaded("a.png", "main.jsbundle"), "", "main.jsbundle", []string{"a.png"}},
		{"the single .bundle", models.IOS, uploaded("index.android.bundle"), "", "index.android.bundle", nil},
		{"the single .js", models.IOS, uploaded("dist/index.js"), "", "dist/index.js", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			assets, err := Describe(c.platform, c.parts, []byte(c.metadata))
			require.NoError(t, err)
			var others []string
			for _, a := range assets {
				require.Equal(t, "md5-"+a.Path, a.MD5)
				require.Equal(t, "sha-"+a.Path, a.SHA256)
				require.Equal(t, int64(len(a.Path)), a.SizeBytes)
				if !a.IsLaunchAsset {
					others = append(others, a.Path)
					continue
				}
				require.Equal(t, c.launch, a.Path)
				require.Equal(t, "application/javascript", a.ContentType)
				require.Equal(t, ".bundle", a.FileExtension)
			}
			require.Equal(t, c.others, others, "in the order of their paths")
			require.Len(t, assets, len(others)+1)
		})
	}
}

func TestDescribeTakesExtensionsFromTheMetadata(t *testing.T) {
	t.Parallel()
	assets, err := Describe(models.Android, exportedUpload(), []byte(exportMetadata))
	require.NoError(t, err)
	require.Equal(t, ".png", assets[1].FileExtension)
	require.Equal(t, "image/png", assets[1].ContentType)
	require.Equal(t, ".ttf", assets[2].FileExtension)
	require.Equal(t, "font/ttf", assets[2].ContentType)

	assets, err = Describe(models.Android, exportedUpload(), nil)
	require.NoError(t, err)
	require.Equal(t, ".bin", assets[1].FileExtension, "at least something with a dot")
}

func TestDescribeSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		platform models.Platform
		parts    []Part
		metadata string
		message  string
	}{
		{"nothing that could be a bundle", models.IOS, uploaded("a.png"), "", "does not contain a bundle"},
		{"nothing at all", models.IOS, nil, "", "does not contain a bundle"},
		{"two that could be", models.IOS, uploaded("a.js", "b.hbc"), "", "ambiguous: there are 2 files that could be the bundle (a.js, b.hbc)"},
		{"two parts named bundle", models.IOS, []Part{{Path: "a", IsBundle: true}, {Path: "b", IsBundle: true}}, "", "ambiguous: there are 2 parts named bundle (a, b)"},
		{
			"two in the platform's folder", models.IOS, uploaded("_expo/static/js/ios/a.hbc", "_expo/static/js/ios/b.hbc"), "",
			"ambiguous: there are 2 files under _expo/static/js/ios/",
		},
		{"one path twice", models.IOS, bundlePart(uploaded("main.js", "main.js")), "", "contains the file main.js twice"},
		{"metadata for another platform", models.IOS, exportedUpload(), `{"fileMetadata":{"android":{"bundle":"x"}}}`, "does not list a bundle for ios"},
		{"metadata that is something else", models.IOS, exportedUpload(), `[1]`, "does not come from an Expo export"},
		{"metadata with null", models.IOS, exportedUpload(), `{"fileMetadata":{"ios":null}}`, "does not list a bundle for ios"},
		{"a bundle that was not uploaded", models.IOS, uploaded("assets/0f"), exportMetadata, "lists the bundle _expo/static/js/ios/index-1.hbc for ios, but it was not uploaded"},
		{
			"an asset that was not uploaded", models.Android, uploaded("_expo/static/js/android/index-2.hbc", "assets/1e"), exportMetadata,
			"the upload does not have 1 file that metadata.json lists, such as assets/0f",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := Describe(c.platform, c.parts, []byte(c.metadata))
			var problem *models.Error
			require.True(t, errors.As(err, &problem))
			require.Equal(t, models.CodeInvalid, problem.Code)
			require.Contains(t, problem.Message, c.message)
			require.Equal(t, "assets", problem.Fields[0].Field)
		})
	}
}

func FuzzDescribe(f *testing.F) {
	f.Add(exportMetadata, "assets/0f", true)
	f.Add("", "main.js", false)
	f.Add(`{"fileMetadata":{"ios":{"bundle":"a","assets":[{"path":"..","ext":"/"}]}}}`, "a", false)
	f.Fuzz(func(t *testing.T, metadata, path string, isBundle bool) {
		parts := append(exportedUpload(), Part{Path: path, IsBundle: isBundle, File: fakeFile(path)})
		assets, err := Describe(models.IOS, parts, []byte(metadata))
		if err != nil {
			require.Equal(t, models.CodeInvalid, models.CodeOf(err))
			return
		}
		launch := 0
		for _, a := range assets {
			if a.IsLaunchAsset {
				launch++
				continue
			}
			require.Regexp(t, extensionPattern, a.FileExtension)
			require.NotEmpty(t, a.ContentType)
		}
		require.Equal(t, 1, launch)
	})
}

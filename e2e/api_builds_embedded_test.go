package e2e

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// The files of an app after a release build, as Gradle and Xcode leave them.
const (
	androidBundleFile   = "android/app/build/generated/assets/createBundleReleaseJsAndAssets/index.android.bundle"
	androidManifestFile = "android/app/build/generated/assets/createReleaseUpdatesResources/app.manifest"
	androidMapFile      = "android/app/build/generated/sourcemaps/react/release/index.android.bundle.map"
	androidStringsFile  = "android/app/src/main/res/values/strings.xml"
	iosProduct          = "ios/build/Build/Products/Release-iphoneos/Shop.app/"
	iosMapFile          = "ios/build/waft/main.jsbundle.map"
	iosConfigFile       = "ios/Shop/Supporting/Expo.plist"
)

// nativeApp is the folder of an app that was built for the store.
type nativeApp struct {
	t   *testing.T
	dir string
}

func (a nativeApp) write(files map[string]string) {
	a.t.Helper()
	for name, content := range files {
		file := filepath.Join(a.dir, filepath.FromSlash(name))
		require.NoError(a.t, os.MkdirAll(filepath.Dir(file), 0o700))
		require.NoError(a.t, os.WriteFile(file, []byte(content), 0o600))
	}
}

// builtApp returns an app with release builds for both platforms, and the IDs of their embedded updates.
func builtApp(t *testing.T) (app nativeApp, android, ios string) {
	t.Helper()
	app, android, ios = nativeApp{t, t.TempDir()}, uuid.NewString(), uuid.NewString()
	app.write(map[string]string{
		androidBundleFile:   "the bundle of " + android,
		androidManifestFile: `{"id":"` + android + `","commitTime":1,"assets":[]}`,
		androidMapFile:      bundleMap(android),
		androidStringsFile: `<resources><string name="app_name">Shop &amp; Co</string>` +
			`<string name="expo_runtime_version">1.0.0</string></resources>`,
		iosProduct + "main.jsbundle":                 "the bundle of " + ios,
		iosProduct + "EXUpdates.bundle/app.manifest": `{"id":"` + ios + `","commitTime":1,"assets":[]}`,
		iosProduct + "EXUpdates.bundle/fingerprint":  "5f0c8a7e1d2b3c4d",
		iosMapFile: bundleMap(ios),
		iosConfigFile: `<?xml version="1.0" encoding="UTF-8"?>
			<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
			<plist version="1.0"><dict>
				<key>EXUpdatesEnabled</key><true/>
				<key>EXUpdatesRuntimeVersion</key><string>file:fingerprint</string>
				<key>EXUpdatesURL</key><string>https://ota.example.com</string>
			</dict></plist>`,
	})
	return app, android, ios
}

// The errors of the update inside an app are shown by file and line, with the source maps of the build for the store.
func TestTheSourceMapsOfANativeBuildAreUploaded(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	p.known()
	app, android, ios := builtApp(t)
	out, err := p.runWaft(models.RoleEditor, "builds", "add-embedded", app.dir)
	require.NoError(t, err)
	require.Contains(t, out, "for android 1.0.0: embedded update "+android)
	require.Contains(t, out, "for ios 5f0c8a7e1d2b3c4d: embedded update "+ios)
	builds := p.list("/v1/ota/builds")
	require.Len(t, builds, 2)
	for _, b := range builds {
		require.Positive(t, b["sourceMapBytes"])
		require.Contains(t, []any{android, ios}, b["embeddedUpdateId"])
	}
	event := p.fails(android, models.Android, "Error", "x", "Error: x\n    at anonymous (address at index.android.bundle:1:10)", nil)
	frames, _ := p.do(at("/v1/ota/observe/events/%s", event["id"])).record(200)["frames"].([]any)
	require.Len(t, frames, 1)
	require.Equal(t, "/app/cart.js", frames[0].(map[string]any)["file"])

	again, err := p.runWaft(models.RoleEditor, "builds", "add-embedded", app.dir, "--platform", "ios")
	require.NoError(t, err)
	require.Contains(t, again, "already has the embedded update "+ios)
	app.write(map[string]string{androidBundleFile: "the bundle after a change"})
	_, err = p.runWaft(models.RoleEditor, "builds", "add-embedded", app.dir)
	require.ErrorContains(t, err, "has another bundle for the embedded update "+android)
	require.Len(t, p.list("/v1/ota/builds"), 2)
}

// A build that was uploaded without its source map gets it later.
func TestTheSourceMapOfANativeBuildIsAddedLater(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	app, android, _ := builtApp(t)
	require.NoError(t, os.RemoveAll(filepath.Join(app.dir, "ios")))
	require.NoError(t, os.Remove(filepath.Join(app.dir, androidMapFile)))
	run := func(args ...string) string {
		out, err := p.runWaft(models.RoleEditor, append([]string{"builds", "add-embedded", app.dir}, args...)...)
		require.NoError(t, err)
		return out
	}
	require.Contains(t, run("--runtime-version", "2.0.0"), "for android 2.0.0")
	stored := func() object { return p.list("/v1/ota/builds")[0] }
	require.Zero(t, stored()["sourceMapBytes"])
	app.write(map[string]string{androidMapFile: bundleMap(android)})
	require.Contains(t, run(), "source map added")
	require.Positive(t, stored()["sourceMapBytes"])
	require.Contains(t, run(), "build "+strconv.FormatInt(stored().id("id"), 10)+" already has")
}

func TestANativeBuildThatIsMissingIsNamed(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	fails := func(app nativeApp, args ...string) string {
		t.Helper()
		_, err := p.runWaft(models.RoleEditor, append([]string{"builds", "add-embedded", app.dir}, args...)...)
		require.Error(t, err)
		return err.Error()
	}
	none := fails(nativeApp{t, t.TempDir()})
	require.Contains(t, none, "expo run:android --variant release")
	require.Contains(t, none, "expo run:ios --configuration Release")
	app, _, _ := builtApp(t)
	require.Contains(t, fails(app, "--platform", "android", "--variant", "stagingRelease"), "of the variant stagingRelease")
	require.Contains(t, fails(app, "--bundle", "b", "--manifest", "m"), "are for one platform: use --platform, too")
	require.Contains(t, fails(app, "--platform", "android", "--bundle", "b"), "--bundle and --manifest belong together")
	require.Contains(t, fails(app, "--platform", "android", "--bundle", "b", "--manifest", filepath.Join(app.dir, "m")), "no such file")
	app.write(map[string]string{androidStringsFile: "<resources></resources>"})
	require.Contains(t, fails(app, "--platform", "android"), "--runtime-version")
	app.write(map[string]string{androidManifestFile: "{}"})
	require.Contains(t, fails(app, "--platform", "android"), "the ID of an update")

	// The newest of several products is used, unless one is named.
	newer := strings.Replace(iosProduct, "iphoneos", "iphonesimulator", 1)
	id := uuid.NewString()
	app.write(map[string]string{newer + "main.jsbundle": "newer", newer + "EXUpdates.bundle/app.manifest": `{"id":"` + id + `"}`})
	later := time.Now().Add(time.Minute)
	require.NoError(t, os.Chtimes(filepath.Join(app.dir, newer, "EXUpdates.bundle/app.manifest"), later, later))
	out, err := p.runWaft(models.RoleEditor, "builds", "add-embedded", app.dir, "--platform", "ios", "--runtime-version", "1")
	require.NoError(t, err)
	require.Contains(t, out, id)
	out, err = p.runWaft(models.RoleEditor, "builds", "add-embedded", app.dir, "--platform", "ios", "--product", filepath.Join(app.dir, iosProduct))
	require.NoError(t, err)
	require.Contains(t, out, "for ios 5f0c8a7e1d2b3c4d")
}

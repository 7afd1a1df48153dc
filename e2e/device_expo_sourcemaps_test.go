package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// prebuiltApp is an Expo app with the packed package and with the native projects that `expo prebuild` made.
type prebuiltApp struct {
	nativeApp
	// waft is the path of the CLI.
	waft string
}

// prebuilt creates an app for the tenant and runs `expo prebuild` as often as given.
func prebuilt(t *testing.T, p *tenant, times int) prebuiltApp {
	t.Helper()
	waft, err := buildWaft()
	require.NoError(t, err)
	folder := packedApp(t, object{
		"name": "Shop", "slug": "shop", "version": "1.4.0",
		"ios": object{"bundleIdentifier": "dev.waft.shop"}, "android": object{"package": "dev.waft.shop"},
		"plugins": []any{[]any{"@waft/expo", object{"url": p.url, "project": p.slug}}},
	})
	template, err := filepath.Abs(filepath.Join(exampleApp, "node_modules", "expo", "template.tgz"))
	require.NoError(t, err)
	for range times {
		prebuild := exec.CommandContext(t.Context(), "node_modules/.bin/expo", "prebuild", "--no-install", "--template", template)
		prebuild.Dir = folder
		prebuild.Env = append(os.Environ(), "CI=1", "EXPO_OFFLINE=1", "EXPO_NO_TELEMETRY=1", "EXPO_NO_DOTENV=1", "EXPO_NO_GIT_STATUS=1")
		out, err := prebuild.CombinedOutput()
		require.NoError(t, err, string(out))
	}
	return prebuiltApp{nativeApp{t, folder}, waft}
}

// read returns the content of the only file that matches the pattern.
func (a prebuiltApp) read(pattern string) string {
	a.t.Helper()
	found, err := filepath.Glob(filepath.Join(a.dir, filepath.FromSlash(pattern)))
	require.NoError(a.t, err)
	require.Len(a.t, found, 1)
	text, err := os.ReadFile(found[0])
	require.NoError(a.t, err)
	return string(text)
}

// phase returns the script of the phase that the config plugin adds to the Xcode project.
func (a prebuiltApp) phase() string {
	a.t.Helper()
	project := a.read("ios/*.xcodeproj/project.pbxproj")
	scripts := regexp.MustCompile(`shellScript = "(# From @waft/expo.*)";\n`).FindAllStringSubmatch(project, -1)
	require.Len(a.t, scripts, 1)
	return strings.NewReplacer(`\n`, "\n", `\"`, `"`, `\\`, `\`).Replace(scripts[0][1])
}

// builds runs a program of a native build with an environment, as Xcode and Gradle do, and returns what it prints.
func (a prebuiltApp) builds(env []string, name string, args ...string) (string, error) {
	build := exec.CommandContext(a.t.Context(), name, args...)
	build.Dir, build.Env = filepath.Join(a.dir, "ios"), append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + a.t.TempDir()}, env...)
	out, err := build.CombinedOutput()
	return string(out), err
}

// The config plugin makes the Xcode build upload its bundle and source map, and errors of that build are then shown by file and line.
func TestAnXcodeBuildUploadsItsSourceMap(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	p.known()
	app := prebuilt(t, p, 2)
	id := uuid.NewString()
	app.write(map[string]string{
		"products/Shop.app/main.jsbundle":                  "the bundle of " + id,
		"products/EXUpdates/EXUpdates.bundle/app.manifest": `{"id":"` + id + `","commitTime":1,"assets":[]}`,
		"products/Shop.app/EXUpdates.bundle/app.manifest":  `{"id":"` + uuid.NewString() + `","commitTime":1,"assets":[]}`,
		"ios/build/waft/main.jsbundle.map":                 bundleMap(id),
		"ios/Pods/Manifest.lock":                           "",
		"ios/.xcode.env.local":                             "export WAFT_CLI=" + app.waft + "\n",
	})
	products := filepath.Join(app.dir, "products")
	xcode := []string{
		"CONFIGURATION=Release", "PROJECT_DIR=" + filepath.Join(app.dir, "ios"), "PODS_ROOT=" + filepath.Join(app.dir, "ios", "Pods"),
		"CONFIGURATION_BUILD_DIR=" + products, "PODS_CONFIGURATION_BUILD_DIR=" + products, "UNLOCALIZED_RESOURCES_FOLDER_PATH=Shop.app",
	}
	build := func(env ...string) (string, error) { return app.builds(append(xcode, env...), "sh", "-c", app.phase()) }

	out, err := build()
	require.NoError(t, err, out)
	require.Regexp(t, `^note: @waft/expo: .* set WAFT_API_KEY`, out)
	require.Empty(t, p.list("/v1/ota/builds"))
	out, err = build("WAFT_API_KEY=wrong")
	require.NoError(t, err, out)
	require.Regexp(t, `^warning: @waft/expo: .* not uploaded: .*API key.*\. The build goes on\n$`, out)
	out, err = build("WAFT_API_KEY=wrong", "WAFT_UPLOAD_REQUIRED=1")
	require.Error(t, err)
	require.Regexp(t, `^error: @waft/expo: .* not uploaded: `, out)

	key := "WAFT_API_KEY=" + p.keys[models.RoleEditor]
	out, err = build(key, "WAFT_UPLOAD_REQUIRED=1")
	require.NoError(t, err, out)
	require.Contains(t, out, "for ios 1.4.0: embedded update "+id)
	out, err = build(key, "WAFT_UPLOAD_REQUIRED=1")
	require.NoError(t, err, out)
	require.Contains(t, out, "already has the embedded update "+id)
	require.Len(t, p.list("/v1/ota/builds"), 1)
	event := p.fails(id, models.IOS, "Error", "x", "Error: x\n    at anonymous (address at main.jsbundle:1:10)", nil)
	frames, _ := p.do(at("/v1/ota/observe/events/%s", event["id"])).record(200)["frames"].([]any)
	require.Len(t, frames, 1)
	require.Equal(t, []any{"/app/cart.js", 2.0}, []any{frames[0].(map[string]any)["file"], frames[0].(map[string]any)["line"]})
}

// The config plugin makes Gradle apply waft.gradle once. Its task calls upload.cjs as this test does; test/gradle.mjs in sdk/expo runs it.
func TestAGradleBuildUploadsItsSourceMap(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	p.known()
	app := prebuilt(t, p, 2)
	gradle := app.read("android/app/build.gradle")
	require.Equal(t, 1, strings.Count(gradle, `"native/waft.gradle")`))
	require.Contains(t, gradle, "ext.waft = [url: '"+p.url+"', project: '"+p.slug+"']\n")
	require.FileExists(t, filepath.Join(app.dir, "node_modules/@waft/expo/native/waft.gradle"))
	id := uuid.NewString()
	app.write(map[string]string{
		"generated/index.android.bundle": "the bundle of " + id,
		"generated/app.manifest":         `{"id":"` + id + `"}`,
		"generated/app.map":              bundleMap(id),
	})
	generated := func(name string) string { return filepath.Join(app.dir, "generated", name) }
	out, err := app.builds(
		[]string{"WAFT_CLI=" + app.waft, "WAFT_UPLOAD_REQUIRED=1", "WAFT_API_KEY=" + p.keys[models.RoleEditor]},
		"node", filepath.Join(app.dir, "node_modules/@waft/expo/native/upload.cjs"), app.dir, p.url, p.slug, "--platform", "android",
		"--bundle", generated("index.android.bundle"), "--manifest", generated("app.manifest"), "--source-map", generated("app.map"),
	)
	require.NoError(t, err, out)
	require.Contains(t, out, "for android 1.4.0: embedded update "+id)
	event := p.fails(id, models.Android, "Error", "x", "Error: x\n    at anonymous (address at index.android.bundle:1:10)", nil)
	frames, _ := p.do(at("/v1/ota/observe/events/%s", event["id"])).record(200)["frames"].([]any)
	require.Len(t, frames, 1)
	require.Equal(t, "/app/cart.js", frames[0].(map[string]any)["file"])
}

// The Gradle plugins of React Native and expo-updates have the tasks and properties that waft.gradle uses.
func TestGradlePluginsHaveWhatTheUploadUses(t *testing.T) {
	t.Parallel()
	upload, err := os.ReadFile("../sdk/expo/native/waft.gradle")
	require.NoError(t, err)
	const react, updates = "@react-native/gradle-plugin/react-native-gradle-plugin/src/main/kotlin/com/facebook/react/",
		"expo-updates/expo-updates-gradle-plugin/src/main/kotlin/expo/modules/updates/ExpoUpdatesPlugin.kt"
	for _, c := range []struct{ used, file, declared string }{
		{`"createBundle${capitalized}JsAndAssets"`, react + "TaskConfiguration.kt", `register("createBundle${targetName}JsAndAssets",`},
		{"bundle.bundleAssetName.get()", react + "tasks/BundleHermesCTask.kt", "val bundleAssetName: Property<String>"},
		{"bundle.jsBundleDir.get()", react + "tasks/BundleHermesCTask.kt", "val jsBundleDir: DirectoryProperty"},
		{"bundle.jsSourceMapsDir.get()", react + "tasks/BundleHermesCTask.kt", "val jsSourceMapsDir: DirectoryProperty"},
		{"name + '.map'", react + "tasks/BundleHermesCTask.kt", `File(jsSourceMapsDir.get().asFile, "$bundleAssetName.map")`},
		{"react.nodeExecutableAndArgs.get()", react + "ReactExtension.kt", "val nodeExecutableAndArgs: ListProperty<String>"},
		{`"create${capitalized}UpdatesResources"`, updates, `register("create${targetName}UpdatesResources", CreateUpdatesResourcesTask`},
		{"resources.assetDir.get()", updates, "val assetDir: DirectoryProperty"},
	} {
		require.Contains(t, string(upload), c.used)
		declaring, err := os.ReadFile(filepath.Join(exampleApp, "node_modules", filepath.FromSlash(c.file)))
		require.NoError(t, err)
		require.Contains(t, string(declaring), c.declared, "waft.gradle uses %s", c.used)
	}
}

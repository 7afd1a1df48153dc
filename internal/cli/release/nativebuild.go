package release

import (
	"cmp"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/waft-ota/waft/models"
)

// nativeBuild contains the files of a release build of an app for one platform.
type nativeBuild struct {
	platform models.Platform
	// bundle and sourceMap are files. sourceMap is "" if the build did not write one.
	bundle, sourceMap string
	// updateID is the ID of the embedded update, which devices that run it report.
	updateID string
	// runtimeVersion is "" if the native project does not name one.
	runtimeVersion string
}

// nativeSearch selects the release builds of an app.
type nativeSearch struct {
	// app is the folder of the app, with the folders android and ios. home is the folder of the user.
	app, home string
	// variant is the name of Android's build variant. product is the .app of iOS, "" for the newest one.
	variant, product string
	// bundle and manifest are files of the build, "" to search for them.
	bundle, manifest string
}

// The files that expo-updates and React Native write.
const (
	manifestFile    = "app.manifest"
	fingerprintFile = "fingerprint"
	androidBundle   = "index.android.bundle"
	iosBundle       = "main.jsbundle"
)

// errNoNativeBuild is the error for a platform that was not built.
var errNoNativeBuild = errors.New("did not find a release build")

// find returns the build whose files are named, or the newest one for the platform.
func (s nativeSearch) find(platform models.Platform) (nativeBuild, error) {
	find := s.android
	if platform == models.IOS {
		find = s.ios
	}
	b, err := find()
	if err != nil {
		return b, fmt.Errorf("%s: %w", platform, err)
	}
	return b, nil
}

// android finds the files of Gradle's tasks. They are the same for `expo run:android`, Gradle and EAS Build.
func (s nativeSearch) android() (b nativeBuild, err error) {
	b.platform, b.bundle = models.Android, s.bundle
	main, manifest := filepath.Join(s.app, "android", "app"), s.manifest
	if s.bundle == "" {
		b.bundle, b.sourceMap, manifest = s.gradleFiles(filepath.Join(main, "build"))
		if b.bundle == "" || manifest == "" {
			return b, fmt.Errorf("%w of the variant %s in %s; build it with `npx expo run:android --variant %s` or Gradle",
				errNoNativeBuild, s.variant, main, s.variant)
		}
	}
	texts, err := androidStrings(filepath.Join(main, "src", "main", "res", "values", "strings.xml"))
	if err != nil {
		return b, err
	}
	return b, b.read(manifest, texts["expo_runtime_version"])
}

// gradleFiles returns the files of the variant in Gradle's folder, and "" for each missing file.
func (s nativeSearch) gradleFiles(folder string) (bundle, sourceMap, manifest string) {
	build := func(path ...string) string { return filepath.Join(append([]string{folder}, path...)...) }
	task := strings.ToUpper(s.variant[:1]) + s.variant[1:]
	merged := build("intermediates", "assets", s.variant, "merge"+task+"Assets")
	bundle = firstFile(
		build("generated", "assets", "createBundle"+task+"JsAndAssets", androidBundle),
		build("generated", "assets", "react", s.variant, androidBundle),
		filepath.Join(merged, androidBundle),
	)
	sourceMap = firstFile(build("generated", "sourcemaps", "react", s.variant, androidBundle+".map"))
	manifest = firstFile(
		build("generated", "assets", "create"+task+"UpdatesResources", manifestFile),
		filepath.Join(merged, manifestFile),
	)
	return bundle, sourceMap, manifest
}

// ios finds the app that Xcode built. The config plugin makes Xcode write the source map.
func (s nativeSearch) ios() (b nativeBuild, err error) {
	b.platform, b.bundle = models.IOS, s.bundle
	project, manifest := filepath.Join(s.app, "ios"), s.manifest
	if s.bundle == "" {
		product := s.product
		if product == "" {
			product = s.newestProduct(project)
		}
		b.bundle, manifest = firstFile(filepath.Join(product, iosBundle)), firstFile(filepath.Join(product, "EXUpdates.bundle", manifestFile))
		if product == "" || b.bundle == "" || manifest == "" {
			return b, fmt.Errorf("%w in %s; build it with `npx expo run:ios --configuration Release`, "+
				"or name the .app that Xcode built with --product", errNoNativeBuild, cmp.Or(product, project))
		}
		b.sourceMap = firstFile(filepath.Join(project, "build", "waft", iosBundle+".map"))
	}
	version := ""
	for _, file := range globbed(filepath.Join(project, "*", "Supporting", "Expo.plist")) {
		if version, err = plistString(file, "EXUpdatesRuntimeVersion"); err != nil {
			return b, err
		}
	}
	return b, b.read(manifest, version)
}

// newestProduct returns the .app that Xcode built last, or "". Xcode builds in ios/build on EAS Build, otherwise in the
// folder of the workspace in the user's DerivedData.
func (s nativeSearch) newestProduct(project string) (newest string) {
	products := globbed(filepath.Join(project, "build", "Build", "Products", "*", "*.app"))
	products = append(products, globbed(filepath.Join(project, "build", "Build", "Intermediates.noindex", "ArchiveIntermediates", "*",
		"InstallationBuildProductsLocation", "Applications", "*.app"))...)
	for _, workspace := range globbed(filepath.Join(project, "*.xcworkspace")) {
		name := strings.TrimSuffix(filepath.Base(workspace), ".xcworkspace")
		products = append(products, globbed(filepath.Join(s.home, "Library", "Developer", "Xcode", "DerivedData", name+"-*", "Build",
			"Products", "*", "*.app"))...)
	}
	var at int64
	for _, product := range products {
		info, err := os.Stat(filepath.Join(product, "EXUpdates.bundle", manifestFile))
		if err == nil && info.ModTime().UnixNano() > at {
			newest, at = product, info.ModTime().UnixNano()
		}
	}
	return newest
}

// read reads the manifest of the embedded update. configured is the runtime version in the native project.
func (b *nativeBuild) read(manifest, configured string) error {
	text, err := os.ReadFile(manifest)
	if err != nil {
		return err
	}
	var update struct{ ID string }
	if err := json.Unmarshal(text, &update); err != nil || update.ID == "" {
		return fmt.Errorf("%s does not have the ID of an update", manifest)
	}
	b.updateID, b.runtimeVersion = update.ID, configured
	if configured == "file:"+fingerprintFile {
		text, err := os.ReadFile(filepath.Join(filepath.Dir(manifest), fingerprintFile))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		b.runtimeVersion = strings.TrimSpace(string(text))
	}
	return nil
}

// androidStrings returns the strings of a file of resources, which may be missing.
func androidStrings(file string) (map[string]string, error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var resources struct {
		Strings []struct {
			Name string `xml:"name,attr"`
			Text string `xml:",chardata"`
		} `xml:"string"`
	}
	if err := xml.Unmarshal(text, &resources); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	found := map[string]string{}
	for _, s := range resources.Strings {
		found[s.Name] = strings.TrimSpace(s.Text)
	}
	return found, nil
}

// plistString returns the string of a key in a property list, or "".
func plistString(file, key string) (string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	decoder := xml.NewDecoder(strings.NewReader(string(text)))
	isNext := false
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return "", nil
		}
		if err != nil {
			return "", fmt.Errorf("%s: %w", file, err)
		}
		start, ok := token.(xml.StartElement)
		if !ok || start.Name.Local != "key" && start.Name.Local != "string" {
			continue
		}
		var content string
		if err := decoder.DecodeElement(&content, &start); err != nil {
			return "", fmt.Errorf("%s: %w", file, err)
		}
		if start.Name.Local == "string" && isNext {
			return strings.TrimSpace(content), nil
		}
		isNext = start.Name.Local == "key" && strings.TrimSpace(content) == key
	}
}

// firstFile returns the first of the files that exists, or "".
func firstFile(files ...string) string {
	at := slices.IndexFunc(files, func(file string) bool {
		info, err := os.Stat(file)
		return err == nil && info.Mode().IsRegular()
	})
	if at < 0 {
		return ""
	}
	return files[at]
}

// globbed returns the files that match a pattern of this package, which is well-formed unless a folder's name is not.
func globbed(pattern string) []string {
	found, err := filepath.Glob(pattern)
	if err != nil {
		return nil
	}
	return found
}

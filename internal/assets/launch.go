package assets

import (
	"path"
	"slices"
	"strings"

	"github.com/waft-ota/waft/internal/base/count"
	"github.com/waft-ota/waft/models"
)

// Part is one file of an upload.
type Part struct {
	// Path is the file's path inside the export, with forward slashes.
	Path string
	// IsBundle says that the part's name is bundle.
	IsBundle bool
	File     File
}

// File describes a part's content. *Staged implements it.
type File interface {
	MD5() string
	SHA256() string
	Size() int64
	Sniffed() string
}

// Describe returns the assets of a build for the platform, ordered by path. metadata is the content of an Expo export's
// metadata.json. If it is given, the build consists of the files that it lists for the platform. If it is nil, the
// build consists of all files except other platforms' bundles. Describe returns CodeInvalid if the upload does not have
// exactly one launch asset.
func Describe(platform models.Platform, parts []Part, metadata []byte) ([]models.BuildAsset, error) {
	if err := checkPaths(parts); err != nil {
		return nil, err
	}
	exported, err := readMetadata(metadata, platform)
	if err != nil {
		return nil, err
	}
	launch, err := chooseLaunch(platform, parts, exported)
	if err != nil {
		return nil, err
	}
	assets := []models.BuildAsset{launchAsset(launch)}
	if exported != nil {
		assets, err = appendExported(assets, parts, exported)
	} else {
		assets = appendUploaded(assets, parts)
	}
	slices.SortFunc(assets, func(a, b models.BuildAsset) int { return strings.Compare(a.Path, b.Path) })
	return assets, err
}

// checkPaths refuses two files with the same path.
func checkPaths(parts []Part) error {
	seen := make(map[string]bool, len(parts))
	for _, p := range parts {
		if seen[p.Path] {
			return invalid("the upload contains the file %s twice", p.Path)
		}
		seen[p.Path] = true
	}
	return nil
}

// chooseLaunch returns the bundle. It applies four rules in turn until one of them finds a bundle.
func chooseLaunch(platform models.Platform, parts []Part, exported *exportedFiles) (Part, error) {
	if named := withPart(parts, func(p Part) bool { return p.IsBundle }); len(named) > 0 {
		return only(named, "parts named bundle")
	}
	if exported != nil {
		if found := withPart(parts, func(p Part) bool { return p.Path == exported.Bundle }); len(found) > 0 {
			return only(found, "files named "+exported.Bundle)
		}
		return Part{}, invalid("metadata.json lists the bundle %s for %s, but it was not uploaded", exported.Bundle, platform)
	}
	folder := bundleFolder + string(platform) + "/"
	inFolder := func(p Part) bool { return strings.HasPrefix(p.Path, folder) && path.Ext(p.Path) != ".map" }
	if found := withPart(parts, inFolder); len(found) > 0 {
		return only(found, "files under "+folder)
	}
	if found := withPart(parts, hasBundleExtension); len(found) > 0 {
		return only(found, "files that could be the bundle")
	}
	return Part{}, invalid("the upload does not contain a bundle: give its part the name bundle, upload the export's metadata.json, " +
		"or upload one .hbc, .jsbundle, .bundle or .js file")
}

// bundleFolder contains the bundles of all platforms in an Expo export.
const bundleFolder = "_expo/static/js/"

func hasBundleExtension(p Part) bool {
	return slices.Contains([]string{".hbc", ".jsbundle", ".bundle", ".js"}, path.Ext(p.Path))
}

func withPart(parts []Part, matches func(Part) bool) (found []Part) {
	for _, p := range parts {
		if matches(p) {
			found = append(found, p)
		}
	}
	return found
}

// only returns the only part. If there are several, it returns an error that lists the first ones.
func only(parts []Part, what string) (Part, error) {
	if len(parts) == 1 {
		return parts[0], nil
	}
	var names []string
	for _, p := range parts[:min(len(parts), 5)] {
		names = append(names, p.Path)
	}
	return Part{}, invalid("the bundle is ambiguous: there are %d %s (%s); give the part of the right one the name bundle",
		len(parts), what, strings.Join(names, ", "))
}

// appendExported appends the files that the metadata lists, without duplicates.
func appendExported(assets []models.BuildAsset, parts []Part, exported *exportedFiles) ([]models.BuildAsset, error) {
	byPath := make(map[string]Part, len(parts))
	for _, p := range parts {
		byPath[p.Path] = p
	}
	taken := map[string]bool{assets[0].Path: true}
	var missing []string
	for _, a := range exported.Assets {
		p, ok := byPath[a.Path]
		switch {
		case !ok:
			missing = append(missing, a.Path)
		case !taken[a.Path]:
			taken[a.Path] = true
			assets = append(assets, plainAsset(p, a.Ext))
		}
	}
	if len(missing) > 0 {
		return nil, invalid("the upload does not have %s that metadata.json lists, such as %s", count.Of(len(missing), "file"), missing[0])
	}
	return assets, nil
}

// appendUploaded appends all files except bundles, their source maps and the metadata.
func appendUploaded(assets []models.BuildAsset, parts []Part) []models.BuildAsset {
	launch := assets[0].Path
	for _, p := range parts {
		if p.Path == launch || p.Path == MetadataFile || strings.HasPrefix(p.Path, bundleFolder) || isSourceMap(p, parts) {
			continue
		}
		assets = append(assets, plainAsset(p, ""))
	}
	return assets
}

func launchAsset(p Part) models.BuildAsset {
	a := asset(p)
	a.ContentType, a.FileExtension, a.IsLaunchAsset = launchContentType, launchExtension, true
	return a
}

func plainAsset(p Part, ext string) models.BuildAsset {
	a := asset(p)
	a.ContentType, a.FileExtension = describe(p.Path, ext, p.File.Sniffed())
	return a
}

func asset(p Part) models.BuildAsset {
	return models.BuildAsset{Path: p.Path, MD5: p.File.MD5(), SHA256: p.File.SHA256(), SizeBytes: p.File.Size()}
}

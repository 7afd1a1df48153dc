// Package bundle makes folders that look like what `expo export` writes, for
// demos and tests without a JavaScript toolchain. The same Spec always gives the
// same bytes.
package bundle

import (
	"crypto/md5"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/waft-ota/waft/models"
)

// Spec says what export to make.
type Spec struct {
	// Label tells versions apart. It stands in the bundle, in one of the assets and
	// in the app config; everything else is the same in every version, as in an app
	// of which little changed.
	Label string
	// Platforms default to both.
	Platforms []models.Platform
	// RuntimeVersion stands in the app config; "1.0.0" when empty.
	RuntimeVersion string
	// BundleBytes is the size of each platform's bundle; 0 means 1 MiB.
	BundleBytes int
	// Assets is how many assets both platforms share besides the labelled one, and
	// AssetBytes the size of each; 0 means 6 assets of 24 KiB.
	Assets     int
	AssetBytes int
}

// Export is what was written.
type Export struct {
	Dir string
	// LaunchPath is each platform's bundle inside Dir, LaunchMD5 its MD5 in hex,
	// which is its key in a manifest.
	LaunchPath map[models.Platform]string
	LaunchMD5  map[models.Platform]string
}

// metadata is metadata.json of an export.
type metadata struct {
	Version      int                              `json:"version"`
	Bundler      string                           `json:"bundler"`
	FileMetadata map[models.Platform]fileMetadata `json:"fileMetadata"`
}

type fileMetadata struct {
	Bundle string      `json:"bundle"`
	Assets []fileAsset `json:"assets"`
}

type fileAsset struct {
	Path string `json:"path"`
	Ext  string `json:"ext"`
}

// Write makes the export in dir, which is created. Files that are there already
// are written again.
func Write(dir string, s Spec) (Export, error) {
	s = s.withDefaults()
	if s.Label == "" {
		return Export{}, errors.New("bundle: an export needs a label")
	}
	e := Export{Dir: dir, LaunchPath: map[models.Platform]string{}, LaunchMD5: map[models.Platform]string{}}
	m := metadata{Bundler: "metro", FileMetadata: map[models.Platform]fileMetadata{}}
	assets, err := s.writeAssets(dir)
	if err != nil {
		return Export{}, err
	}
	for _, p := range s.Platforms {
		content := script(fmt.Sprintf("%s for %s", s.Label, p), s.BundleBytes)
		sum := md5Hex(content)
		name := fmt.Sprintf("_expo/static/js/%s/index-%s.hbc", p, sum)
		if err := write(dir, name, content); err != nil {
			return Export{}, err
		}
		e.LaunchPath[p], e.LaunchMD5[p] = name, sum
		m.FileMetadata[p] = fileMetadata{Bundle: name, Assets: assets}
	}
	if err := writeJSON(dir, "metadata.json", m); err != nil {
		return Export{}, err
	}
	return e, writeJSON(dir, "expoConfig.json", map[string]any{
		"name": "Waft demo", "slug": "waft-demo", "runtimeVersion": s.RuntimeVersion,
		"extra": map[string]any{"label": s.Label},
	})
}

func (s Spec) writeAssets(dir string) ([]fileAsset, error) {
	assets := make([]fileAsset, 0, s.Assets+1)
	for i := range s.Assets + 1 {
		name := fmt.Sprintf("asset %d", i)
		if i == s.Assets {
			name = "asset of " + s.Label
		}
		content := picture(name, s.AssetBytes)
		a := fileAsset{Path: "assets/" + md5Hex(content), Ext: "png"}
		if err := write(dir, a.Path, content); err != nil {
			return nil, err
		}
		assets = append(assets, a)
	}
	return assets, nil
}

func (s Spec) withDefaults() Spec {
	if len(s.Platforms) == 0 {
		s.Platforms = []models.Platform{models.Android, models.IOS}
	}
	if s.RuntimeVersion == "" {
		s.RuntimeVersion = "1.0.0"
	}
	if s.BundleBytes == 0 {
		s.BundleBytes = 1 << 20
	}
	if s.Assets == 0 {
		s.Assets = 6
	}
	if s.AssetBytes == 0 {
		s.AssetBytes = 24 << 10
	}
	return s
}

func writeJSON(dir, name string, v any) error {
	content, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return fmt.Errorf("bundle: %s: %w", name, err)
	}
	return write(dir, name, append(content, '\n'))
}

func write(dir, name string, content []byte) error {
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("bundle: %w", err)
	}
	if err := os.WriteFile(path, content, 0o644); err != nil {
		return fmt.Errorf("bundle: %w", err)
	}
	return nil
}

func md5Hex(content []byte) string {
	sum := md5.Sum(content)
	return hex.EncodeToString(sum[:])
}

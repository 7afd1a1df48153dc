// Package bundle creates folders that look like the output of `expo export`, for demos and tests without a JavaScript
// toolchain. The same Spec always gives the same bytes.
package bundle

import (
	"bytes"
	"cmp"
	"crypto/md5"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/waft-ota/waft/models"
)

// Spec describes an export.
type Spec struct {
	// Label identifies the version. It is in the bundle, in one of the assets and in the app config. Everything else is
	// the same in every version.
	Label string
	// RuntimeVersion is in the app config; "" means "1.0.0".
	RuntimeVersion string
	// BundleBytes is the size of each platform's bundle; 0 means 1 MiB.
	BundleBytes int
	// Assets is the number of assets that both platforms share, not counting the labelled one. AssetBytes is the size
	// of each. 0 means 6 assets of 24 KiB.
	Assets     int
	AssetBytes int
}

// Write creates the export in dir and returns the path of each platform's bundle, relative to dir. It creates dir, and
// overwrites existing files.
func Write(dir string, s Spec) (bundles map[models.Platform]string, err error) {
	s = s.withDefaults()
	if s.Label == "" {
		return nil, errors.New("bundle: an export needs a label")
	}
	assets, err := s.writeAssets(dir)
	if err != nil {
		return nil, err
	}
	bundles = map[models.Platform]string{}
	metadata := map[models.Platform]any{}
	for _, p := range []models.Platform{models.Android, models.IOS} {
		content := script(fmt.Sprintf("%s for %s", s.Label, p), s.BundleBytes)
		name := fmt.Sprintf("_expo/static/js/%s/index-%s.hbc", p, md5Hex(content))
		if err := write(dir, name, content); err != nil {
			return nil, err
		}
		bundles[p] = name
		metadata[p] = map[string]any{"bundle": name, "assets": assets}
	}
	return bundles, errors.Join(
		writeJSON(dir, "metadata.json", map[string]any{"version": 0, "bundler": "metro", "fileMetadata": metadata}),
		writeJSON(dir, "expoConfig.json", map[string]any{
			"name": "Waft demo", "slug": "waft-demo", "runtimeVersion": s.RuntimeVersion,
			"extra": map[string]any{"label": s.Label},
		}))
}

func (s Spec) writeAssets(dir string) (assets []map[string]string, err error) {
	for i := range s.Assets + 1 {
		name := fmt.Sprintf("asset %d", i)
		if i == s.Assets {
			name = "asset of " + s.Label
		}
		content := picture(name, s.AssetBytes)
		path := "assets/" + md5Hex(content)
		if err := write(dir, path, content); err != nil {
			return nil, err
		}
		assets = append(assets, map[string]string{"path": path, "ext": "png"})
	}
	return assets, nil
}

func (s Spec) withDefaults() Spec {
	s.RuntimeVersion = cmp.Or(s.RuntimeVersion, "1.0.0")
	s.BundleBytes = cmp.Or(s.BundleBytes, 1<<20)
	s.Assets = cmp.Or(s.Assets, 6)
	s.AssetBytes = cmp.Or(s.AssetBytes, 24<<10)
	return s
}

func writeJSON(dir, name string, v any) error {
	content, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return write(dir, name, append(content, '\n'))
}

func write(dir, name string, content []byte) error {
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, content, 0o644)
}

func md5Hex(content []byte) string {
	sum := md5.Sum(content)
	return hex.EncodeToString(sum[:])
}

var hermesMagic = []byte{0xc6, 0x1f, 0xbc, 0x03, 0xc1, 0x03, 0x19, 0x1f}

// script returns size bytes that begin like Hermes bytecode, contain the label, and otherwise compress like the text of
// a program.
func script(label string, size int) []byte {
	var b bytes.Buffer
	b.Grow(size + 128)
	b.Write(hermesMagic)
	fmt.Fprintf(&b, "\n// release: %s\n", label)
	// All labels use the same seed, because two versions of an app have most of their text in common.
	random := source("script")
	for b.Len() < size {
		fmt.Fprintf(&b, "__d(function(g,r,i,a,m,e,d){var _%x=r(d[%d]);e.%s=_%x.%s(%d)},%d,[%d]);\n",
			random.Uint32(), random.IntN(9), word(random), random.Uint32(), word(random), random.IntN(1000),
			random.IntN(9000), random.IntN(9000))
	}
	return b.Bytes()[:max(size, len(hermesMagic)+len(label)+14)]
}

// picture returns size bytes that begin like a PNG and do not compress.
func picture(name string, size int) []byte {
	content := []byte("\x89PNG\r\n\x1a\n")
	for random := source(name); len(content) < size; {
		content = binary.LittleEndian.AppendUint64(content, random.Uint64())
	}
	return content
}

func source(seed string) *rand.Rand {
	sum := sha256.Sum256([]byte(seed))
	return rand.New(rand.NewPCG(binary.LittleEndian.Uint64(sum[:8]), binary.LittleEndian.Uint64(sum[8:16])))
}

func word(r *rand.Rand) string {
	words := []string{"render", "basket", "price", "useState", "navigate", "measure", "catalogue", "onPress", "style"}
	return words[r.IntN(len(words))]
}

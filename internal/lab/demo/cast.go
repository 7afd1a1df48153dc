package demo

import (
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/lab/fleet/bundle"
	"github.com/waft-ota/waft/models"
)

// Labels of the three releases, in their order, and names of the export folders.
const (
	Stable = "stable"
	Next   = "next"
	Broken = "broken"
)

// platforms are in the order in which they are published and shown.
var platforms = []models.Platform{models.Android, models.IOS}

// Cast are the exports of the releases, by label.
type Cast map[string]Part

// Part is one release's export.
type Part struct {
	Dir string
	// Made reports that the export was generated here and not built by Expo.
	Made bool
	// Bundles are the MD5s of the launch assets in hex, by platform. They identify the
	// release that a device runs.
	Bundles map[models.Platform]string
}

// FindCast finds each release's export in the folder of its label inside exports, and
// generates missing ones in scratch.
func FindCast(exports, scratch, runtimeVersion string) (Cast, error) {
	cast := Cast{}
	for _, label := range []string{Stable, Next, Broken} {
		part := Part{Dir: filepath.Join(exports, label)}
		if _, err := os.Stat(filepath.Join(part.Dir, "metadata.json")); exports == "" || err != nil {
			part.Dir, part.Made = filepath.Join(scratch, label), true
			if _, err := bundle.Write(part.Dir, bundle.Spec{Label: label, RuntimeVersion: runtimeVersion}); err != nil {
				return nil, err
			}
		}
		var err error
		if part.Bundles, err = launchFiles(part.Dir); err != nil {
			return nil, err
		}
		cast[label] = part
	}
	return cast, cast.check()
}

// check returns an error when two releases have the same bundle.
func (c Cast) check() error {
	owner := map[string]string{}
	for label, part := range c {
		for _, p := range platforms {
			if other, taken := owner[part.Bundles[p]]; taken && other != label {
				return fmt.Errorf("the exports %s and %s have the same bundle, so what a device runs would not say which release it has",
					other, label)
			}
			owner[part.Bundles[p]] = label
		}
	}
	return nil
}

// labelOf is the label of the release with the bundle, or "".
func (c Cast) labelOf(bundleMD5 string) string {
	for label, part := range c {
		for _, md5 := range part.Bundles {
			if md5 == bundleMD5 {
				return label
			}
		}
	}
	return ""
}

func launchFiles(dir string) (map[models.Platform]string, error) {
	sums := map[models.Platform]string{}
	for _, p := range platforms {
		e, err := client.OpenExport(dir, p)
		if err != nil {
			return nil, err
		}
		content, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(e.Bundle)))
		if err != nil {
			return nil, err
		}
		sum := md5.Sum(content)
		sums[p] = hex.EncodeToString(sum[:])
	}
	return sums, nil
}

package demo

import (
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/fleet/bundle"
	"github.com/waft-ota/waft/models"
)

// Labels of the three releases, in the order in which they appear. They are also
// the names of the export folders.
const (
	Stable = "stable"
	Next   = "next"
	Broken = "broken"
)

// platforms in the order in which they are published and shown.
var platforms = []models.Platform{models.Android, models.IOS}

// Cast are the exports that the releases are made of, by label.
type Cast map[string]Part

// Part is one release's export.
type Part struct {
	Label string
	Dir   string
	// Made says that the export was made here and not built by Expo.
	Made bool
	// Bundles are the MD5s of the launch files in hex, by platform. A device that
	// runs a bundle runs this release, whatever release it came with.
	Bundles map[models.Platform]string
}

// FindCast takes each release's export from the folder of its label inside
// exports, and makes those that are missing in scratch.
func FindCast(exports, scratch, runtimeVersion string) (Cast, error) {
	cast := Cast{}
	for _, label := range []string{Stable, Next, Broken} {
		part := Part{Label: label, Dir: filepath.Join(exports, label)}
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

// check makes sure that the releases can be told apart by what runs.
func (c Cast) check() error {
	owner := map[string]string{}
	for label, part := range c {
		for _, p := range platforms {
			if other, taken := owner[part.Bundles[p]]; taken && other != label {
				return fmt.Errorf("the exports %s and %s have the same bundle: a device would not tell which one it runs",
					other, label)
			}
			owner[part.Bundles[p]] = label
		}
	}
	return nil
}

// labelOf is the label of the release with the bundle, "" when it is none of the
// cast.
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
		if sums[p], err = md5File(filepath.Join(dir, filepath.FromSlash(e.Bundle))); err != nil {
			return nil, err
		}
	}
	return sums, nil
}

func md5File(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	sum := md5.New()
	if _, err := io.Copy(sum, file); err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

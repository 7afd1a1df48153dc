package client

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/waft-ota/waft/models"
)

// Export is a folder that `expo export` wrote, as far as one platform goes.
type Export struct {
	Dir      string
	Platform models.Platform
	// Files are the platform's files inside Dir, with forward slashes, the bundle
	// first.
	Files []string
	// Bundle is the launch file inside Dir. It is "" if the folder does not identify the launch file, so that the server has to
	// find it.
	Bundle string
	// SourceMaps are the source maps of the files inside Dir that may be the bundle.
	SourceMaps []string
	// HasMetadata and HasConfig are true if metadata.json and expoConfig.json exist.
	HasMetadata bool
	HasConfig   bool
}

const (
	metadataFile = "metadata.json"
	configFile   = "expoConfig.json"
	mapExtension = ".map"
)

// OpenExport looks through an export folder. With a metadata.json only what it
// names for the platform is taken, without one every file that is not another
// platform's.
func OpenExport(dir string, platform models.Platform) (Export, error) {
	root := os.DirFS(dir)
	e := Export{Dir: dir, Platform: platform, HasConfig: exists(root, configFile)}
	text, err := fs.ReadFile(root, metadataFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = e.takeFiles(root)
	case err == nil:
		e.HasMetadata = true
		err = e.takeMetadata(root, text)
	}
	if err != nil {
		return Export{}, fmt.Errorf("the export in %s: %w", dir, err)
	}
	for _, name := range e.Files {
		if e.Bundle != "" && name != e.Bundle {
			continue
		}
		if m := name + mapExtension; exists(root, m) {
			e.SourceMaps = append(e.SourceMaps, m)
		}
	}
	return e, nil
}

// takeMetadata lists the files that metadata.json names.
func (e *Export) takeMetadata(root fs.FS, text []byte) error {
	var metadata struct {
		FileMetadata map[models.Platform]struct {
			Bundle string `json:"bundle"`
			Assets []struct {
				Path string `json:"path"`
			} `json:"assets"`
		} `json:"fileMetadata"`
	}
	if err := json.Unmarshal(text, &metadata); err != nil {
		return fmt.Errorf("%s: %w", metadataFile, err)
	}
	files, ok := metadata.FileMetadata[e.Platform]
	if !ok || files.Bundle == "" {
		return fmt.Errorf("%s does not name a bundle for %s; export it with --platform %s", metadataFile, e.Platform, e.Platform)
	}
	e.Bundle = slashed(files.Bundle)
	e.Files = []string{e.Bundle}
	for _, a := range files.Assets {
		// Two modules may use one file, which then is named twice.
		if p := slashed(a.Path); !slices.Contains(e.Files, p) {
			e.Files = append(e.Files, p)
		}
	}
	for _, name := range e.Files {
		if !exists(root, name) {
			return fmt.Errorf("%s names %s, which is not there", metadataFile, name)
		}
	}
	return nil
}

// takeFiles lists the folder for want of a metadata.json.
func (e *Export) takeFiles(root fs.FS) error {
	err := fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			parent := path.Dir(name)
			if parent == "_expo/static/js" && path.Base(name) != string(e.Platform) {
				return fs.SkipDir
			}
			return nil
		}
		if entry.Type().IsRegular() && name != configFile && path.Ext(name) != mapExtension {
			e.Files = append(e.Files, name)
		}
		return nil
	})
	if err == nil && len(e.Files) == 0 {
		return errors.New("there are no files")
	}
	return err
}

func exists(root fs.FS, name string) bool {
	info, err := fs.Stat(root, name)
	return err == nil && info.Mode().IsRegular()
}

// slashed turns what an export made on Windows says into a path of the wire.
func slashed(name string) string { return strings.ReplaceAll(name, `\`, "/") }

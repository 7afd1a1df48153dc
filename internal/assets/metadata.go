package assets

import (
	"encoding/json"
	"path"
	"strings"

	"github.com/waft-ota/waft/models"
)

// MetadataFile is the file of an Expo export that lists its bundles and assets. It is not an asset.
const MetadataFile = "metadata.json"

// MaxMetadataBytes is more than the metadata of the largest allowed build needs.
const MaxMetadataBytes = 4 << 20

// exportedFiles contains the files that an export's metadata lists for one platform.
type exportedFiles struct {
	Bundle string          `json:"bundle"`
	Assets []exportedAsset `json:"assets"`
}

// exportedAsset is a file whose name is its MD5. Ext is its extension without a dot.
type exportedAsset struct {
	Path string `json:"path"`
	Ext  string `json:"ext"`
}

// readMetadata returns the files that the metadata lists for the platform, or nil without metadata.
func readMetadata(metadata []byte, platform models.Platform) (*exportedFiles, error) {
	if len(metadata) == 0 {
		return nil, nil
	}
	var export struct {
		FileMetadata map[models.Platform]*exportedFiles `json:"fileMetadata"`
	}
	if err := json.Unmarshal(metadata, &export); err != nil {
		e := invalid("metadata.json does not come from an Expo export: it must be an object with fileMetadata")
		e.Cause = err
		return nil, e
	}
	files := export.FileMetadata[platform]
	if files == nil || files.Bundle == "" {
		return nil, invalid("metadata.json does not list a bundle for %s; export for this platform", platform)
	}
	files.Bundle = exportedPath(files.Bundle)
	for i := range files.Assets {
		files.Assets[i].Path = exportedPath(files.Assets[i].Path)
	}
	return files, nil
}

// exportedPath returns a path in the form that uploads use: metadata from Windows has backslashes.
func exportedPath(p string) string { return path.Clean(strings.ReplaceAll(p, `\`, "/")) }

// invalid returns a CodeInvalid error about the files of an upload.
func invalid(format string, args ...any) *models.Error {
	e := models.Errorf(models.CodeInvalid, format, args...)
	e.Fields = []models.FieldError{{Field: "assets", Message: e.Message}}
	return e
}

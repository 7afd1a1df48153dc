package assets

import (
	"encoding/json"
	"path"
	"strings"

	"github.com/waft-ota/waft/models"
)

// MetadataFile is the file of an Expo export that says which file is what. It is
// never an asset itself.
const MetadataFile = "metadata.json"

// MaxMetadataBytes is more than the metadata of the largest build that is allowed.
const MaxMetadataBytes = 4 << 20

// exportedFiles is what an export's metadata names for one platform.
type exportedFiles struct {
	Bundle string          `json:"bundle"`
	Assets []exportedAsset `json:"assets"`
}

// exportedAsset is a file whose name is its MD5, so that its extension, without a
// dot, has to be told.
type exportedAsset struct {
	Path string `json:"path"`
	Ext  string `json:"ext"`
}

// readMetadata is what the metadata of an export names for the platform, nil when
// there is no metadata.
func readMetadata(metadata []byte, platform models.Platform) (*exportedFiles, error) {
	if len(metadata) == 0 {
		return nil, nil
	}
	var export struct {
		FileMetadata map[models.Platform]*exportedFiles `json:"fileMetadata"`
	}
	if err := json.Unmarshal(metadata, &export); err != nil {
		e := invalid("metadata.json is not an Expo export's: it must be an object with fileMetadata")
		e.Cause = err
		return nil, e
	}
	files := export.FileMetadata[platform]
	if files == nil || files.Bundle == "" {
		return nil, invalid("metadata.json names no bundle for %s; export for this platform", platform)
	}
	files.Bundle = exportedPath(files.Bundle)
	for i := range files.Assets {
		files.Assets[i].Path = exportedPath(files.Assets[i].Path)
	}
	return files, nil
}

// exportedPath is a path as uploads have it: an export made on Windows names files
// with backslashes.
func exportedPath(p string) string { return path.Clean(strings.ReplaceAll(p, `\`, "/")) }

// invalid is CodeInvalid for the files of an upload.
func invalid(format string, args ...any) *models.Error {
	e := models.Errorf(models.CodeInvalid, format, args...)
	e.Fields = []models.FieldError{{Field: "assets", Message: e.Message}}
	return e
}

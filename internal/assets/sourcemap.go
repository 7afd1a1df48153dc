package assets

import (
	"io"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/waft-ota/waft/models"
)

// SourceMapContentType is the content type of source maps. It keeps them from being compressed when they are uploaded.
const SourceMapContentType = "application/octet-stream"

// mapExtension follows the name of the bundle in the name of a source map.
const mapExtension = ".map"

// FindSourceMap returns the source map of a build. files were uploaded as assets, and maps as source maps. If there are
// maps, it returns the only one, or the one named after the launch asset; if that is ambiguous, it returns CodeInvalid.
// Otherwise it returns the file whose path is the launch asset's path plus .map. ok is false if the build does not have
// a source map.
func FindSourceMap(build []models.BuildAsset, files, maps []Part) (found Part, ok bool, err error) {
	if len(maps) == 1 {
		return maps[0], true, nil
	}
	launch := slices.IndexFunc(build, func(a models.BuildAsset) bool { return a.IsLaunchAsset }) // Describe has found one
	name := build[launch].Path + mapExtension
	if len(maps) > 1 {
		named := withPart(maps, func(p Part) bool { return path.Base(p.Path) == path.Base(name) })
		if len(named) != 1 {
			e := models.Errorf(models.CodeInvalid, "there are %d source maps, but none is named %s; send only the source map of the bundle",
				len(maps), path.Base(name))
			e.Fields = []models.FieldError{{Field: "sourcemap", Message: e.Message}}
			return Part{}, false, e
		}
		return named[0], true, nil
	}
	beside := withPart(files, func(p Part) bool { return p.Path == name })
	if len(beside) == 0 {
		return Part{}, false, nil
	}
	return beside[0], true, nil
}

// isSourceMap reports whether a file is the source map of a bundle among the parts.
func isSourceMap(p Part, parts []Part) bool {
	bundle, isMap := strings.CutSuffix(p.Path, mapExtension)
	return isMap && slices.ContainsFunc(parts, func(o Part) bool {
		return o.Path == bundle && (o.IsBundle || hasBundleExtension(o))
	})
}

// Open opens the file for reading. The file must not be discarded before the reader is closed.
func (s *Staged) Open() (io.ReadCloser, error) {
	f, err := os.Open(s.path)
	if err != nil {
		return nil, models.Unavailable("the folder for uploads", err)
	}
	return f, nil
}

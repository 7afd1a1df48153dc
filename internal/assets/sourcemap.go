package assets

import (
	"io"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/waft-ota/waft/models"
)

// SourceMapContentType keeps source maps from being compressed at their upload.
const SourceMapContentType = "application/octet-stream"

// mapExtension ends the name of a source map, after that of its bundle.
const mapExtension = ".map"

// FindSourceMap returns the source map of a build among the files that were uploaded as assets and those that were uploaded as
// source maps: of the latter the only one, or else the one named like the launch asset; otherwise the file beside the launch
// asset. ok is false when there is none. Several that could be it are CodeInvalid.
func FindSourceMap(build []models.BuildAsset, files, maps []Part) (found Part, ok bool, err error) {
	if len(maps) == 1 {
		return maps[0], true, nil
	}
	launch := slices.IndexFunc(build, func(a models.BuildAsset) bool { return a.IsLaunchAsset }) // Describe found one
	name := build[launch].Path + mapExtension
	if len(maps) > 1 {
		named := withPart(maps, func(p Part) bool { return path.Base(p.Path) == path.Base(name) })
		if len(named) != 1 {
			e := models.Errorf(models.CodeInvalid, "there are %d source maps and not one of them is named %s; send the one of the bundle",
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

// Open reads the file, which must not be discarded before the reader is closed.
func (s *Staged) Open() (io.ReadCloser, error) {
	f, err := os.Open(s.path)
	if err != nil {
		return nil, models.Unavailable("the folder for uploads", err)
	}
	return f, nil
}

// Package builds implements the endpoints for uploads.
package builds

import (
	"cmp"
	"log/slog"

	"github.com/waft-ota/waft/api/access"
	"github.com/waft-ota/waft/api/rest"
)

// Handlers handle uploads.
type Handlers struct {
	Builds         Builds
	Blobs          Blobs
	Files          Files
	FileParts      FileParts
	Stager         Stager
	SourceMaps     SourceMaps
	SourceMapStore SourceMapStore
	Idempotency    rest.Idempotency
	Limits         Limits
	Log            *slog.Logger
}

// Open passes in what the handlers share with the rest of the API. It returns an error that names missing
// dependencies.
func (h *Handlers) Open(shared access.Shared) error {
	h.Idempotency, h.Log = shared.Idempotency, shared.Log
	if err := rest.Complete("builds", *h); err != nil {
		return err
	}
	h.Limits = h.Limits.withDefaults()
	return nil
}

// Limits limits uploads. A zero field stands for its default.
type Limits struct {
	FileBytes  int64 // maximum size of a file; default 200 MiB
	BuildBytes int64 // maximum size of all files of a build; default 1 GiB
	BuildFiles int   // maximum number of files of a build; default 5,000
	// SourceMapBytes is the maximum size of a source map. The default is 100 MiB.
	SourceMapBytes int64
}

func (l Limits) withDefaults() Limits {
	return Limits{
		FileBytes:      cmp.Or(l.FileBytes, 200<<20),
		BuildBytes:     cmp.Or(l.BuildBytes, 1<<30),
		BuildFiles:     cmp.Or(l.BuildFiles, 5000),
		SourceMapBytes: cmp.Or(l.SourceMapBytes, 100<<20),
	}
}

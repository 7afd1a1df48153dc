// Package builds has the endpoints that take uploads.
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

// Open gives the handlers what the API shares, before they serve. The error names what is missing.
func (h *Handlers) Open(shared access.Shared) error {
	h.Idempotency, h.Log = shared.Idempotency, shared.Log
	if err := rest.Complete("builds", *h); err != nil {
		return err
	}
	h.Limits = h.Limits.withDefaults()
	return nil
}

// Limits bound uploads. A zero field stands for its default.
type Limits struct {
	FileBytes  int64 // one file of a build; 200 MiB
	BuildBytes int64 // all files of a build; 1 GiB
	BuildFiles int   // 5,000
	// SourceMapBytes is the largest source map; 100 MiB.
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

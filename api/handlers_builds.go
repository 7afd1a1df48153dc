package api

import (
	"cmp"
	"log/slog"
)

// BuildsHandlers handle uploads.
type BuildsHandlers struct {
	Builds         Builds
	Blobs          Blobs
	Files          Files
	FileParts      FileParts
	Stager         Stager
	SourceMaps     SourceMaps
	SourceMapStore SourceMapStore
	Idempotency    Idempotency
	Limits         UploadLimits
	Log            *slog.Logger
}

// NewBuildsHandlers returns the handlers, or an error that names what is missing.
func NewBuildsHandlers(h BuildsHandlers) (*BuildsHandlers, error) {
	if err := complete("builds", h); err != nil {
		return nil, err
	}
	h.Limits = h.Limits.withDefaults()
	return &h, nil
}

// UploadLimits bound uploads. A zero field stands for its default.
type UploadLimits struct {
	FileBytes  int64 // one file of a build; 200 MiB
	BuildBytes int64 // all files of a build; 1 GiB
	BuildFiles int   // 5,000
	// SourceMapBytes is the largest source map; 100 MiB.
	SourceMapBytes int64
}

func (l UploadLimits) withDefaults() UploadLimits {
	return UploadLimits{
		FileBytes:      cmp.Or(l.FileBytes, 200<<20),
		BuildBytes:     cmp.Or(l.BuildBytes, 1<<30),
		BuildFiles:     cmp.Or(l.BuildFiles, 5000),
		SourceMapBytes: cmp.Or(l.SourceMapBytes, 100<<20),
	}
}

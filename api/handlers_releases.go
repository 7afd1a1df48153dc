package api

import (
	"context"

	"github.com/google/uuid"
)

// BuildIDs finds builds by their UUIDs.
type BuildIDs interface {
	BuildID(ctx context.Context, projectID int64, id uuid.UUID) (int64, error)
}

// ReleasesHandlers handle releases, branches, channels and user overrides.
type ReleasesHandlers struct {
	Releases      Releases
	Builds        BuildIDs
	Branches      Branches
	Channels      Channels
	UserOverrides UserOverrides
	Patches       Patches
	Snapshots     Snapshots
}

// NewReleasesHandlers returns the handlers, or an error that names what is missing.
func NewReleasesHandlers(h ReleasesHandlers) (*ReleasesHandlers, error) {
	if err := complete("releases", h); err != nil {
		return nil, err
	}
	return &h, nil
}

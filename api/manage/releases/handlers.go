// Package releases has the endpoints of releases, branches, channels and user overrides.
package releases

import (
	"context"

	"github.com/google/uuid"

	"github.com/waft-ota/waft/api/rest"
)

// BuildIDs finds builds by their UUIDs.
type BuildIDs interface {
	BuildID(ctx context.Context, projectID int64, id uuid.UUID) (int64, error)
}

// Handlers handle releases, branches, channels and user overrides.
type Handlers struct {
	Releases      Releases
	Builds        BuildIDs
	Branches      Branches
	Channels      Channels
	UserOverrides UserOverrides
	Patches       Patches
	Snapshots     Snapshots
}

// New returns the handlers, or an error that names what is missing.
func New(h Handlers) (*Handlers, error) {
	if err := rest.Complete("releases", h); err != nil {
		return nil, err
	}
	return &h, nil
}

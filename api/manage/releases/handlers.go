// Package releases has the endpoints of releases, branches, channels and user overrides.
package releases

import (
	"context"

	"github.com/google/uuid"

	"github.com/waft-ota/waft/activities/operations"
	"github.com/waft-ota/waft/api/access"
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
	Operations    *operations.Operations
}

// Open gives the handlers what the API shares, before they serve. The error names what is missing.
func (h *Handlers) Open(shared access.Shared) error {
	h.Operations = shared.Operations
	return rest.Complete("releases", *h)
}

// Package releases implements the endpoints of releases, branches, channels and user overrides.
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

// Open passes in what the handlers share with the rest of the API. It returns an error that names missing
// dependencies.
func (h *Handlers) Open(shared access.Shared) error {
	h.Operations = shared.Operations
	return rest.Complete("releases", *h)
}

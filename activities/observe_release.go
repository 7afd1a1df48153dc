package activities

import (
	"context"

	"github.com/waft-ota/waft/models"
)

// HealthSource says how devices fare with a release.
type HealthSource interface {
	ReleaseHealth(ctx context.Context, q models.HealthQuery) (models.ReleaseHealth, error)
}

// ObserveRelease reads the health of a release. It fails rather than answer with
// less than everything that devices reported.
func (a *Activities) ObserveRelease(ctx context.Context, q models.HealthQuery) (models.ReleaseHealth, error) {
	health, err := a.Health.ReleaseHealth(ctx, q)
	return health, classify(err)
}

package activities

import (
	"context"
	"time"

	"github.com/google/uuid"
	"go.temporal.io/sdk/activity"

	"github.com/waft-ota/waft/models"
)

// PatchStore keeps the state of patches.
type PatchStore interface {
	// PatchCandidates is not_found for a release that is deleted.
	PatchCandidates(ctx context.Context, projectID, releaseID int64) (models.PatchCandidates, error)
	// BeginPatches returns the patches of the plan that are still to be made.
	BeginPatches(ctx context.Context, projectID int64, target string, bases []models.PatchBase) ([]models.PatchJob, error)
	// FinishPatch is harmless to repeat, and not_found when a content is gone.
	FinishPatch(ctx context.Context, j models.PatchJob, o models.PatchOutcome) error
}

// RunningUpdates knows what devices run.
type RunningUpdates interface {
	// SeenUpdates are those of the updates that a device reported with since then.
	SeenUpdates(ctx context.Context, projectID int64, updates []string, since time.Time) ([]string, error)
}

// seenTimeout is how long planning waits for telemetry, without which it can do.
const seenTimeout = 5 * time.Second

// PlanPatches decides against which bases patches to a release are made, notes them
// as pending, and returns those that are not made yet. A release that is gone has
// none.
func (a *Activities) PlanPatches(ctx context.Context, b models.PatchBuild) ([]models.PatchJob, error) {
	candidates, err := a.Patches.PatchCandidates(ctx, b.ProjectID, b.ReleaseID)
	if models.CodeOf(err) == models.CodeNotFound {
		return nil, nil
	}
	if err != nil {
		return nil, classify(err)
	}
	plan := models.PlanPatches(candidates, a.running(ctx, b.ProjectID, candidates), a.PatchBases)
	jobs, err := a.Patches.BeginPatches(ctx, b.ProjectID, candidates.TargetMD5, plan)
	return jobs, classify(err)
}

// running are those of the candidates that devices run, as far as telemetry knows.
func (a *Activities) running(ctx context.Context, projectID int64, c models.PatchCandidates) map[uuid.UUID]bool {
	ctx, cancel := context.WithTimeout(ctx, seenTimeout)
	defer cancel()
	updates := make([]string, len(c.Releases))
	for i, r := range c.Releases {
		updates[i] = r.UpdateUUID.String()
	}
	seen, err := a.Running.SeenUpdates(ctx, projectID, updates, time.Now().Add(-models.RunningWithin))
	if err != nil {
		activity.GetLogger(ctx).Warn("patches are planned without telemetry", "project", projectID, "error", err)
	}
	running := make(map[uuid.UUID]bool, len(seen))
	for _, update := range seen {
		if id, err := uuid.Parse(update); err == nil {
			running[id] = true
		}
	}
	return running
}

package activities

import (
	"context"
	"time"

	"github.com/google/uuid"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/temporal"

	"github.com/waft-ota/waft/models"
)

// PatchStore stores the state of patches.
type PatchStore interface {
	// PatchCandidates returns not_found for a deleted release.
	PatchCandidates(ctx context.Context, projectID, releaseID int64) (models.PatchCandidates, error)
	// BeginPatches records the planned patches and returns the patches that do not exist yet.
	BeginPatches(ctx context.Context, projectID int64, target string, bases []models.PatchBase) ([]models.PatchJob, error)
	// FinishPatch may be repeated. It returns not_found if one of the files was deleted.
	FinishPatch(ctx context.Context, j models.PatchJob, o models.PatchOutcome) error
}

// RunningUpdates finds the updates that devices run.
type RunningUpdates interface {
	// SeenUpdates returns the given updates that devices have reported since then.
	SeenUpdates(ctx context.Context, projectID int64, updates []string, since time.Time) ([]string, error)
}

// seenTimeout is the maximum time for the query of telemetry. Planning continues without its result.
const seenTimeout = 5 * time.Second

// variantsTimeout is how long patches wait for the compressed variants of their target. A patch is offered only if it
// is smaller than these.
const variantsTimeout = 15 * time.Minute

// errorTypePending is the type of the error of a plan that waits for variants.
const errorTypePending = "pending"

// PlanPatches chooses the bases of the patches to a release, records the patches as pending, and returns the patches
// that do not exist yet. For a deleted release it returns nothing.
func (a *Activities) PlanPatches(ctx context.Context, b models.PatchBuild) ([]models.PatchJob, error) {
	candidates, err := a.Patches.PatchCandidates(ctx, b.ProjectID, b.ReleaseID)
	if models.CodeOf(err) == models.CodeNotFound {
		return nil, nil
	}
	if err != nil {
		return nil, classify(err)
	}
	if candidates.TargetPending && time.Since(activity.GetInfo(ctx).ScheduledTime) < variantsTimeout {
		return nil, temporal.NewApplicationErrorWithOptions("the compressed variants of the bundle are being created; the patches wait for them",
			errorTypePending, temporal.ApplicationErrorOptions{NextRetryDelay: time.Second})
	}
	plan := models.PlanPatches(candidates, a.running(ctx, b.ProjectID, candidates), a.PatchBases)
	jobs, err := a.Patches.BeginPatches(ctx, b.ProjectID, candidates.TargetMD5, plan)
	return jobs, classify(err)
}

// running returns the candidates that devices run, according to telemetry.
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

// Package rollouts implements the endpoints of rollout policies, rollouts, emergency stops and previews.
package rollouts

import (
	"context"
	"log/slog"
	"time"

	"github.com/waft-ota/waft/activities/operations"
	"github.com/waft-ota/waft/api/access"
	"github.com/waft-ota/waft/api/limit"
	"github.com/waft-ota/waft/api/manage/releases"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

// StreamActivities reads the recent activity of devices.
type StreamActivities interface {
	// StreamActivity returns the recent activity of the devices of each target, in any order. The caller must not
	// change it.
	StreamActivity(ctx context.Context, projectID int64, now time.Time) ([]models.StreamActivity, error)
}

// Activity counts the devices of a project.
type Activity interface {
	// SeenDevices returns the devices of some channels that reported in the last models.OverviewHours.
	SeenDevices(ctx context.Context, projectID int64, q models.PreviewQuery, now time.Time) (models.SeenDevices, error)
}

// Handlers handle rollout policies, rollouts, emergency stops and previews.
type Handlers struct {
	Policies         Policies
	Executions       Executions
	EmergencyStops   EmergencyStops
	Previews         Previews
	Changes          Changes
	Observed         Observed
	Activity         Activity
	StreamActivities StreamActivities
	// Releases makes the calls about releases that previews undo.
	Releases *releases.Handlers
	// TemporalUI makes links to the workflows of rollouts.
	TemporalUI rest.TemporalUI
	Gate       *access.Gate
	Operations *operations.Operations
	Log        *slog.Logger
	Now        func() time.Time

	previewTurns *limit.Turns
}

// previewsTogether is the number of previews of different projects that run at the same time.
const previewsTogether = 4

// Open passes in what the handlers share with the rest of the API. It returns an error that names missing
// dependencies.
func (h *Handlers) Open(shared access.Shared) error {
	h.Operations, h.Gate, h.Log, h.Now = shared.Operations, shared.Gate, shared.Log, shared.Now
	if err := rest.Complete("rollouts", *h); err != nil {
		return err
	}
	h.previewTurns = limit.NewTurns("too many previews are running; try again in a moment", previewsTogether)
	return nil
}

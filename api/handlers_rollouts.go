package api

import (
	"context"
	"log/slog"
	"time"

	"github.com/waft-ota/waft/models"
)

// Activity counts the devices of a project.
type Activity interface {
	// StreamActivity returns what devices of each stream did lately, in no order.
	StreamActivity(ctx context.Context, projectID int64, now time.Time) ([]models.StreamActivity, error)
	// SeenDevices returns the devices of some channels that reported in the last models.OverviewHours.
	SeenDevices(ctx context.Context, projectID int64, q models.PreviewQuery, now time.Time) (models.SeenDevices, error)
}

// RolloutsHandlers handle rollout policies, rollouts, emergency stops and previews.
type RolloutsHandlers struct {
	Policies        Policies
	Executions      Executions
	RolloutCommands RolloutCommands
	EmergencyStops  EmergencyStops
	Previews        Previews
	Changes         Changes
	Observed        Observed
	Activity        Activity
	// Releases make the calls about releases that previews undo.
	Releases *ReleasesHandlers
	Gate     *Gate
	Log      *slog.Logger
	Now      func() time.Time

	previewTurns *turns
}

// NewRolloutsHandlers returns the handlers, or an error that names what is missing.
func NewRolloutsHandlers(h RolloutsHandlers) (*RolloutsHandlers, error) {
	if err := complete("rollouts", h); err != nil {
		return nil, err
	}
	h.previewTurns = newTurns("too many previews of this project, or of others, are asked for at once; ask again in a moment")
	return &h, nil
}

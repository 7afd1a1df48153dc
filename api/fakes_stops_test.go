package api

import (
	"context"

	"github.com/waft-ota/waft/models"
)

type fakeStops struct{}

func (fakeStops) EmergencyStop(context.Context, int64) (models.EmergencyStop, bool, error) {
	return models.EmergencyStop{}, false, nil
}

func (fakeStops) StopProject(_ context.Context, _ int64, _ models.Actor, n models.NewEmergencyStop) (models.EmergencyStop, error) {
	return models.EmergencyStop{Reason: n.Reason, StoppedAt: now}, nil
}

func (fakeStops) ResumeProject(context.Context, int64, models.Actor) error { return nil }

package rollouts

import (
	"context"
	"slices"
	"time"

	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

// Observed reads the observations of rollouts.
type Observed interface {
	// RolloutObservations returns the observations of a rollout between two moments, newest first, thinned to limit.
	RolloutObservations(
		ctx context.Context, projectID, executionID int64, from, until time.Time, limit int,
	) ([]models.RolloutObservation, error)
}

var listLooksDoc = rest.Doc(tagExecutions, "listRolloutLooks", "Show the curve of a rollout",
	"Returns the observations of the rollout, newest first. A short rollout has an observation every few seconds while "+
		"devices report. A longer one is thinned to as many observations as limit, at even distances. The first observation "+
		"of each stage is always included. Observations are kept for 400 days.")

type listLooksInput struct {
	rest.IDPath
	Limit int `query:"limit" default:"500" minimum:"1" maximum:"2000" doc:"Maximum number of observations to return."`
}

func (h *Handlers) listLooks(ctx context.Context, in *listLooksInput) (*rest.Output[[]RolloutLook], error) {
	e, err := h.Executions.Execution(ctx, rest.ProjectOf(ctx), in.ID)
	if err != nil {
		return nil, err
	}
	until := h.Now()
	if e.EndedAt != nil {
		until = *e.EndedAt
	}
	found, err := h.Observed.RolloutObservations(ctx, rest.ProjectOf(ctx), e.ID, e.StartedAt, until, in.Limit)
	if err != nil {
		return nil, err
	}
	if e.Health != nil { // the newest observation may not be stored yet, or was left out
		newest := models.ObservationOf(e, *e.Health)
		if len(found) == 0 || newest.At.Truncate(time.Millisecond).After(found[0].At) {
			found = models.ThinObservations(slices.Insert(found, 0, newest), in.Limit)
		}
	}
	return &rest.Output[[]RolloutLook]{Body: rest.Rendered(found, rolloutLook)}, nil
}

// RolloutLook is one observation of a rollout.
type RolloutLook struct {
	At             rest.Time   `json:"at"`
	StageIndex     int         `json:"stageIndex" doc:"Index of the stage, beginning at 0."`
	Percentage     float64     `json:"percentage" doc:"Percentage of devices that got the release."`
	Devices        int64       `json:"devices" doc:"Number of counted devices, as in the rollout's health."`
	ErroredDevices int64       `json:"erroredDevices" doc:"Number of these devices with an error or a crash."`
	CrashedDevices int64       `json:"crashedDevices" doc:"Number of these devices with a crash."`
	ErrorRate      float64     `json:"errorRate" doc:"Percentage of devices with an error or a crash."`
	CrashRate      float64     `json:"crashRate" doc:"Percentage of devices with a crash."`
	Evidence       float64     `json:"evidence" doc:"Evidence, as in the rollout's health."`
	IgnoredDevices int64       `json:"ignoredDevices" doc:"Number of devices that sent a report with the release and are not counted."`
	Events         []EventLook `json:"events" doc:"Custom events for which the policy has thresholds."`
}

func rolloutLook(o models.RolloutObservation) RolloutLook {
	return RolloutLook{
		At: rest.Time{Time: o.At}, StageIndex: o.StageIndex, Percentage: o.Percentage, Devices: o.Devices, ErroredDevices: o.ErroredDevices,
		CrashedDevices: o.CrashedDevices, ErrorRate: rest.Percent(o.ErrorRate()), CrashRate: rest.Percent(o.CrashRate()), Evidence: o.Evidence,
		IgnoredDevices: o.IgnoredDevices, Events: rest.Rendered(o.Events, eventLook),
	}
}

func (RolloutLook) Example() any {
	return RolloutLook{
		At: rest.ExampleTime, Percentage: 5, Devices: 231, ErroredDevices: 2, ErrorRate: 0.866, Evidence: 0.4, IgnoredDevices: 3,
		Events: exampleEventLooks(),
	}
}

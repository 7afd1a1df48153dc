package client

import "github.com/waft-ota/waft/models"

// Model returns the rollout as a type of the domain model.
func (e RolloutExecution) Model() models.RolloutExecution {
	out := models.RolloutExecution{
		ID: e.ID, PolicyID: e.PolicyID, PolicyName: e.PolicyName, UpdateID: e.UpdateID, UpdateUUID: e.UpdateUUID,
		GroupID: e.GroupID, Channel: e.Channel, Platform: models.Platform(e.Platform), RuntimeVersion: e.RuntimeVersion,
		Status: models.ExecutionStatus(e.Status), StageIndex: int(e.StageIndex), Thresholds: e.Thresholds.model(),
		Percentage: e.Percentage, Reason: e.Reason, Health: e.Health.model(), StartedAt: e.StartedAt,
		StageStartedAt: e.StageStartedAt, PausedAt: e.PausedAt, EndedAt: e.EndedAt,
		WorkflowID: e.WorkflowID, RunID: e.RunID, Schedule: e.Schedule.Model(),
	}
	for _, l := range e.LinkedFlags {
		out.LinkedFlags = append(out.LinkedFlags, models.LinkedFlag{FlagID: l.FlagID, FlagKey: l.FlagKey, Enabled: l.Enabled})
	}
	if e.WaitingFor != nil {
		out.WaitingFor = models.WaitReason(*e.WaitingFor)
	}
	for _, s := range e.Stages {
		out.Stages = append(out.Stages, s.model())
	}
	for _, t := range e.Timeline {
		out.Timeline = append(out.Timeline, models.RolloutEvent{
			ExecutionID: e.ID, At: t.At, Event: models.RolloutEventKind(t.Event), Actor: t.Actor,
			FromStage: int(t.FromStage), ToStage: int(t.ToStage), Percentage: t.Percentage, Reason: t.Reason,
			Health: t.Health.model(),
		})
	}
	return out
}

// Model returns the release as a type of the domain model, without the fields that only the server knows.
func (u Update) Model() models.Release {
	return models.Release{
		ID: u.ID, UpdateUUID: u.UpdateUUID, GroupID: u.GroupID, BuildID: u.BuildID, BranchName: u.BranchName,
		Channel: u.Channel, Platform: models.Platform(u.Platform), RuntimeVersion: u.RuntimeVersion,
		IsEnabled: u.IsEnabled, IsCritical: u.IsCritical, RolloutPercentage: u.RolloutPercentage,
		ReleaseMessage: u.ReleaseMessage, Kind: models.ReleaseKind(u.Kind), RepublishedFromID: u.RepublishedFromID,
		RolledBackUpdateIDs: u.RolledBackUpdateIds, RolloutExecutionID: u.RolloutExecutionID,
		CreatedAt: u.CreatedAt, UpdatedAt: u.UpdatedAt,
	}
}

func (h *Health) model() *models.Observation {
	if h == nil {
		return nil
	}
	return &models.Observation{
		ReleaseHealth: models.ReleaseHealth{
			Devices: h.Devices, Launches: h.Launches, ErroredDevices: h.ErroredDevices, CrashedDevices: h.CrashedDevices,
			Votes: models.Votes{
				Networks: h.Votes.Networks, Allocations: h.Votes.Allocations, Weight: h.Votes.Weight,
				Errored: models.Tally{Sum: h.Votes.Errored}, Crashed: models.Tally{Sum: h.Votes.Crashed},
			},
			Events: eventHealth(h.Events),
		},
		ErrorRate: h.ErrorRate, CrashRate: h.CrashRate, Evidence: h.Evidence, CheckedAt: h.CheckedAt,
	}
}

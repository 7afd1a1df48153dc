package client

import (
	"context"
	"fmt"

	"github.com/waft-ota/waft/models"
)

// EnsurePolicy returns the ID of the project's policy with the name of p. It creates the policy if it does not exist.
func (w *Waft) EnsurePolicy(ctx context.Context, p models.NewRolloutPolicy) (int64, error) {
	found, err := w.FindPolicy(ctx, p.Name)
	if err != nil {
		return 0, err
	}
	if found != nil {
		return found.ID, nil
	}
	body := CreatePolicyBody{
		Name: p.Name, Description: &p.Description, Channel: p.Channel, IsActive: &p.IsActive, Thresholds: new(thresholdsBody(p.Thresholds)),
	}
	for _, s := range p.Stages {
		stage := Stage{Percentage: s.Percentage, MinDevices: &s.MinDevices, MinDurationMinutes: &s.MinDurationMinutes}
		if s.Thresholds != nil {
			stage.Thresholds = new(thresholdsBody(*s.Thresholds))
		}
		body.Stages = append(body.Stages, stage)
	}
	addSchedule(&body, p.Schedule)
	res, err := w.CreateRolloutPolicyWithResponse(ctx, &CreateRolloutPolicyParams{}, body)
	if err != nil {
		return 0, fmt.Errorf("creating the policy %q: %w", p.Name, err)
	}
	created, err := expect(res.JSON201, res.HTTPResponse)
	if err != nil {
		return 0, err
	}
	return created.ID, nil
}

// thresholdsBody leaves out what is not set.
func thresholdsBody(t models.Thresholds) Thresholds {
	body := Thresholds{
		ErrorRate: t.ErrorRate, CrashRate: t.CrashRate, MinNetworks: t.MinNetworks, AllocationVotes: t.AllocationVotes,
		Events: eventLimitsBody(t.Events),
	}
	if t.Action != "" {
		body.Action = new(ThresholdsAction(t.Action))
	}
	if t.Method != "" {
		body.Method = new(ThresholdsMethod(t.Method))
	}
	if t.RollbackScope != "" {
		body.RollbackScope = new(ThresholdsRollbackScope(t.RollbackScope))
	}
	if t.Baseline != "" {
		body.Baseline = new(ThresholdsBaseline(t.Baseline))
	}
	return body
}

// addSchedule leaves out what is not set.
func addSchedule(body *CreatePolicyBody, s models.Schedule) {
	body.StartAt = s.StartAt
	if s.TimeZone != "" {
		body.TimeZone = &s.TimeZone
	}
	if len(s.FreezeWindows) == 0 {
		return
	}
	windows := make([]FreezeWindow, len(s.FreezeWindows))
	for i, w := range s.FreezeWindows {
		windows[i] = FreezeWindow{From: w.From, To: w.To}
		if len(w.Days) > 0 {
			days := make([]FreezeWindowDays, len(w.Days))
			for j, day := range w.Days {
				days[j] = FreezeWindowDays(day)
			}
			windows[i].Days = &days
		}
	}
	body.FreezeWindows = &windows
}

func (s Stage) model() models.Stage {
	out := models.Stage{Percentage: s.Percentage}
	if s.MinDevices != nil {
		out.MinDevices = *s.MinDevices
	}
	if s.MinDurationMinutes != nil {
		out.MinDurationMinutes = *s.MinDurationMinutes
	}
	if s.Thresholds != nil {
		t := s.Thresholds.model()
		out.Thresholds = &t
	}
	return out
}

func (t Thresholds) model() models.Thresholds {
	out := models.Thresholds{
		ErrorRate: t.ErrorRate, CrashRate: t.CrashRate, MinNetworks: t.MinNetworks, AllocationVotes: t.AllocationVotes,
		Events: eventLimits(t.Events),
	}
	if t.Action != nil {
		out.Action = models.ThresholdAction(*t.Action)
	}
	if t.Method != nil {
		out.Method = models.EvidenceMethod(*t.Method)
	}
	if t.RollbackScope != nil {
		out.RollbackScope = models.RollbackScope(*t.RollbackScope)
	}
	if t.Baseline != nil {
		out.Baseline = models.Baseline(*t.Baseline)
	}
	return out
}

// Model returns the schedule as a type of the domain model.
func (s Schedule) Model() models.Schedule {
	out := models.Schedule{StartAt: s.StartAt, TimeZone: s.TimeZone}
	for _, w := range s.FreezeWindows {
		window := models.FreezeWindow{From: w.From, To: w.To}
		if w.Days != nil {
			for _, day := range *w.Days {
				window.Days = append(window.Days, models.Weekday(day))
			}
		}
		out.FreezeWindows = append(out.FreezeWindows, window)
	}
	return out
}

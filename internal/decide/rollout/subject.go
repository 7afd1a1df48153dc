package rollout

import (
	"time"

	"github.com/waft-ota/waft/models"
)

// HealthQuery returns the query for the health of a rollout's release at the current rollout percentage. It counts from
// the beginning of the rollout, or from the last reset of its counts.
func HealthQuery(s models.RolloutSubject) models.HealthQuery {
	e := s.Execution
	q := models.HealthQuery{
		ProjectID:  e.ProjectID,
		UpdateUUID: e.UpdateUUID.String(),
		Salt:       s.ShareSalt,
		Percentage: e.Percentage,
		Since:      e.StartedAt,

		MaxPerNetwork:    MaxPerNetwork(e.Stages[e.StageIndex], e.Thresholds),
		MaxPerAllocation: MaxPerAllocation(e.Stages[e.StageIndex], e.Thresholds),
	}
	if e.CountsSince != nil {
		q.Since = *e.CountsSince
	}
	limits := EffectiveThresholds(e.Stages[e.StageIndex], e.Thresholds)
	q.AllocationVotes = limits.MaxAllocationVotes()
	q.Events = eventQueries(limits.Events, e.Stages)
	if limits.Baseline == models.BaselineControl && e.Percentage < 100 {
		q.Control = &models.ControlQuery{Platform: e.Platform, RuntimeVersion: e.RuntimeVersion, Since: e.StageStartedAt}
		if e.Channel != nil {
			q.Control.Channel = *e.Channel
		}
	}
	return q
}

// InputOf returns Plan's input for a rollout. health is nil if it could not be read.
func InputOf(s models.RolloutSubject, health *models.ReleaseHealth, now time.Time) Input {
	e := s.Execution
	return Input{
		Status:     e.Status,
		StageIndex: e.StageIndex,
		Stages:     e.Stages,
		Thresholds: e.Thresholds,
		Ran:        e.Progress.Clock.Elapsed(now),
		Health:     health,
		Before:     Comparison(e.Progress.Before),
		Flags:      s.LinkedFlags > 0,
		Now:        now,
	}
}

// Observation returns health and its judgement in the form that the API shows.
func Observation(h models.ReleaseHealth, j Judgement, now time.Time) *models.Observation {
	return &models.Observation{
		ReleaseHealth: h, ErrorRate: h.ErrorRate(), CrashRate: h.CrashRate(), Evidence: j.Evidence, CheckedAt: now,
	}
}

// Next returns the decision that the rollout's workflow would make on the same health. health is nil if it cannot be
// read.
func Next(s models.RolloutSubject, health *models.ReleaseHealth, now time.Time) Decision {
	in := InputOf(s, health, now)
	d := Plan(in)
	if d.Action == ActionAdvance {
		d = Freeze(d, in, FrozenUntil(s.Execution.Schedule, now))
	}
	return d
}

// Changes reports whether the decision differs from the state in the rollout's row.
func (d Decision) Changes(e models.RolloutExecution) bool {
	return d.Action != ActionHold || d.WaitingFor != e.WaitingFor || d.Breached() != e.Progress.Breached ||
		d.Frozen != e.Progress.Frozen
}

// Breached reports whether a threshold is breached.
func (d Decision) Breached() bool { return d.Judgement.Verdict == VerdictBreach }

// ReasonFor returns the reason that a held rollout shows. A pause shows the reason that was given with it, unless a breach
// has begun since then. Otherwise the result is d.Reason.
func (d Decision) ReasonFor(e models.RolloutExecution) string {
	known := e.Progress.Breached && e.Reason == e.Progress.PauseReason
	if d.WaitingFor == models.WaitResume && (!d.Breached() || known) && e.Progress.PauseReason != "" {
		return e.Progress.PauseReason
	}
	return d.Reason
}

// CarriedOver returns the comparison with the control group that the next stage begins with. It covers the earlier stages
// and the last observation of the current stage.
func CarriedOver(e models.RolloutExecution) models.Comparison {
	before := Comparison(e.Progress.Before)
	if e.Health == nil || e.Health.CheckedAt.Before(e.StageStartedAt) {
		return models.Comparison(before)
	}
	return models.Comparison(before.With(e.Health.Compared, EffectiveThresholds(e.Stages[e.StageIndex], e.Thresholds)))
}

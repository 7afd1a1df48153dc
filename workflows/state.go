package workflows

import (
	"time"

	"github.com/waft-ota/waft/internal/rollout"
	"github.com/waft-ota/waft/models"
)

// RolloutState is everything that a rollout knows. Continue-as-new carries it from
// run to run and histories hold its JSON, so fields may be added, not renamed.
type RolloutState struct {
	// The subject, fixed at the start.
	ProjectID      int64             `json:"projectId"`
	ProjectSlug    string            `json:"projectSlug"`
	ExecutionID    int64             `json:"executionId"`
	ReleaseID      int64             `json:"releaseId"`
	UpdateUUID     string            `json:"updateUuid"`
	ShareSalt      string            `json:"shareSalt"`
	Platform       models.Platform   `json:"platform"`
	RuntimeVersion string            `json:"runtimeVersion"`
	Stages         []models.Stage    `json:"stages"`
	Thresholds     models.Thresholds `json:"thresholds"`
	Schedule       models.Schedule   `json:"schedule,omitzero"`
	Channel        string            `json:"channel,omitempty"`
	StartedAt      time.Time         `json:"startedAt"`

	// The execution's row as last written. Seq numbers the changes.
	Seq            int64                  `json:"seq"`
	Status         models.ExecutionStatus `json:"status"`
	StageIndex     int                    `json:"stageIndex"`
	Percentage     float64                `json:"percentage"`
	WaitingFor     models.WaitReason      `json:"waitingFor"`
	Reason         string                 `json:"reason"`
	StageStartedAt time.Time              `json:"stageStartedAt"`
	PausedAt       *time.Time             `json:"pausedAt,omitempty"`
	// Broken says that the row tells of a broken limit.
	Broken bool `json:"broken,omitempty"`
	// Shown is the health in the row.
	Shown *models.HealthLook `json:"shown,omitempty"`

	// Scheduled says that the first stage has not begun: it waits for its time.
	Scheduled bool `json:"scheduled,omitempty"`
	// Flags says that the release still links flags.
	Flags bool `json:"flags,omitempty"`
	// Frozen says that the row tells of a freeze.
	Frozen bool `json:"frozen,omitempty"`

	// What is known besides.
	Clock       rollout.Clock      `json:"clock"`
	PauseReason string             `json:"pauseReason,omitempty"`
	Health      *models.HealthLook `json:"health,omitempty"`
	LookedAt    time.Time          `json:"lookedAt"`
	NextLookAt  time.Time          `json:"nextLookAt"`
	// CountsSince is when health began to be counted afresh, nil for StartedAt.
	CountsSince *time.Time `json:"countsSince,omitempty"`
	// Before is the comparison with devices outside the share as the stages before this
	// one left it, Compared with this one.
	Before   rollout.Comparison `json:"before,omitzero"`
	Compared rollout.Comparison `json:"compared,omitzero"`
	// HealthChanged says that devices reported something since the last look began.
	HealthChanged bool `json:"healthChanged,omitempty"`
	// Quick says that looks may follow one another sooner than minLookGap, Prompted how
	// many in a row were asked for by signals.
	Quick    bool `json:"quick,omitempty"`
	Prompted int  `json:"prompted,omitempty"`
	// Calm says that looks follow the time that a stage has to run, see lookPace.
	Calm bool `json:"calm,omitempty"`
}

// newState is the state of an execution as the store has it. A row that changes
// were written to already comes from a run that was lost; it goes on from there,
// with the stage's clock at 0.
func newState(s models.RolloutSubject) RolloutState {
	e := s.Execution
	state := RolloutState{
		ProjectID:      e.ProjectID,
		ProjectSlug:    s.ProjectSlug,
		ExecutionID:    e.ID,
		ReleaseID:      e.UpdateID,
		UpdateUUID:     s.UpdateUUID,
		ShareSalt:      s.ShareSalt,
		Platform:       e.Platform,
		RuntimeVersion: e.RuntimeVersion,
		Stages:         e.Stages,
		Thresholds:     e.Thresholds,
		StartedAt:      e.StartedAt,
		Seq:            e.Version,
		Status:         e.Status,
		StageIndex:     e.StageIndex,
		Percentage:     e.Percentage,
		WaitingFor:     e.WaitingFor,
		Reason:         e.Reason,
		StageStartedAt: e.StageStartedAt,
		PausedAt:       e.PausedAt,
		Shown:          e.Health,
		Health:         e.Health,
		Schedule:       e.Schedule,
		Flags:          s.LinkedFlags > 0,
		CountsSince:    e.CountsSince,
	}
	if e.Channel != nil {
		state.Channel = *e.Channel
	}
	return state
}

// planInput is what the planner needs of the state; health is nil when it could
// not be read.
func (s RolloutState) planInput(health *models.ReleaseHealth, now time.Time) rollout.Input {
	return rollout.Input{
		Status:     s.Status,
		StageIndex: s.StageIndex,
		Stages:     s.Stages,
		Thresholds: s.Thresholds,
		Ran:        s.Clock.Elapsed(now),
		Health:     health,
		Before:     s.Before,
		Flags:      s.Flags,
		Now:        now,
	}
}

// healthQuery asks for the release's health in its present share since the rollout
// began.
func (s RolloutState) healthQuery() models.HealthQuery {
	q := models.HealthQuery{
		ProjectID:  s.ProjectID,
		UpdateUUID: s.UpdateUUID,
		Salt:       s.ShareSalt,
		Percentage: s.Percentage,
		Since:      s.StartedAt,
	}
	if s.CountsSince != nil {
		q.Since = *s.CountsSince
	}
	limits := rollout.EffectiveThresholds(s.Stages[s.StageIndex], s.Thresholds)
	if limits.Baseline == models.BaselineControl && s.Percentage < 100 {
		q.Control = &models.ControlQuery{
			Channel: s.Channel, Platform: s.Platform, RuntimeVersion: s.RuntimeVersion, Since: s.StageStartedAt,
		}
	}
	return q
}

// waitAtStart is what a stage that begins, or goes on, waits for at first; the next
// look knows better.
func (s RolloutState) waitAtStart(now time.Time) models.WaitReason {
	if s.Scheduled || s.Stages[s.StageIndex].MinDuration() > s.Clock.Elapsed(now) {
		return models.WaitDuration
	}
	return ""
}

func (s RolloutState) lastStage() bool { return s.StageIndex >= len(s.Stages)-1 }

func (s RolloutState) result() RolloutResult {
	return RolloutResult{Status: s.Status, Percentage: s.Percentage, Reason: s.Reason, Changes: s.Seq}
}

package models

import (
	"cmp"
	"fmt"
	"math"
	"time"
)

// ThresholdAction is what happens on a breach.
type ThresholdAction string

// Threshold actions.
const (
	ActionGate         ThresholdAction = "gate"
	ActionAutoRollback ThresholdAction = "auto-rollback"
)

// EvidenceMethod is how a rate is judged against its limit.
type EvidenceMethod string

// Evidence methods.
const (
	MethodSequential EvidenceMethod = "sequential"
	MethodPoint      EvidenceMethod = "point"
)

// RollbackScope is how much an automatic rollback reverts first.
type RollbackScope string

// Rollback scopes.
const (
	ScopeRelease   RollbackScope = "release"
	ScopeGraduated RollbackScope = "graduated"
)

// Baseline is what a release's rates are compared with.
type Baseline string

// Baselines.
const (
	// BaselineLimit compares with the limits alone.
	BaselineLimit Baseline = "limit"
	// BaselineControl also compares with the control group: the devices of the same
	// channel, platform and runtime version outside the share.
	BaselineControl Baseline = "control"
)

// Thresholds are the highest rates that a policy allows, in percent of devices (2.0
// is 2 %); nil means not watched.
type Thresholds struct {
	ErrorRate     *float64        `json:"errorRate,omitempty"`
	CrashRate     *float64        `json:"crashRate,omitempty"`
	Action        ThresholdAction `json:"action,omitempty"`
	Method        EvidenceMethod  `json:"method,omitempty"`
	RollbackScope RollbackScope   `json:"rollbackScope,omitempty"`
	Baseline      Baseline        `json:"baseline,omitempty"`
}

// Stage is one step of a rollout.
type Stage struct {
	// Percentage of devices that get the release, 0–100.
	Percentage float64 `json:"percentage"`
	// MinDevices is how many devices must have reported on the release before the
	// stage may end.
	MinDevices int64 `json:"minDevices"`
	// MinDurationMinutes is the least running time of the stage in minutes, with
	// fractions.
	MinDurationMinutes float64 `json:"minDurationMinutes"`
	// Thresholds replace the policy's during this stage, field by field.
	Thresholds *Thresholds `json:"thresholds,omitempty"`
}

// MinDuration is MinDurationMinutes as a duration.
func (s Stage) MinDuration() time.Duration {
	return time.Duration(s.MinDurationMinutes * float64(time.Minute))
}

// RolloutPolicy says how a release rolls out; any number of rollouts use it.
type RolloutPolicy struct {
	ID          int64
	ProjectID   int64
	Name        string
	Description string
	// Channel limits the policy to releases of one channel; nil means any.
	Channel    *string
	IsActive   bool
	Stages     []Stage    `gorm:"type:jsonb;serializer:json"`
	Thresholds Thresholds `gorm:"type:jsonb;serializer:json"`
	Schedule   Schedule   `gorm:"type:jsonb;serializer:json"`
	CreatedAt  time.Time
	UpdatedAt  time.Time

	// RunningExecutions are the ids of executions that are running or paused.
	RunningExecutions []int64 `gorm:"-"`
}

// NewRolloutPolicy is what a caller says to create a policy.
type NewRolloutPolicy struct {
	Name        string
	Description string
	Channel     *string
	IsActive    bool
	Stages      []Stage
	Thresholds  Thresholds
	Schedule    Schedule
}

// Normalize fills the defaults of what may be left out.
func (n *NewRolloutPolicy) Normalize() {
	n.Thresholds = n.Thresholds.Over(Thresholds{
		Action: ActionAutoRollback, Method: MethodSequential, RollbackScope: ScopeRelease, Baseline: BaselineLimit,
	})
}

// Limits of a policy.
const (
	maxStages          = 20
	maxStageMinutes    = 60 * 24 * 365
	maxStageMinDevices = 1_000_000_000
)

// Validate reports every bad field.
func (n NewRolloutPolicy) Validate() error {
	var p Problems
	checkRequiredText(&p, "name", n.Name, 200)
	checkText(&p, "description", n.Description, 4096)
	if n.Channel != nil {
		checkStreamName(&p, "channel", *n.Channel)
	}
	validateStages(&p, n.Stages)
	n.Thresholds.validate(&p, "thresholds")
	n.Schedule.validate(&p)
	return p.Err()
}

func validateStages(p *Problems, stages []Stage) {
	if len(stages) == 0 || len(stages) > maxStages {
		p.Add("stages", "must hold 1 to %d stages", maxStages)
		return
	}
	for i, s := range stages {
		at := fmt.Sprintf("stages[%d]", i)
		CheckPercentage(p, at+".percentage", s.Percentage)
		if i > 0 && s.Percentage <= stages[i-1].Percentage {
			p.Add(at+".percentage", "must be above the stage before it (%v), which has %v: stages only grow",
				i-1, stages[i-1].Percentage)
		}
		if s.MinDevices < 0 || s.MinDevices > maxStageMinDevices {
			p.Add(at+".minDevices", "must be from 0 to %d", int64(maxStageMinDevices))
		}
		if math.IsNaN(s.MinDurationMinutes) || s.MinDurationMinutes < 0 || s.MinDurationMinutes > maxStageMinutes {
			p.Add(at+".minDurationMinutes", "must be from 0 to %d", maxStageMinutes)
		}
		if s.Thresholds != nil {
			s.Thresholds.validate(p, at+".thresholds")
		}
	}
	if last := len(stages) - 1; stages[last].Percentage != 100 {
		p.Add(fmt.Sprintf("stages[%d].percentage", last), "must be 100: the last stage reaches every device")
	}
}

func (t Thresholds) validate(p *Problems, at string) {
	for _, rate := range []struct {
		name  string
		value *float64
	}{{"errorRate", t.ErrorRate}, {"crashRate", t.CrashRate}} {
		switch {
		case rate.value == nil:
		case math.IsNaN(*rate.value) || *rate.value <= 0 || *rate.value > 100:
			p.Add(at+"."+rate.name, "must be a percentage above 0 and up to 100 (2.0 means 2 %%)")
		case tooFine(*rate.value):
			p.Add(at+"."+rate.name, tooFineText)
		}
	}
	// What a policy or stage leaves out has a default.
	checkOneOf(p, at+".action", cmp.Or(t.Action, ActionGate), ActionGate, ActionAutoRollback)
	checkOneOf(p, at+".method", cmp.Or(t.Method, MethodSequential), MethodSequential, MethodPoint)
	checkOneOf(p, at+".rollbackScope", cmp.Or(t.RollbackScope, ScopeRelease), ScopeRelease, ScopeGraduated)
	checkOneOf(p, at+".baseline", cmp.Or(t.Baseline, BaselineLimit), BaselineLimit, BaselineControl)
}

// Over returns the thresholds of t, and those of base where t sets none.
func (t Thresholds) Over(base Thresholds) Thresholds {
	return Thresholds{
		ErrorRate:     cmp.Or(t.ErrorRate, base.ErrorRate),
		CrashRate:     cmp.Or(t.CrashRate, base.CrashRate),
		Action:        cmp.Or(t.Action, base.Action),
		Method:        cmp.Or(t.Method, base.Method),
		RollbackScope: cmp.Or(t.RollbackScope, base.RollbackScope),
		Baseline:      cmp.Or(t.Baseline, base.Baseline),
	}
}

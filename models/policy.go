package models

import (
	"cmp"
	"fmt"
	"math"
	"time"
)

// ThresholdAction is the action on a breach.
type ThresholdAction string

const (
	ActionGate         ThresholdAction = "gate"
	ActionAutoRollback ThresholdAction = "auto-rollback"
)

// EvidenceMethod is the method that compares a rate with its threshold.
type EvidenceMethod string

const (
	MethodSequential EvidenceMethod = "sequential"
	MethodPoint      EvidenceMethod = "point"
)

// RollbackScope is the scope that an automatic rollback begins with.
type RollbackScope string

const (
	ScopeRelease   RollbackScope = "release"
	ScopeGraduated RollbackScope = "graduated"
)

// Baseline selects the comparison for the rates of a release.
type Baseline string

const (
	// BaselineLimit compares rates with the thresholds only.
	BaselineLimit Baseline = "limit"
	// BaselineControl compares rates with the thresholds and with the control group.
	BaselineControl Baseline = "control"
)

// Thresholds are the maximum rates, in percent of devices (2.0 is 2%); nil means no threshold.
type Thresholds struct {
	ErrorRate     *float64        `json:"errorRate,omitempty"`
	CrashRate     *float64        `json:"crashRate,omitempty"`
	Action        ThresholdAction `json:"action,omitempty"`
	Method        EvidenceMethod  `json:"method,omitempty"`
	RollbackScope RollbackScope   `json:"rollbackScope,omitempty"`
	Baseline      Baseline        `json:"baseline,omitempty"`
	// MinNetworks is the minimum number of networks that must report before votes decide. With 1, Waft counts devices and
	// ignores networks. nil means the default; see LeastNetworks.
	MinNetworks *int64 `json:"minNetworks,omitempty"`
	// AllocationVotes is the maximum number of votes that the networks of one allocation have together. nil means the default;
	// see MaxAllocationVotes.
	AllocationVotes *int64 `json:"allocationVotes,omitempty"`
	// Events are the thresholds for custom events. A stage's events replace all events of the policy; an empty list that
	// is not nil removes them.
	Events []EventLimit `json:"events,omitzero"`
}

// LeastNetworks returns MinNetworks, or its default.
func (t Thresholds) LeastNetworks() int64 {
	return *cmp.Or(t.MinNetworks, defaultThresholds.MinNetworks)
}

// MaxAllocationVotes returns AllocationVotes, or its default.
func (t Thresholds) MaxAllocationVotes() int64 {
	return *cmp.Or(t.AllocationVotes, defaultThresholds.AllocationVotes)
}

// Over returns t, with the values of base for the fields that t does not set.
func (t Thresholds) Over(base Thresholds) Thresholds {
	events := t.Events
	if events == nil {
		events = base.Events
	}
	return Thresholds{
		Events:          events,
		ErrorRate:       cmp.Or(t.ErrorRate, base.ErrorRate),
		CrashRate:       cmp.Or(t.CrashRate, base.CrashRate),
		Action:          cmp.Or(t.Action, base.Action),
		Method:          cmp.Or(t.Method, base.Method),
		RollbackScope:   cmp.Or(t.RollbackScope, base.RollbackScope),
		Baseline:        cmp.Or(t.Baseline, base.Baseline),
		MinNetworks:     cmp.Or(t.MinNetworks, base.MinNetworks),
		AllocationVotes: cmp.Or(t.AllocationVotes, base.AllocationVotes),
	}
}

// defaultThresholds are the values of the fields that a policy does not set.
var defaultThresholds = Thresholds{
	Action: ActionAutoRollback, Method: MethodSequential, RollbackScope: ScopeRelease, Baseline: BaselineLimit,
	MinNetworks: new(int64(3)), AllocationVotes: new(int64(20)),
}

// Stage is one step of a rollout.
type Stage struct {
	// Percentage is the percentage of devices that get the release, 0–100.
	Percentage float64 `json:"percentage"`
	// MinDevices is the minimum number of devices that must have reported the release before the stage may end.
	MinDevices int64 `json:"minDevices"`
	// MinDurationMinutes is the minimum running time of the stage in minutes; fractions are allowed.
	MinDurationMinutes float64 `json:"minDurationMinutes"`
	// Thresholds replace the policy's thresholds during this stage, field by field.
	Thresholds *Thresholds `json:"thresholds,omitempty"`
}

// MinDuration returns MinDurationMinutes as a duration.
func (s Stage) MinDuration() time.Duration {
	return time.Duration(s.MinDurationMinutes * float64(time.Minute))
}

// RolloutPolicy describes how a release rolls out. Any number of rollouts can use it.
type RolloutPolicy struct {
	Versioned
	ID, ProjectID     int64
	Name, Description string
	// Channel restricts the policy to releases of one channel; nil means any channel.
	Channel              *string
	IsActive             bool
	Stages               []Stage    `gorm:"type:jsonb;serializer:json"`
	Thresholds           Thresholds `gorm:"type:jsonb;serializer:json"`
	Schedule             Schedule   `gorm:"type:jsonb;serializer:json"`
	CreatedAt, UpdatedAt time.Time

	// RunningExecutions are the IDs of the rollouts that are running or paused.
	RunningExecutions []int64 `gorm:"-"`
}

type NewRolloutPolicy struct {
	Name, Description string
	Channel           *string
	IsActive          bool
	Stages            []Stage
	Thresholds        Thresholds
	Schedule          Schedule
}

func (n *NewRolloutPolicy) Normalize() { n.Thresholds = n.Thresholds.Over(defaultThresholds) }

func (n NewRolloutPolicy) Validate() error {
	var p Problems
	checkName(&p, "name", n.Name)
	checkLongText(&p, "description", n.Description)
	ifSet(&p, "channel", n.Channel, checkStreamName)
	checkStages(&p, "stages", n.Stages)
	n.Thresholds.check(&p, "thresholds")
	n.Schedule.check(&p)
	return p.Err()
}

// PolicyPatch changes the fields that are set. Stages and FreezeWindows replace the whole list.
type PolicyPatch struct {
	Name, Description *string
	Channel           Nullable[string]
	IsActive          *bool
	Stages            *[]Stage
	Thresholds        ThresholdsPatch
	StartAt           Nullable[time.Time]
	TimeZone          *string
	FreezeWindows     *[]FreezeWindow
}

type ThresholdsPatch struct {
	ErrorRate, CrashRate Nullable[float64]
	Action               *ThresholdAction
	Method               *EvidenceMethod
	RollbackScope        *RollbackScope
	Baseline             *Baseline
	MinNetworks          *int64
	AllocationVotes      *int64
	// Events replaces the whole list; a Value of nil removes it.
	Events Nullable[[]EventLimit]
}

func (p PolicyPatch) Validate() error {
	var problems Problems
	ifSet(&problems, "name", p.Name, checkName)
	ifSet(&problems, "description", p.Description, checkLongText)
	ifSet(&problems, "channel", p.Channel.Value, checkStreamName)
	ifSet(&problems, "stages", p.Stages, checkStages)
	patched := p.Apply(RolloutPolicy{})
	patched.Thresholds.check(&problems, "thresholds")
	patched.Schedule.check(&problems)
	return problems.Err()
}

// Apply returns the policy with the patch applied.
func (p PolicyPatch) Apply(to RolloutPolicy) RolloutPolicy {
	Assign(&to.Name, p.Name)
	Assign(&to.Description, p.Description)
	p.Channel.Apply(&to.Channel)
	Assign(&to.IsActive, p.IsActive)
	Assign(&to.Stages, p.Stages)
	p.Thresholds.ErrorRate.Apply(&to.Thresholds.ErrorRate)
	p.Thresholds.CrashRate.Apply(&to.Thresholds.CrashRate)
	Assign(&to.Thresholds.Action, p.Thresholds.Action)
	Assign(&to.Thresholds.Method, p.Thresholds.Method)
	Assign(&to.Thresholds.RollbackScope, p.Thresholds.RollbackScope)
	Assign(&to.Thresholds.Baseline, p.Thresholds.Baseline)
	if p.Thresholds.MinNetworks != nil {
		to.Thresholds.MinNetworks = p.Thresholds.MinNetworks
	}
	if p.Thresholds.AllocationVotes != nil {
		to.Thresholds.AllocationVotes = p.Thresholds.AllocationVotes
	}
	if p.Thresholds.Events.Set {
		to.Thresholds.Events = nil
		Assign(&to.Thresholds.Events, p.Thresholds.Events.Value)
	}
	p.StartAt.Apply(&to.Schedule.StartAt)
	Assign(&to.Schedule.TimeZone, p.TimeZone)
	Assign(&to.Schedule.FreezeWindows, p.FreezeWindows)
	return to
}

const (
	maxStages          = 20
	maxStageMinutes    = 60 * 24 * 365
	maxStageMinDevices = 1_000_000_000
	maxMinNetworks     = 1_000_000
	maxAllocationVotes = 100
)

func checkStages(p *Problems, field string, stages []Stage) {
	if len(stages) == 0 || len(stages) > maxStages {
		p.Add(field, "must contain 1 to %d stages", maxStages)
		return
	}
	for i, s := range stages {
		at := fmt.Sprintf("%s[%d]", field, i)
		CheckPercentage(p, at+".percentage", s.Percentage)
		if i > 0 && s.Percentage <= stages[i-1].Percentage {
			p.Add(at+".percentage", "must be greater than the percentage of the previous stage (stages[%v] has %v)",
				i-1, stages[i-1].Percentage)
		}
		if s.MinDevices < 0 || s.MinDevices > maxStageMinDevices {
			p.Add(at+".minDevices", "must be from 0 to %d", int64(maxStageMinDevices))
		}
		if math.IsNaN(s.MinDurationMinutes) || s.MinDurationMinutes < 0 || s.MinDurationMinutes > maxStageMinutes {
			p.Add(at+".minDurationMinutes", "must be from 0 to %d", maxStageMinutes)
		}
		if s.Thresholds != nil {
			s.Thresholds.check(p, at+".thresholds")
		}
	}
	if last := len(stages) - 1; stages[last].Percentage != 100 {
		p.Add(indexed(field, last, "percentage"), "must be 100, because the last stage reaches every device")
	}
}

func (t Thresholds) check(p *Problems, at string) {
	ifSet(p, at+".errorRate", t.ErrorRate, checkRate)
	ifSet(p, at+".crashRate", t.CrashRate, checkRate)
	checkEventLimits(p, at+".events", t.Events)
	t = t.Over(defaultThresholds)
	checkOneOf(p, at+".action", t.Action, ActionGate, ActionAutoRollback)
	checkOneOf(p, at+".method", t.Method, MethodSequential, MethodPoint)
	checkOneOf(p, at+".rollbackScope", t.RollbackScope, ScopeRelease, ScopeGraduated)
	checkOneOf(p, at+".baseline", t.Baseline, BaselineLimit, BaselineControl)
	if n := t.LeastNetworks(); n < 1 || n > maxMinNetworks {
		p.Add(at+".minNetworks", "must be from 1 to %d; with 1, Waft counts devices and ignores their networks", maxMinNetworks)
	}
	if n := t.MaxAllocationVotes(); n < 1 || n > maxAllocationVotes {
		p.Add(at+".allocationVotes", "must be from 1 to %d: the maximum number of votes for all networks of one allocation", maxAllocationVotes)
	}
}

func checkRate(p *Problems, field string, v float64) {
	if math.IsNaN(v) || v <= 0 || v > 100 {
		p.Add(field, "must be a percentage above 0 and up to 100 (2.0 means 2%%)")
		return
	}
	CheckPercentage(p, field, v)
}

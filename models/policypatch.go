package models

import "time"

// PolicyPatch changes the fields that are set. The nullable fields are cleared by
// a set Nullable whose value is nil.
type PolicyPatch struct {
	Name        *string
	Description *string
	Channel     Nullable[string]
	IsActive    *bool
	// Stages replace all stages.
	Stages     *[]Stage
	Thresholds ThresholdsPatch
	StartAt    Nullable[time.Time]
	TimeZone   *string
	// FreezeWindows replace all windows.
	FreezeWindows *[]FreezeWindow
}

// ThresholdsPatch changes the fields that are set.
type ThresholdsPatch struct {
	ErrorRate     Nullable[float64]
	CrashRate     Nullable[float64]
	Action        *ThresholdAction
	Method        *EvidenceMethod
	RollbackScope *RollbackScope
	Baseline      *Baseline
}

// Validate reports every bad field.
func (p PolicyPatch) Validate() error {
	var problems Problems
	ifSet(checkRequiredText, &problems, "name", p.Name, 200)
	ifSet(checkText, &problems, "description", p.Description, 4096)
	if p.Channel.Value != nil {
		checkStreamName(&problems, "channel", *p.Channel.Value)
	}
	if p.Stages != nil {
		validateStages(&problems, *p.Stages)
	}
	p.Thresholds.apply(Thresholds{}).validate(&problems, "thresholds")
	p.schedule(Schedule{}).validate(&problems)
	return problems.Err()
}

// Apply returns the policy as the patch makes it.
func (p PolicyPatch) Apply(to RolloutPolicy) RolloutPolicy {
	Assign(&to.Name, p.Name)
	Assign(&to.Description, p.Description)
	p.Channel.Apply(&to.Channel)
	Assign(&to.IsActive, p.IsActive)
	Assign(&to.Stages, p.Stages)
	to.Thresholds = p.Thresholds.apply(to.Thresholds)
	to.Schedule = p.schedule(to.Schedule)
	return to
}

func (p PolicyPatch) schedule(to Schedule) Schedule {
	p.StartAt.Apply(&to.StartAt)
	Assign(&to.TimeZone, p.TimeZone)
	Assign(&to.FreezeWindows, p.FreezeWindows)
	return to
}

func (p ThresholdsPatch) apply(to Thresholds) Thresholds {
	p.ErrorRate.Apply(&to.ErrorRate)
	p.CrashRate.Apply(&to.CrashRate)
	Assign(&to.Action, p.Action)
	Assign(&to.Method, p.Method)
	Assign(&to.RollbackScope, p.RollbackScope)
	Assign(&to.Baseline, p.Baseline)
	return to
}

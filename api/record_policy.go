package api

import "github.com/waft-ota/waft/models"

// Stage is one step of a rollout.
type Stage struct {
	Percentage         float64     `json:"percentage" minimum:"0" maximum:"100" doc:"Share of devices that get the release from this stage on; above the stage before."`
	MinDevices         int64       `json:"minDevices" minimum:"0" required:"false" doc:"Minimum number of devices that sent a report with the release before the stage can end."`
	MinDurationMinutes float64     `json:"minDurationMinutes" minimum:"0" required:"false" doc:"Minimum length of the stage in minutes, without pauses; fractions are allowed."`
	Thresholds         *Thresholds `json:"thresholds,omitempty" doc:"Thresholds that replace those of the policy during this stage, field by field."`
}

// Thresholds are the highest error and crash rates that a policy allows.
type Thresholds struct {
	ErrorRate     *float64               `json:"errorRate,omitempty" exclusiveMinimum:"0" maximum:"100" doc:"Highest share of devices with an error, in percent: 2.0 means 2 %."`
	CrashRate     *float64               `json:"crashRate,omitempty" exclusiveMinimum:"0" maximum:"100" doc:"Highest share of devices with a crash, in percent."`
	Action        models.ThresholdAction `json:"action,omitempty" enum:"gate,auto-rollback" doc:"What a breach does: hold the stage, or roll back the release. Default: auto-rollback."`
	Method        models.EvidenceMethod  `json:"method,omitempty" enum:"sequential,point" doc:"How a rate is judged: by a sequential test that is valid at any time, or by its plain value once minDevices is reached. Default: sequential."`
	RollbackScope models.RollbackScope   `json:"rollbackScope,omitempty" enum:"release,graduated" doc:"What an automatic rollback reverts first: the release, or its linked flags. Default: release."`
	Baseline      models.Baseline        `json:"baseline,omitempty" enum:"limit,control" doc:"What rates are compared with. limit: the thresholds. control: the thresholds and the control group, for the metrics with a threshold, or for both metrics if none has one. Default: limit."`
}

// RolloutPolicy is a reusable set of stages, thresholds and schedule for rollouts.
type RolloutPolicy struct {
	ID          int64      `json:"id"`
	Name        string     `json:"name"`
	Description string     `json:"description"`
	Channel     *string    `json:"channel" doc:"The only channel whose releases it may roll out, null for any."`
	IsActive    bool       `json:"isActive"`
	Stages      []Stage    `json:"stages"`
	Thresholds  Thresholds `json:"thresholds"`
	Schedule
	CreatedAt         Time    `json:"createdAt"`
	UpdatedAt         Time    `json:"updatedAt"`
	RunningExecutions []int64 `json:"runningExecutions" doc:"Rollouts by it that are running or paused; while there are any it cannot be changed."`
}

func policyRecord(p models.RolloutPolicy) RolloutPolicy {
	return RolloutPolicy{
		ID: p.ID, Name: p.Name, Description: p.Description, Channel: p.Channel, IsActive: p.IsActive,
		Stages: rendered(p.Stages, stageRecord), Thresholds: Thresholds(p.Thresholds),
		Schedule: scheduleRecord(p.Schedule), CreatedAt: Time{p.CreatedAt}, UpdatedAt: Time{p.UpdatedAt},
		RunningExecutions: append([]int64{}, p.RunningExecutions...),
	}
}

func stageRecord(s models.Stage) Stage {
	return Stage{
		Percentage: s.Percentage, MinDevices: s.MinDevices, MinDurationMinutes: s.MinDurationMinutes,
		Thresholds: (*Thresholds)(s.Thresholds),
	}
}

func stageModel(s Stage) models.Stage {
	return models.Stage{
		Percentage: s.Percentage, MinDevices: s.MinDevices, MinDurationMinutes: s.MinDurationMinutes,
		Thresholds: (*models.Thresholds)(s.Thresholds),
	}
}

func (RolloutPolicy) example() any {
	return RolloutPolicy{
		ID: 8, Name: "Careful", Description: "One in twenty, half, all", IsActive: true, Stages: exampleStages(),
		Thresholds: exampleThresholds(), Schedule: scheduleRecord(models.Schedule{}), CreatedAt: exampleTime, UpdatedAt: exampleTime, RunningExecutions: []int64{},
	}
}

func exampleStages() []Stage {
	return []Stage{
		{Percentage: 5, MinDevices: 200, MinDurationMinutes: 60},
		{Percentage: 50, MinDevices: 2000, MinDurationMinutes: 240},
		{Percentage: 100},
	}
}

func exampleThresholds() Thresholds {
	return Thresholds{
		ErrorRate: new(2.0), CrashRate: new(0.5), Action: models.ActionAutoRollback,
		Method: models.MethodSequential, RollbackScope: models.ScopeRelease, Baseline: models.BaselineLimit,
	}
}

package rollouts

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

// Policies stores rollout policies.
type Policies interface {
	CreatePolicy(
		ctx context.Context, projectID int64, actor models.Actor, n models.NewRolloutPolicy,
	) (models.RolloutPolicy, error)
	ListPolicies(ctx context.Context, projectID int64, page models.Page) ([]models.RolloutPolicy, error)
	Policy(ctx context.Context, projectID, id int64) (models.RolloutPolicy, error)
	// UpdatePolicy and DeletePolicy return policy_locked while a rollout of the policy is open.
	UpdatePolicy(
		ctx context.Context, projectID int64, actor models.Actor, id int64, patch models.PolicyPatch,
	) (models.RolloutPolicy, error)
	DeletePolicy(ctx context.Context, projectID int64, actor models.Actor, id int64) error
}

var (
	listPoliciesDoc = rest.Doc(tagPolicies, "listRolloutPolicies", "List rollout policies",
		"Each policy with its running and paused rollouts.")
	createPolicyDoc = rest.Doc(tagPolicies, "createRolloutPolicy", "Create a rollout policy",
		"1 to 20 stages with rising percentages, the last one 100. A rollout keeps the policy as it was when it started.",
		http.StatusCreated)
	getPolicyDoc   = rest.Doc(tagPolicies, "getRolloutPolicy", "Get a rollout policy", "The current state.")
	patchPolicyDoc = rest.Doc(tagPolicies, "patchRolloutPolicy", "Change a rollout policy",
		"Absent fields keep their value, those of thresholds too. A policy with a running or paused rollout cannot be changed (policy_locked).",
		http.StatusConflict)
	deletePolicyDoc = rest.Doc(tagPolicies, "deleteRolloutPolicy", "Delete a rollout policy",
		"Ended rollouts keep their copy of the policy. A policy with a running or paused rollout cannot be deleted (policy_locked).",
		http.StatusConflict)
)

type createPolicyBody struct {
	Name          string         `json:"name" doc:"Display name."`
	Description   string         `json:"description,omitempty"`
	Channel       *string        `json:"channel,omitempty" doc:"The only channel whose releases it may roll out; any when absent."`
	IsActive      *bool          `json:"isActive,omitempty" doc:"False keeps new rollouts from using it; true when absent."`
	Stages        []Stage        `json:"stages" doc:"In order."`
	Thresholds    Thresholds     `json:"thresholds,omitzero" doc:"Limits in every stage; no limits when absent."`
	StartAt       *time.Time     `json:"startAt,omitempty" doc:"When the first stage of its rollouts begins at the earliest; at once when absent."`
	TimeZone      string         `json:"timeZone,omitempty" doc:"Zone of freezeWindows by its IANA name, such as Europe/Berlin; UTC when absent."`
	FreezeWindows []FreezeWindow `json:"freezeWindows,omitempty" maxItems:"20" doc:"Periods in which no stage begins by itself. Thresholds are observed, and people can advance the rollout."`
}

func (b createPolicyBody) Model() models.NewRolloutPolicy {
	n := models.NewRolloutPolicy{
		Name: b.Name, Description: b.Description, Channel: b.Channel, IsActive: b.IsActive == nil || *b.IsActive,
		Stages: rest.Rendered(b.Stages, stageModel), Thresholds: b.Thresholds.model(),
		Schedule: models.Schedule{StartAt: b.StartAt, TimeZone: b.TimeZone, FreezeWindows: windowModels(b.FreezeWindows)},
	}
	n.Normalize()
	return n
}

func (b createPolicyBody) Resolve(huma.Context) []error { return rest.BodyErrors(b.Model().Validate()) }

func (createPolicyBody) Example() any {
	return createPolicyBody{
		Name: "Careful", Description: "One in twenty, half, all", Stages: exampleStages(), Thresholds: exampleThresholds(),
		TimeZone: "Europe/Berlin", FreezeWindows: exampleWindows(),
	}
}

type patchPolicyBody struct {
	Name          rest.Patch[string]          `json:"name,omitzero" doc:"Display name."`
	Description   rest.Patch[string]          `json:"description,omitzero" nullable:"true" doc:"Null clears it."`
	Channel       rest.Patch[string]          `json:"channel,omitzero" nullable:"true" doc:"The only channel whose releases it may roll out; null for any."`
	IsActive      rest.Patch[bool]            `json:"isActive,omitzero" doc:"False keeps new rollouts from using it."`
	Stages        rest.Patch[[]Stage]         `json:"stages,omitzero" doc:"In order; they replace all."`
	Thresholds    rest.Patch[patchThresholds] `json:"thresholds,omitzero"`
	StartAt       rest.Patch[time.Time]       `json:"startAt,omitzero" nullable:"true" doc:"When the first stage begins at the earliest; null for at once."`
	TimeZone      rest.Patch[string]          `json:"timeZone,omitzero" doc:"Zone of freezeWindows by its IANA name."`
	FreezeWindows rest.Patch[[]FreezeWindow]  `json:"freezeWindows,omitzero" doc:"They replace all; none when empty."`
}

type patchThresholds struct {
	ErrorRate       rest.Patch[float64]                `json:"errorRate,omitzero" nullable:"true" exclusiveMinimum:"0" maximum:"100" doc:"Highest share of devices with an error, in percent; null for no limit."`
	CrashRate       rest.Patch[float64]                `json:"crashRate,omitzero" nullable:"true" exclusiveMinimum:"0" maximum:"100" doc:"Highest share of devices with a crash, in percent; null for no limit."`
	Action          rest.Patch[models.ThresholdAction] `json:"action,omitzero" enum:"gate,auto-rollback"`
	Method          rest.Patch[models.EvidenceMethod]  `json:"method,omitzero" enum:"sequential,point"`
	RollbackScope   rest.Patch[models.RollbackScope]   `json:"rollbackScope,omitzero" enum:"release,graduated"`
	Baseline        rest.Patch[models.Baseline]        `json:"baseline,omitzero" enum:"limit,control"`
	MinNetworks     rest.Patch[int64]                  `json:"minNetworks,omitzero" minimum:"1" maximum:"1000000" doc:"How many networks must be heard before a rate decides."`
	AllocationVotes rest.Patch[int64]                  `json:"allocationVotes,omitzero" minimum:"1" maximum:"100" doc:"Votes that the networks of one allocation have together at most."`
	Events          rest.Patch[[]EventLimit]           `json:"events,omitzero" nullable:"true" doc:"They replace all; none when empty or null."`
}

func (b patchPolicyBody) Model() (models.PolicyPatch, models.Problems) {
	var p models.Problems
	var thresholds patchThresholds
	if given := b.Thresholds.NotNull(&p, "thresholds"); given != nil {
		thresholds = *given
	}
	patch := models.PolicyPatch{
		Name:        b.Name.NotNull(&p, "name"),
		Description: rest.Cleared(b.Description),
		Channel:     b.Channel.Nullable(),
		IsActive:    b.IsActive.NotNull(&p, "isActive"),
		Thresholds: models.ThresholdsPatch{
			ErrorRate:       thresholds.ErrorRate.Nullable(),
			CrashRate:       thresholds.CrashRate.Nullable(),
			Action:          thresholds.Action.NotNull(&p, "thresholds.action"),
			Method:          thresholds.Method.NotNull(&p, "thresholds.method"),
			RollbackScope:   thresholds.RollbackScope.NotNull(&p, "thresholds.rollbackScope"),
			Baseline:        thresholds.Baseline.NotNull(&p, "thresholds.baseline"),
			MinNetworks:     thresholds.MinNetworks.NotNull(&p, "thresholds.minNetworks"),
			AllocationVotes: thresholds.AllocationVotes.NotNull(&p, "thresholds.allocationVotes"),
			Events:          eventLimitPatch(thresholds.Events),
		},
		StartAt:  b.StartAt.Nullable(),
		TimeZone: b.TimeZone.NotNull(&p, "timeZone"),
	}
	if stages := b.Stages.NotNull(&p, "stages"); stages != nil {
		patch.Stages = new(rest.Rendered(*stages, stageModel))
	}
	if windows := b.FreezeWindows.NotNull(&p, "freezeWindows"); windows != nil {
		patch.FreezeWindows = new(windowModels(*windows))
	}
	return patch, p
}

func (b patchPolicyBody) Resolve(huma.Context) []error { return rest.PatchErrors(b.Model()) }

func (patchPolicyBody) Example() any {
	return patchPolicyBody{Stages: rest.PatchTo(exampleStages()), Thresholds: rest.PatchTo(patchThresholds{CrashRate: rest.PatchTo(0.5)})}
}

// Stage is one step of a rollout.
type Stage struct {
	Percentage         float64     `json:"percentage" minimum:"0" maximum:"100" doc:"Share of devices that get the release from this stage on; above the stage before."`
	MinDevices         int64       `json:"minDevices" minimum:"0" required:"false" doc:"Minimum number of devices that sent a report with the release before the stage can end."`
	MinDurationMinutes float64     `json:"minDurationMinutes" minimum:"0" required:"false" doc:"Minimum length of the stage in minutes, without pauses; fractions are allowed."`
	Thresholds         *Thresholds `json:"thresholds,omitempty" doc:"Thresholds that replace those of the policy during this stage, field by field."`
}

// Thresholds limit the rates of devices with errors, crashes and custom events.
type Thresholds struct {
	ErrorRate       *float64               `json:"errorRate,omitempty" exclusiveMinimum:"0" maximum:"100" doc:"Highest share of devices with an error, in percent: 2.0 means 2 %."`
	CrashRate       *float64               `json:"crashRate,omitempty" exclusiveMinimum:"0" maximum:"100" doc:"Highest share of devices with a crash, in percent."`
	Action          models.ThresholdAction `json:"action,omitempty" enum:"gate,auto-rollback" doc:"What a breach does: hold the stage, or roll back the release. Default: auto-rollback."`
	Method          models.EvidenceMethod  `json:"method,omitempty" enum:"sequential,point" doc:"How a rate is judged: by a sequential test that is valid at any time, or by its plain value once minDevices is reached. Default: sequential."`
	RollbackScope   models.RollbackScope   `json:"rollbackScope,omitempty" enum:"release,graduated" doc:"What an automatic rollback reverts first: the release, or its linked flags. Default: release."`
	Baseline        models.Baseline        `json:"baseline,omitempty" enum:"limit,control" doc:"What rates are compared with. limit: the thresholds. control: the thresholds and the control group, for the metrics with a threshold, or for both metrics if none has one. Default: limit."`
	MinNetworks     *int64                 `json:"minNetworks,omitempty" minimum:"1" maximum:"1000000" doc:"How many networks (IPv4 /24, IPv6 /48) must be heard before a rate decides. Each has one vote, and no decision hangs on one. With 1, devices are judged, whatever networks they are in, so one sender of forged reports may decide. Default: 3."`
	AllocationVotes *int64                 `json:"allocationVotes,omitempty" minimum:"1" maximum:"100" doc:"Votes that the networks of one allocation (IPv4 /16, IPv6 /32) have together at most, so that a rented allocation is not thousands of votes. No decision hangs on one allocation. Fewer votes make an attack dearer, and a defect that only one provider has is found later. Default: 20."`
	Events          []EventLimit           `json:"events,omitzero" maxItems:"5" nullable:"false" doc:"Limits of custom events. Those of a stage replace all of the policy's, also when there are none."`
}

// RolloutPolicy is a reusable set of stages, thresholds and schedule for rollouts.
type RolloutPolicy struct {
	rest.Tagged
	ID          int64      `json:"id"`
	Name        string     `json:"name"`
	Description string     `json:"description"`
	Channel     *string    `json:"channel" doc:"The only channel whose releases it may roll out, null for any."`
	IsActive    bool       `json:"isActive"`
	Stages      []Stage    `json:"stages"`
	Thresholds  Thresholds `json:"thresholds"`
	Schedule
	CreatedAt         rest.Time `json:"createdAt"`
	UpdatedAt         rest.Time `json:"updatedAt"`
	RunningExecutions []int64   `json:"runningExecutions" doc:"Rollouts by it that are running or paused; while there are any it cannot be changed."`
}

// PolicyRecord is the record of a rollout policy.
func PolicyRecord(p models.RolloutPolicy) RolloutPolicy {
	return RolloutPolicy{
		Tagged: rest.Tagged{ETag: p.ETag(p.ID)},
		ID:     p.ID, Name: p.Name, Description: p.Description, Channel: p.Channel, IsActive: p.IsActive,
		Stages: rest.Rendered(p.Stages, stageRecord), Thresholds: thresholdsRecord(p.Thresholds),
		Schedule: scheduleRecord(p.Schedule), CreatedAt: rest.Time{Time: p.CreatedAt}, UpdatedAt: rest.Time{Time: p.UpdatedAt},
		RunningExecutions: append([]int64{}, p.RunningExecutions...),
	}
}

func stageRecord(s models.Stage) Stage {
	stage := Stage{Percentage: s.Percentage, MinDevices: s.MinDevices, MinDurationMinutes: s.MinDurationMinutes}
	if s.Thresholds != nil {
		stage.Thresholds = new(thresholdsRecord(*s.Thresholds))
	}
	return stage
}

func stageModel(s Stage) models.Stage {
	stage := models.Stage{Percentage: s.Percentage, MinDevices: s.MinDevices, MinDurationMinutes: s.MinDurationMinutes}
	if s.Thresholds != nil {
		stage.Thresholds = new(s.Thresholds.model())
	}
	return stage
}

func (RolloutPolicy) Example() any {
	return RolloutPolicy{
		ID: 8, Name: "Careful", Description: "One in twenty, half, all", IsActive: true, Stages: exampleStages(),
		Thresholds: exampleThresholds(), Schedule: scheduleRecord(models.Schedule{}), CreatedAt: rest.ExampleTime,
		UpdatedAt: rest.ExampleTime, RunningExecutions: []int64{},
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
		MinNetworks: new(int64(3)), AllocationVotes: new(int64(20)), Events: exampleEventLimits(),
	}
}

// FreezeWindow is a part of a day in which no stage begins by itself.
type FreezeWindow struct {
	Days []models.Weekday `json:"days,omitempty" enum:"mon,tue,wed,thu,fri,sat,sun" doc:"Days on which it begins; every day when absent or empty."`
	From string           `json:"from" pattern:"^([01][0-9]|2[0-3]):[0-5][0-9]$" doc:"Time of day in the policy's time zone, HH:MM."`
	To   string           `json:"to" pattern:"^([01][0-9]|2[0-3]):[0-5][0-9]$" doc:"Time of day; at or before from it is on the next day."`
}

// Schedule says when stages begin by themselves.
type Schedule struct {
	StartAt       *rest.Time     `json:"startAt" nullable:"true" doc:"When the first stage begins at the earliest; null for at once."`
	TimeZone      string         `json:"timeZone" doc:"Zone of the freeze windows, as the IANA time zone database names it."`
	FreezeWindows []FreezeWindow `json:"freezeWindows" doc:"Periods in which no stage begins by itself. Thresholds are observed, and people can advance the rollout."`
}

func scheduleRecord(s models.Schedule) Schedule {
	record := Schedule{StartAt: rest.TimeOrNull(s.StartAt), TimeZone: s.TimeZone, FreezeWindows: rest.Rendered(s.FreezeWindows, windowRecord)}
	if record.TimeZone == "" {
		record.TimeZone = time.UTC.String()
	}
	return record
}

func windowRecord(w models.FreezeWindow) FreezeWindow { return FreezeWindow(w) }

// windowModels is nil without windows, as in a policy that never had any.
func windowModels(windows []FreezeWindow) []models.FreezeWindow {
	if len(windows) == 0 {
		return nil
	}
	return rest.Rendered(windows, func(w FreezeWindow) models.FreezeWindow { return models.FreezeWindow(w) })
}

func exampleWindows() []FreezeWindow {
	return []FreezeWindow{{Days: []models.Weekday{"fri"}, From: "16:00", To: "00:00"}, {Days: []models.Weekday{"sat", "sun"}, From: "00:00", To: "00:00"}}
}

func (r RolloutPolicy) RecordID() int64 { return r.ID }

// Model returns the thresholds in the domain's words.
func (t Thresholds) model() models.Thresholds {
	return models.Thresholds{
		ErrorRate: t.ErrorRate, CrashRate: t.CrashRate, Action: t.Action, Method: t.Method, RollbackScope: t.RollbackScope,
		Baseline: t.Baseline, MinNetworks: t.MinNetworks, AllocationVotes: t.AllocationVotes, Events: eventLimitModels(t.Events),
	}
}

func thresholdsRecord(t models.Thresholds) Thresholds {
	record := Thresholds{
		ErrorRate: t.ErrorRate, CrashRate: t.CrashRate, Action: t.Action, Method: t.Method, RollbackScope: t.RollbackScope,
		Baseline: t.Baseline, MinNetworks: t.MinNetworks, AllocationVotes: t.AllocationVotes,
	}
	if t.Events != nil {
		record.Events = rest.Rendered(t.Events, func(l models.EventLimit) EventLimit { return EventLimit(l) })
	}
	return record
}

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
	// UpdatePolicy and DeletePolicy fail with policy_locked while a rollout of the policy is open.
	UpdatePolicy(
		ctx context.Context, projectID int64, actor models.Actor, id int64, patch models.PolicyPatch,
	) (models.RolloutPolicy, error)
	DeletePolicy(ctx context.Context, projectID int64, actor models.Actor, id int64) error
}

var (
	listPoliciesDoc = rest.Doc(tagPolicies, "listRolloutPolicies", "List rollout policies",
		"Returns each policy with its running and paused rollouts.")
	createPolicyDoc = rest.Doc(tagPolicies, "createRolloutPolicy", "Create a rollout policy",
		"A policy has 1 to 20 stages with rising percentages, and the last percentage is 100. A rollout keeps the policy as "+
			"it was when the rollout started.",
		http.StatusCreated)
	getPolicyDoc   = rest.Doc(tagPolicies, "getRolloutPolicy", "Get a rollout policy", "Returns the current state of the policy.")
	patchPolicyDoc = rest.Doc(tagPolicies, "patchRolloutPolicy", "Change a rollout policy",
		"Fields that are absent keep their value, including the fields of thresholds. A policy with a running or paused "+
			"rollout cannot be changed (policy_locked).",
		http.StatusConflict)
	deletePolicyDoc = rest.Doc(tagPolicies, "deleteRolloutPolicy", "Delete a rollout policy",
		"Ended rollouts keep their copy of the policy. A policy with a running or paused rollout cannot be deleted (policy_locked).",
		http.StatusConflict)
)

type createPolicyBody struct {
	Name          string         `json:"name" doc:"Display name of the policy."`
	Description   string         `json:"description,omitempty"`
	Channel       *string        `json:"channel,omitempty" doc:"Name of the only channel whose releases the policy may roll out; any channel by default."`
	IsActive      *bool          `json:"isActive,omitempty" doc:"Whether new rollouts may use the policy; true by default."`
	Stages        []Stage        `json:"stages" doc:"Stages in order."`
	Thresholds    Thresholds     `json:"thresholds,omitzero" doc:"Thresholds in every stage; none by default."`
	StartAt       *time.Time     `json:"startAt,omitempty" doc:"Earliest start of the first stage of a rollout; immediately by default."`
	TimeZone      string         `json:"timeZone,omitempty" doc:"IANA name of the time zone of freezeWindows, such as Europe/Berlin; UTC by default."`
	FreezeWindows []FreezeWindow `json:"freezeWindows,omitempty" maxItems:"20" doc:"Periods in which stages do not begin automatically. Waft still checks thresholds, and people can advance the rollout."`
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
		Name: "Careful", Description: "5%, then half, then all devices", Stages: exampleStages(), Thresholds: exampleThresholds(),
		TimeZone: "Europe/Berlin", FreezeWindows: exampleWindows(),
	}
}

type patchPolicyBody struct {
	Name          rest.Patch[string]          `json:"name,omitzero" doc:"Display name of the policy."`
	Description   rest.Patch[string]          `json:"description,omitzero" nullable:"true" doc:"Description of the policy; null clears it."`
	Channel       rest.Patch[string]          `json:"channel,omitzero" nullable:"true" doc:"Name of the only channel whose releases the policy may roll out; null for any."`
	IsActive      rest.Patch[bool]            `json:"isActive,omitzero" doc:"Whether new rollouts may use the policy."`
	Stages        rest.Patch[[]Stage]         `json:"stages,omitzero" doc:"Stages in order, which replace all current ones."`
	Thresholds    rest.Patch[patchThresholds] `json:"thresholds,omitzero"`
	StartAt       rest.Patch[time.Time]       `json:"startAt,omitzero" nullable:"true" doc:"Earliest start of the first stage; null for immediately."`
	TimeZone      rest.Patch[string]          `json:"timeZone,omitzero" doc:"IANA name of the time zone of freezeWindows."`
	FreezeWindows rest.Patch[[]FreezeWindow]  `json:"freezeWindows,omitzero" doc:"Freeze windows, which replace all current ones; empty for none."`
}

type patchThresholds struct {
	ErrorRate       rest.Patch[float64]                `json:"errorRate,omitzero" nullable:"true" exclusiveMinimum:"0" maximum:"100" doc:"Maximum percentage of devices with an error; null for no threshold."`
	CrashRate       rest.Patch[float64]                `json:"crashRate,omitzero" nullable:"true" exclusiveMinimum:"0" maximum:"100" doc:"Maximum percentage of devices with a crash; null for no threshold."`
	Action          rest.Patch[models.ThresholdAction] `json:"action,omitzero" enum:"gate,auto-rollback"`
	Method          rest.Patch[models.EvidenceMethod]  `json:"method,omitzero" enum:"sequential,point"`
	RollbackScope   rest.Patch[models.RollbackScope]   `json:"rollbackScope,omitzero" enum:"release,graduated"`
	Baseline        rest.Patch[models.Baseline]        `json:"baseline,omitzero" enum:"limit,control"`
	MinNetworks     rest.Patch[int64]                  `json:"minNetworks,omitzero" minimum:"1" maximum:"1000000" doc:"Minimum number of networks that must report before a rate can decide."`
	AllocationVotes rest.Patch[int64]                  `json:"allocationVotes,omitzero" minimum:"1" maximum:"100" doc:"Maximum number of votes that the networks of one allocation have together."`
	Events          rest.Patch[[]EventLimit]           `json:"events,omitzero" nullable:"true" doc:"Thresholds for custom events, which replace all current ones; empty or null for none."`
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
	Percentage         float64     `json:"percentage" minimum:"0" maximum:"100" doc:"Percentage of devices that get the release from this stage on; higher than in the previous stage."`
	MinDevices         int64       `json:"minDevices" minimum:"0" required:"false" doc:"Minimum number of devices that sent a report with the release before the stage can end."`
	MinDurationMinutes float64     `json:"minDurationMinutes" minimum:"0" required:"false" doc:"Minimum length of the stage in minutes, without pauses; fractions are allowed."`
	Thresholds         *Thresholds `json:"thresholds,omitempty" doc:"Thresholds that replace the policy's thresholds during this stage, field by field."`
}

// Thresholds limit the rates of devices with errors, crashes and custom events.
type Thresholds struct {
	ErrorRate       *float64               `json:"errorRate,omitempty" exclusiveMinimum:"0" maximum:"100" doc:"Maximum percentage of devices with an error: 2.0 means 2%."`
	CrashRate       *float64               `json:"crashRate,omitempty" exclusiveMinimum:"0" maximum:"100" doc:"Maximum percentage of devices with a crash."`
	Action          models.ThresholdAction `json:"action,omitempty" enum:"gate,auto-rollback" doc:"Effect of a breach: hold the stage, or roll back the release. Default: auto-rollback."`
	Method          models.EvidenceMethod  `json:"method,omitempty" enum:"sequential,point" doc:"Method to evaluate a rate: a sequential test that is valid at any time, or the plain rate once minDevices is reached. Default: sequential."`
	RollbackScope   models.RollbackScope   `json:"rollbackScope,omitempty" enum:"release,graduated" doc:"First target of an automatic rollback: the release, or its linked flags. Default: release."`
	Baseline        models.Baseline        `json:"baseline,omitempty" enum:"limit,control" doc:"Baseline of the rates. limit: the thresholds. control: the thresholds and the control group, for the metrics with a threshold, or for both metrics if none has one. Default: limit."`
	MinNetworks     *int64                 `json:"minNetworks,omitempty" minimum:"1" maximum:"1000000" doc:"Minimum number of networks (IPv4 /24, IPv6 /48) that must report before a rate can decide. Each network has one vote and no decision depends on a single network. With 1, Waft counts devices instead, so one sender of forged reports can decide. Default: 3."`
	AllocationVotes *int64                 `json:"allocationVotes,omitempty" minimum:"1" maximum:"100" doc:"Maximum number of votes that the networks of one allocation (IPv4 /16, IPv6 /32) have together, so that a rented allocation does not have thousands of votes. No decision depends on a single allocation. Fewer votes make an attack more expensive, but a defect that affects only one provider is found later. Default: 20."`
	Events          []EventLimit           `json:"events,omitzero" maxItems:"5" nullable:"false" doc:"Thresholds for custom events. The list of a stage replaces the whole list of the policy, even if it is empty."`
}

// RolloutPolicy is a reusable set of stages, thresholds and schedule for rollouts.
type RolloutPolicy struct {
	rest.Tagged
	ID          int64      `json:"id"`
	Name        string     `json:"name"`
	Description string     `json:"description"`
	Channel     *string    `json:"channel" doc:"Name of the only channel whose releases the policy may roll out; null for any."`
	IsActive    bool       `json:"isActive"`
	Stages      []Stage    `json:"stages"`
	Thresholds  Thresholds `json:"thresholds"`
	Schedule
	CreatedAt         rest.Time `json:"createdAt"`
	UpdatedAt         rest.Time `json:"updatedAt"`
	RunningExecutions []int64   `json:"runningExecutions" doc:"IDs of running and paused rollouts that use the policy. It cannot be changed while there are any."`
}

// PolicyRecord returns the API's representation of a rollout policy.
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
		ID: 8, Name: "Careful", Description: "5%, then half, then all devices", IsActive: true, Stages: exampleStages(),
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

// FreezeWindow is a part of a day in which stages do not begin automatically.
type FreezeWindow struct {
	Days []models.Weekday `json:"days,omitempty" enum:"mon,tue,wed,thu,fri,sat,sun" doc:"Days on which the window begins; every day by default or if empty."`
	From string           `json:"from" pattern:"^([01][0-9]|2[0-3]):[0-5][0-9]$" doc:"Start of the window in the policy's time zone, HH:MM."`
	To   string           `json:"to" pattern:"^([01][0-9]|2[0-3]):[0-5][0-9]$" doc:"End of the window, HH:MM. A time at or before from is on the next day."`
}

// Schedule controls when stages begin automatically.
type Schedule struct {
	StartAt       *rest.Time     `json:"startAt" nullable:"true" doc:"Earliest start of the first stage; null for immediately."`
	TimeZone      string         `json:"timeZone" doc:"IANA name of the time zone of the freeze windows."`
	FreezeWindows []FreezeWindow `json:"freezeWindows" doc:"Periods in which stages do not begin automatically. Waft still checks thresholds, and people can advance the rollout."`
}

func scheduleRecord(s models.Schedule) Schedule {
	record := Schedule{StartAt: rest.TimeOrNull(s.StartAt), TimeZone: s.TimeZone, FreezeWindows: rest.Rendered(s.FreezeWindows, windowRecord)}
	if record.TimeZone == "" {
		record.TimeZone = time.UTC.String()
	}
	return record
}

func windowRecord(w models.FreezeWindow) FreezeWindow { return FreezeWindow(w) }

// windowModels returns nil if there are no windows, as in a policy that never had any.
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

// model converts the thresholds to the domain type.
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

package api

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waft-ota/waft/models"
)

// Policies stores rollout policies.
type Policies interface {
	CreatePolicy(
		ctx context.Context, projectID int64, actor models.Actor, n models.NewRolloutPolicy,
	) (models.RolloutPolicy, error)
	ListPolicies(ctx context.Context, projectID int64, page models.Page) ([]models.RolloutPolicy, error)
	Policy(ctx context.Context, projectID, id int64) (models.RolloutPolicy, error)
	// UpdatePolicy and DeletePolicy answer policy_locked while a rollout by the policy
	// is open.
	UpdatePolicy(
		ctx context.Context, projectID int64, actor models.Actor, id int64, patch models.PolicyPatch,
	) (models.RolloutPolicy, error)
	DeletePolicy(ctx context.Context, projectID int64, actor models.Actor, id int64) error
}

var listPoliciesDoc = huma.Operation{
	OperationID: "listRolloutPolicies", Tags: []string{tagPolicies}, Summary: "List rollout policies",
	Description: "Each policy with its running and paused rollouts.",
}

var createPolicyDoc = huma.Operation{
	OperationID: "createRolloutPolicy", Tags: []string{tagPolicies}, Summary: "Create a rollout policy",
	Description:   "1 to 20 stages with rising percentages, the last one 100. A rollout keeps the policy as it was when it started.",
	DefaultStatus: http.StatusCreated,
}

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

func (b createPolicyBody) model() models.NewRolloutPolicy {
	n := models.NewRolloutPolicy{
		Name: b.Name, Description: b.Description, Channel: b.Channel, IsActive: b.IsActive == nil || *b.IsActive,
		Stages: rendered(b.Stages, stageModel), Thresholds: models.Thresholds(b.Thresholds),
		Schedule: models.Schedule{StartAt: b.StartAt, TimeZone: b.TimeZone, FreezeWindows: windowModels(b.FreezeWindows)},
	}
	n.Normalize()
	return n
}

func (b createPolicyBody) Resolve(huma.Context) []error { return bodyErrors(b.model().Validate()) }

func (createPolicyBody) example() any {
	return createPolicyBody{
		Name: "Careful", Description: "One in twenty, half, all", Stages: exampleStages(), Thresholds: exampleThresholds(),
		TimeZone: "Europe/Berlin", FreezeWindows: exampleWindows(),
	}
}

var getPolicyDoc = huma.Operation{
	OperationID: "getRolloutPolicy", Tags: []string{tagPolicies}, Summary: "Get a rollout policy",
	Description: "The current state.",
}

var patchPolicyDoc = huma.Operation{
	OperationID: "patchRolloutPolicy", Tags: []string{tagPolicies}, Summary: "Change a rollout policy",
	Description: "Absent fields keep their value, those of thresholds too. A policy with a running or paused rollout cannot be changed (policy_locked).",
	Errors:      []int{http.StatusConflict},
}

type patchPolicyBody struct {
	Name          Patch[string]          `json:"name,omitzero" doc:"Display name."`
	Description   Patch[string]          `json:"description,omitzero" nullable:"true" doc:"Null clears it."`
	Channel       Patch[string]          `json:"channel,omitzero" nullable:"true" doc:"The only channel whose releases it may roll out; null for any."`
	IsActive      Patch[bool]            `json:"isActive,omitzero" doc:"False keeps new rollouts from using it."`
	Stages        Patch[[]Stage]         `json:"stages,omitzero" doc:"In order; they replace all."`
	Thresholds    Patch[patchThresholds] `json:"thresholds,omitzero"`
	StartAt       Patch[time.Time]       `json:"startAt,omitzero" nullable:"true" doc:"When the first stage begins at the earliest; null for at once."`
	TimeZone      Patch[string]          `json:"timeZone,omitzero" doc:"Zone of freezeWindows by its IANA name."`
	FreezeWindows Patch[[]FreezeWindow]  `json:"freezeWindows,omitzero" doc:"They replace all; none when empty."`
}

type patchThresholds struct {
	ErrorRate     Patch[float64]                `json:"errorRate,omitzero" nullable:"true" exclusiveMinimum:"0" maximum:"100" doc:"Highest share of devices with an error, in percent; null for no limit."`
	CrashRate     Patch[float64]                `json:"crashRate,omitzero" nullable:"true" exclusiveMinimum:"0" maximum:"100" doc:"Highest share of devices with a crash, in percent; null for no limit."`
	Action        Patch[models.ThresholdAction] `json:"action,omitzero" enum:"gate,auto-rollback"`
	Method        Patch[models.EvidenceMethod]  `json:"method,omitzero" enum:"sequential,point"`
	RollbackScope Patch[models.RollbackScope]   `json:"rollbackScope,omitzero" enum:"release,graduated"`
	Baseline      Patch[models.Baseline]        `json:"baseline,omitzero" enum:"limit,control"`
}

func (b patchPolicyBody) model() (models.PolicyPatch, models.Problems) {
	var p models.Problems
	var thresholds patchThresholds
	if given := b.Thresholds.notNull(&p, "thresholds"); given != nil {
		thresholds = *given
	}
	patch := models.PolicyPatch{
		Name:        b.Name.notNull(&p, "name"),
		Description: cleared(b.Description),
		Channel:     b.Channel.nullable(),
		IsActive:    b.IsActive.notNull(&p, "isActive"),
		Thresholds: models.ThresholdsPatch{
			ErrorRate:     thresholds.ErrorRate.nullable(),
			CrashRate:     thresholds.CrashRate.nullable(),
			Action:        thresholds.Action.notNull(&p, "thresholds.action"),
			Method:        thresholds.Method.notNull(&p, "thresholds.method"),
			RollbackScope: thresholds.RollbackScope.notNull(&p, "thresholds.rollbackScope"),
			Baseline:      thresholds.Baseline.notNull(&p, "thresholds.baseline"),
		},
		StartAt:  b.StartAt.nullable(),
		TimeZone: b.TimeZone.notNull(&p, "timeZone"),
	}
	if stages := b.Stages.notNull(&p, "stages"); stages != nil {
		patch.Stages = new(rendered(*stages, stageModel))
	}
	if windows := b.FreezeWindows.notNull(&p, "freezeWindows"); windows != nil {
		patch.FreezeWindows = new(windowModels(*windows))
	}
	return patch, p
}

func (b patchPolicyBody) Resolve(huma.Context) []error { return patchErrors(b.model()) }

func (patchPolicyBody) example() any {
	return patchPolicyBody{Stages: patchTo(exampleStages()), Thresholds: patchTo(patchThresholds{CrashRate: patchTo(0.5)})}
}

var deletePolicyDoc = huma.Operation{
	OperationID: "deleteRolloutPolicy", Tags: []string{tagPolicies}, Summary: "Delete a rollout policy",
	Description: "Ended rollouts keep their copy of the policy. A policy with a running or paused rollout cannot be deleted (policy_locked).",
	Errors:      []int{http.StatusConflict},
}

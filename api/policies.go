package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waft-ota/waft/models"
)

// Policies keeps plans for rollouts.
type Policies interface {
	CreatePolicy(
		ctx context.Context, projectID int64, actor models.Actor, n models.NewRolloutPolicy,
	) (models.RolloutPolicy, error)
	ListPolicies(ctx context.Context, projectID int64, page models.Page) ([]models.RolloutPolicy, error)
	Policy(ctx context.Context, projectID, id int64) (models.RolloutPolicy, error)
}

type policyHandlers struct{ policies Policies }

var listPoliciesDoc = huma.Operation{
	OperationID: "listRolloutPolicies", Tags: []string{tagPolicies}, Summary: "List rollout policies",
	Description: "And the rollouts that each has running.",
}

func (h policyHandlers) list(ctx context.Context, in *listInput) (*List[RolloutPolicy], error) {
	return listed(ctx, in.PageQuery,
		func(p models.Page) ([]models.RolloutPolicy, error) {
			return h.policies.ListPolicies(ctx, projectOf(ctx), p)
		},
		func(p models.RolloutPolicy) int64 { return p.ID }, policyRecord)
}

var createPolicyDoc = huma.Operation{
	OperationID: "createRolloutPolicy", Tags: []string{tagPolicies}, Summary: "Create a rollout policy",
	Description:   "1 to 20 stages with rising percentages, the last one 100. A rollout keeps the policy as it was when it started.",
	DefaultStatus: http.StatusCreated, Errors: []int{http.StatusConflict},
}

type createPolicyBody struct {
	Name        string     `json:"name" doc:"Display name."`
	Description string     `json:"description,omitempty"`
	Channel     *string    `json:"channel,omitempty" doc:"The only channel whose releases it may roll out; any when absent."`
	IsActive    *bool      `json:"isActive,omitempty" doc:"False keeps new rollouts from using it; true when absent."`
	Stages      []Stage    `json:"stages" doc:"In order."`
	Thresholds  Thresholds `json:"thresholds,omitzero" doc:"Limits that hold in every stage; none when absent."`
}

func (b createPolicyBody) model() models.NewRolloutPolicy {
	n := models.NewRolloutPolicy{
		Name: b.Name, Description: b.Description, Channel: b.Channel, IsActive: b.IsActive == nil || *b.IsActive,
		Stages: rendered(b.Stages, stageModel), Thresholds: models.Thresholds(b.Thresholds),
	}
	n.Normalize()
	return n
}

// Resolve adds the domain's checks to the schema's.
func (b createPolicyBody) Resolve(huma.Context) []error { return bodyErrors(b.model().Validate()) }

func (createPolicyBody) example() any {
	return createPolicyBody{
		Name: "Careful", Description: "One in twenty, half, all", Stages: exampleStages(), Thresholds: exampleThresholds(),
	}
}

type createPolicyInput struct{ Body createPolicyBody }

type policyOutput struct{ Body RolloutPolicy }

func (h policyHandlers) create(ctx context.Context, in *createPolicyInput) (*policyOutput, error) {
	p, err := h.policies.CreatePolicy(ctx, projectOf(ctx), actorOf(ctx), in.Body.model())
	return &policyOutput{policyRecord(p)}, err
}

var getPolicyDoc = huma.Operation{
	OperationID: "getRolloutPolicy", Tags: []string{tagPolicies}, Summary: "Get a rollout policy",
	Description: "As it is now.", Errors: []int{http.StatusNotFound},
}

func (h policyHandlers) get(ctx context.Context, in *idInput) (*policyOutput, error) {
	p, err := h.policies.Policy(ctx, projectOf(ctx), in.ID)
	return &policyOutput{policyRecord(p)}, err
}

package flags

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

// Contexts stores the contexts that flags are evaluated for.
type Contexts interface {
	// SaveContext creates and pins a context. If a context of the same kind and key exists, it merges into that one.
	SaveContext(
		ctx context.Context, projectID int64, actor models.Actor, seen models.SeenContext,
	) (c models.EvaluationContext, created bool, err error)
	ListContexts(
		ctx context.Context, projectID int64, filter models.ContextFilter, page models.Page,
	) ([]models.EvaluationContext, error)
	Context(ctx context.Context, projectID, id int64) (models.EvaluationContext, error)
	DeleteContext(ctx context.Context, projectID int64, actor models.Actor, id int64) error
	// RecentContexts returns a sample of the contexts of the last 7 days, each with only the named attributes.
	RecentContexts(ctx context.Context, projectID int64, attributes []string, now time.Time) (models.RecentContexts, error)
	// ContextAttributes returns the attributes of the contexts of the last 7 days, the most frequent first.
	ContextAttributes(ctx context.Context, projectID int64, now time.Time) ([]models.ContextAttribute, error)
}

var (
	listContextsDoc = rest.Doc(tagContexts, "listContexts", "List contexts",
		"Lists the pinned contexts, which were created manually, and the most recently seen contexts, up to a quota "+
			"(WAFT_QUOTA_CONTEXTS, 100,000).")
	getContextDoc = rest.Doc(tagContexts, "getContext", "Get a context",
		"Returns the context with the attributes that it last had in an evaluation.")
	deleteContextDoc = rest.Doc(tagContexts, "deleteContext", "Delete a context",
		"Waft creates the context again when flags are next evaluated for it.")
	listContextKindsDoc = rest.Doc(tagContexts, "listContextKinds", "List the kinds of contexts",
		"The kinds are the same in every project.")
	listContextAttributesDoc = rest.Doc(tagContexts, "listContextAttributes", "List the attributes of contexts",
		"Lists the 100 most frequent attributes of the contexts of the last 7 days, each with its 20 most frequent values. If there "+
			"are more than 2,000 contexts, Waft reads a sample of them.")
)

type listContextsInput struct {
	rest.PageQuery
	Kind   models.ContextKind `query:"kind" enum:"user,device,organization,service,environment" doc:"Kind of the contexts."`
	Search string             `query:"search" maxLength:"256" doc:"String that the key, the name or an attribute value must contain, ignoring case. Without sort, exact matches come first, then names that begin with the string, then the others."`
}

func (h *Handlers) listContexts(ctx context.Context, in *listContextsInput) (*rest.List[Context], error) {
	filter := models.ContextFilter{Kind: in.Kind}
	return rest.Listed(ctx, rest.ListQuery{PageQuery: in.PageQuery, Search: in.Search}, ContextRecord, func(p models.Page) ([]models.EvaluationContext, error) {
		return h.Contexts.ListContexts(ctx, rest.ProjectOf(ctx), filter, p)
	})
}

var createContextDoc = huma.Operation{
	OperationID: "createContext", Tags: []string{tagContexts}, Summary: "Create or update a context",
	Description: "If a context of the same kind and key exists, Waft merges the name and the attributes into it and returns " +
		"200; null removes an attribute. For a new context it returns 201. The context is pinned: evaluations change neither " +
		"its name nor its attributes, and it is kept until it is deleted.",
	DefaultStatus: http.StatusCreated,
	Responses: map[string]*huma.Response{"200": {
		Description: "The existing context after the merge.",
		Content:     rest.RecordContent("application/json", "Context", Context{}.Example()),
	}},
}

type createContextBody struct {
	Kind         models.ContextKind `json:"kind" enum:"user,device,organization,service,environment" doc:"Kind of subject that the context represents."`
	TargetingKey string             `json:"targetingKey" doc:"Key that is unique among the contexts of this kind."`
	Name         *string            `json:"name,omitempty" doc:"Display name of the context."`
	Attributes   map[string]any     `json:"attributes,omitempty" doc:"JSON values by name: at most 100 values and 16 KiB in total."`
}

func (b createContextBody) Model() models.SeenContext { return models.SeenContext(b) }
func (b createContextBody) Resolve(huma.Context) []error {
	return rest.BodyErrors(b.Model().Validate())
}

func (createContextBody) Example() any {
	return createContextBody{Kind: "user", TargetingKey: "user-42", Name: new("Ada"), Attributes: map[string]any{"plan": "pro"}}
}

type savedContextOutput struct {
	Status int
	Body   Context
}

func (h *Handlers) createContext(ctx context.Context, in *rest.BodyInput[createContextBody]) (*savedContextOutput, error) {
	c, created, err := h.Contexts.SaveContext(ctx, rest.ProjectOf(ctx), rest.ActorOf(ctx), in.Body.Model())
	out := &savedContextOutput{http.StatusOK, ContextRecord(c)}
	if created {
		out.Status = http.StatusCreated
	}
	return out, err
}

// ContextKinds lists the names of kinds.
type ContextKinds []models.ContextKind

func (ContextKinds) Example() any { return models.ContextKinds }

func (h *Handlers) listContextKinds(context.Context, *struct{}) (*rest.Output[ContextKinds], error) {
	return &rest.Output[ContextKinds]{Body: models.ContextKinds}, nil
}

// ContextAttribute is an attribute of recent contexts.
type ContextAttribute struct {
	Name     string  `json:"name" doc:"Name of the attribute in conditions."`
	Contexts int64   `json:"contexts" doc:"Number of contexts in the sample that have the attribute."`
	Values   Scalars `json:"values" doc:"Most frequent strings, numbers and booleans, the most frequent first."`
}

// Scalars are strings, numbers and booleans.
type Scalars []any

func (Scalars) Schema(r huma.Registry) *huma.Schema { return Texts{}.Schema(r) }

func contextAttributeRecord(a models.ContextAttribute) ContextAttribute {
	return ContextAttribute{a.Name, a.Contexts, a.Values}
}

func (ContextAttribute) Example() any {
	return ContextAttribute{"platform", 120, []any{"ios", "android"}}
}

func (h *Handlers) listContextAttributes(ctx context.Context, _ *struct{}) (*rest.Output[[]ContextAttribute], error) {
	all, err := h.Contexts.ContextAttributes(ctx, rest.ProjectOf(ctx), h.Now())
	return &rest.Output[[]ContextAttribute]{Body: rest.Rendered(all, contextAttributeRecord)}, err
}

// Context is a user, device or other subject that flags are evaluated for.
type Context struct {
	rest.Tagged
	ID              int64              `json:"id"`
	Kind            models.ContextKind `json:"kind" enum:"user,device,organization,service,environment"`
	TargetingKey    string             `json:"targetingKey" doc:"Key that is unique among the contexts of this kind."`
	Name            string             `json:"name"`
	Attributes      map[string]any     `json:"attributes" doc:"JSON values by name."`
	FirstSeenAt     rest.Time          `json:"firstSeenAt"`
	LastSeenAt      rest.Time          `json:"lastSeenAt"`
	EvaluationCount int64              `json:"evaluationCount" doc:"Number of evaluations of flags for the context."`
	Pinned          bool               `json:"pinned" doc:"Whether the context was created manually. Waft records other contexts when they evaluate flags; above the quota it deletes the least recently seen ones."`
}

// ContextRecord returns the API's representation of a context.
func ContextRecord(c models.EvaluationContext) Context {
	return Context{
		Tagged: rest.Tagged{ETag: c.ETag(c.ID)},
		ID:     c.ID, Kind: c.Kind, TargetingKey: c.TargetingKey, Name: c.Name, Attributes: rest.OrEmpty(c.Attributes),
		FirstSeenAt: rest.Time{Time: c.FirstSeenAt}, LastSeenAt: rest.Time{Time: c.LastSeenAt}, EvaluationCount: c.EvaluationCount,
		Pinned: c.Pinned,
	}
}

func (Context) Example() any {
	return Context{
		ID: 34, Kind: "user", TargetingKey: "user-42", Name: "Ada", Attributes: map[string]any{"plan": "pro"},
		FirstSeenAt: rest.ExampleTime, LastSeenAt: rest.ExampleTime, EvaluationCount: 7, Pinned: true,
	}
}

func (r Context) RecordID() int64 { return r.ID }

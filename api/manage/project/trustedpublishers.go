package project

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waft-ota/waft/api/access"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

// TrustedPublishers stores the CI jobs whose ID tokens a project accepts.
type TrustedPublishers interface {
	TrustedPublishers(ctx context.Context, projectID int64) ([]models.TrustedPublisher, error)
	// PutTrustedPublishers replaces the whole list.
	PutTrustedPublishers(
		ctx context.Context, projectID int64, actor models.Actor, n models.NewTrustedPublishers,
	) ([]models.TrustedPublisher, error)
}

var (
	listPublishersDoc = rest.Doc(tagKeys, "listTrustedPublishers", "List trusted publishers",
		"CI jobs whose ID tokens can be exchanged for short-lived keys at POST /v1/auth/token. If a token matches several "+
			"entries, the first one counts.")
	putPublishersDoc = access.Sensitive(rest.Doc(tagKeys, "putTrustedPublishers", "Replace the trusted publishers",
		"The body is the whole list. Unchanged entries keep their IDs and their keys. The keys of removed or changed entries "+
			"are revoked."))
)

// TrustedPublisher is an entry of the list.
type TrustedPublisher struct {
	ID        int64             `json:"id"`
	Issuer    string            `json:"issuer" doc:"OpenID Connect issuer of the CI system."`
	Audience  string            `json:"audience" doc:"Only audience that a token may be issued for."`
	Claims    map[string]string `json:"claims" doc:"Claims that a token must have."`
	Role      models.Role       `json:"role" enum:"viewer,editor" doc:"Role of the keys."`
	Channels  []string          `json:"channels" nullable:"true" doc:"Names of the only channels that the keys may change; null for all."`
	CreatedAt rest.Time         `json:"createdAt"`
}

func publisherRecord(p models.TrustedPublisher) TrustedPublisher {
	return TrustedPublisher{
		ID: p.ID, Issuer: p.Issuer, Audience: p.Audience, Claims: p.Claims, Role: p.Role, Channels: p.Channels,
		CreatedAt: rest.Time{Time: p.CreatedAt},
	}
}

const (
	exampleIssuer   = "https://token.actions.githubusercontent.com"
	exampleAudience = "https://ota.example.com"
)

var exampleClaims = map[string]string{"repository": "acme/app", "ref": "refs/heads/main"}

func (TrustedPublisher) Example() any {
	return TrustedPublisher{
		ID: 71, Issuer: exampleIssuer, Audience: exampleAudience, Claims: exampleClaims, Role: models.RoleEditor,
		Channels: []string{"staging"}, CreatedAt: rest.ExampleTime,
	}
}

// putPublisherBody is an entry of the list that replaces the trusted publishers.
type putPublisherBody struct {
	ID        int64             `json:"id,omitempty" doc:"Ignored, so that a response can be edited and sent back."`
	Issuer    string            `json:"issuer" doc:"OpenID Connect issuer of the CI system, an https URL."`
	Audience  string            `json:"audience" doc:"Only audience that a token may be issued for, such as this server's URL."`
	Claims    map[string]string `json:"claims" doc:"Claims that a token must have, each with exactly this string. ref, ref_path, build_branch and build_tag may end in *, which stands for any string. The claims must identify the repository or project: repository, project_path, organization_slug with pipeline_slug, or sub."`
	Role      models.Role       `json:"role" enum:"viewer,editor" doc:"Role of the keys."`
	Channels  []string          `json:"channels,omitempty" nullable:"true" doc:"Names of the only channels that the keys may change; all if absent."`
	CreatedAt *rest.Time        `json:"createdAt,omitempty" doc:"Ignored, so that a response can be edited and sent back."`
}

func (b putPublisherBody) Model() models.NewTrustedPublisher {
	return models.NewTrustedPublisher{Issuer: b.Issuer, Audience: b.Audience, Claims: b.Claims, Role: b.Role, Channels: b.Channels}
}

func (putPublisherBody) Example() any {
	return putPublisherBody{
		Issuer: exampleIssuer, Audience: exampleAudience, Claims: exampleClaims, Role: models.RoleEditor, Channels: []string{"staging"},
	}
}

type putPublishersInput struct{ Body []putPublisherBody }

func (in *putPublishersInput) Model() models.NewTrustedPublishers {
	return rest.Rendered(in.Body, putPublisherBody.Model)
}

func (in *putPublishersInput) Resolve(huma.Context) []error {
	return rest.BodyErrors(in.Model().Validate())
}

func (h *Handlers) putPublishers(ctx context.Context, in *putPublishersInput) (*rest.Output[[]TrustedPublisher], error) {
	list, err := h.TrustedPublishers.PutTrustedPublishers(ctx, rest.ProjectOf(ctx), rest.ActorOf(ctx), in.Model())
	return &rest.Output[[]TrustedPublisher]{Body: renderPublishers(list)}, err
}

func renderPublishers(list []models.TrustedPublisher) []TrustedPublisher {
	return rest.Rendered(list, publisherRecord)
}

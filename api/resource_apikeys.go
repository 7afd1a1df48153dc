package api

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waft-ota/waft/models"
)

// APIKeys stores a project's API keys.
type APIKeys interface {
	// CreateAPIKey keeps the hash of t and its prefix.
	CreateAPIKey(
		ctx context.Context, projectID int64, actor models.Actor, n models.NewAPIKey, t models.APIKeyToken,
	) (models.APIKey, error)
	ListAPIKeys(ctx context.Context, projectID int64, page models.Page) ([]models.APIKey, error)
	RevokeAPIKey(ctx context.Context, projectID int64, actor models.Actor, id int64) error
}

type apiKeyHandlers struct {
	keys APIKeys
	now  func() time.Time
}

var listAPIKeysDoc = huma.Operation{
	OperationID: "listApiKeys", Tags: []string{tagKeys}, Summary: "List API keys",
	Description: "The project's keys without their secrets.",
}

var createAPIKeyDoc = huma.Operation{
	OperationID: "createApiKey", Tags: []string{tagKeys}, Summary: "Create an API key",
	Description: "Only this answer has the whole key.", DefaultStatus: http.StatusCreated,
}

type createAPIKeyBody struct {
	Name      string      `json:"name" doc:"Name of the key, and of its user in the audit log."`
	Role      models.Role `json:"role" enum:"viewer,editor,admin" doc:"What it may do."`
	ExpiresAt *time.Time  `json:"expiresAt,omitempty" doc:"When it stops working; never when absent."`
}

func (b createAPIKeyBody) model() models.NewAPIKey {
	return models.NewAPIKey(b)
}

// Resolve adds the domain's checks to the schema's, but for the one that needs
// the clock.
func (b createAPIKeyBody) Resolve(huma.Context) []error {
	return bodyErrors(b.model().Validate(time.Time{}))
}

func (createAPIKeyBody) example() any {
	return createAPIKeyBody{Name: "ci", Role: models.RoleEditor, ExpiresAt: new(time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC))}
}

func (h apiKeyHandlers) create(ctx context.Context, in *bodyInput[createAPIKeyBody]) (*output[CreatedAPIKey], error) {
	n := in.Body.model()
	if err := n.Validate(h.now()); err != nil {
		return nil, err
	}
	token := models.NewAPIKeyToken()
	k, err := h.keys.CreateAPIKey(ctx, projectOf(ctx), actorOf(ctx), n, token)
	return &output[CreatedAPIKey]{CreatedAPIKey{apiKeyRecord(k), token.Reveal()}}, err
}

var revokeAPIKeyDoc = huma.Operation{
	OperationID: "revokeApiKey", Tags: []string{tagKeys}, Summary: "Revoke an API key",
	Description: "The key stops working at once. The audit log keeps the entries of its changes.",
}

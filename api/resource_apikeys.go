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
	// CreateAPIKey stores the hash and the prefix of t. It is already_exists when another key has the prefix.
	CreateAPIKey(
		ctx context.Context, projectID int64, actor models.Actor, n models.NewAPIKey, t models.APIKeyToken,
	) (models.APIKey, error)
	ListAPIKeys(ctx context.Context, projectID int64, f models.APIKeyFilter, page models.Page) ([]models.APIKey, error)
	RevokeAPIKey(ctx context.Context, projectID int64, actor models.Actor, id int64) error
}

var (
	listAPIKeysDoc = doc(tagKeys, "listApiKeys", "List API keys", "The project's keys without their secrets. Those that "+
		"trusted publishers got for id tokens are in the list shortLived=true, while they work.")
	createAPIKeyDoc = sensitive(doc(tagKeys, "createApiKey", "Create an API key",
		"Only this answer has the whole key.", http.StatusCreated))
	revokeAPIKeyDoc = sensitive(doc(tagKeys, "revokeApiKey", "Revoke an API key",
		"The key stops working at once. The audit log keeps the entries of its changes."))
)

type listAPIKeysInput struct {
	PageQuery
	ShortLived bool `query:"shortLived" doc:"The working keys of trusted publishers, in place of the others."`
}

func (h *ProjectHandlers) listAPIKeys(ctx context.Context, in *listAPIKeysInput) (*List[APIKey], error) {
	return listed(ctx, in.PageQuery, apiKeyRecord, func(p models.Page) ([]models.APIKey, error) {
		return h.APIKeys.ListAPIKeys(ctx, projectOf(ctx), models.APIKeyFilter{ShortLived: in.ShortLived}, p)
	})
}

type createAPIKeyBody struct {
	Name      string      `json:"name" doc:"Name of the key, and of its user in the audit log."`
	Role      models.Role `json:"role" enum:"client,viewer,editor,admin" doc:"What it may do."`
	ExpiresAt *time.Time  `json:"expiresAt,omitempty" doc:"When it stops working; never when absent."`
}

func (b createAPIKeyBody) model() models.NewAPIKey { return models.NewAPIKey(b) }

// Resolve omits the check that needs the clock.
func (b createAPIKeyBody) Resolve(huma.Context) []error {
	return bodyErrors(b.model().Validate(time.Time{}))
}

func (createAPIKeyBody) example() any {
	return createAPIKeyBody{Name: "ci", Role: models.RoleEditor, ExpiresAt: new(time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC))}
}

func (h *ProjectHandlers) createAPIKey(ctx context.Context, in *bodyInput[createAPIKeyBody]) (*output[CreatedAPIKey], error) {
	n := in.Body.model()
	if err := n.Validate(h.Now()); err != nil {
		return nil, err
	}
	k, token, err := withFreePrefix(func(t models.APIKeyToken) (models.APIKey, error) {
		return h.APIKeys.CreateAPIKey(ctx, projectOf(ctx), actorOf(ctx), n, t)
	})
	return &output[CreatedAPIKey]{CreatedAPIKey{apiKeyRecord(k), token.Reveal()}}, err
}

// APIKey is an API key without its secret.
type APIKey struct {
	ID         int64       `json:"id"`
	Name       string      `json:"name" doc:"Name of the key, and of its user in the audit log."`
	Role       models.Role `json:"role" enum:"client,viewer,editor,admin" doc:"What it may do in its project."`
	Prefix     string      `json:"prefix" doc:"The part of the key that may be shown."`
	ExpiresAt  *Time       `json:"expiresAt" nullable:"true" doc:"When it stops working, null for never."`
	LastUsedAt *Time       `json:"lastUsedAt" nullable:"true" doc:"To the minute; null before its first use."`
	RevokedAt  *Time       `json:"revokedAt" nullable:"true" doc:"When it was revoked, else null."`
	CreatedAt  Time        `json:"createdAt"`

	PublisherID *int64   `json:"publisherId" nullable:"true" doc:"Trusted publisher of a short-lived key, else null."`
	Channels    []string `json:"channels" nullable:"true" doc:"The only channels that the key may change; null for all."`
}

func apiKeyRecord(k models.APIKey) APIKey {
	return APIKey{
		ID: k.ID, Name: k.Name, Role: k.Role, Prefix: k.Prefix, ExpiresAt: timeOrNull(k.ExpiresAt),
		LastUsedAt: timeOrNull(k.LastUsedAt), RevokedAt: timeOrNull(k.RevokedAt), CreatedAt: Time{k.CreatedAt},
		PublisherID: k.PublisherID, Channels: k.Channels,
	}
}

func (APIKey) example() any {
	return APIKey{ID: 2, Name: "ci", Role: models.RoleEditor, Prefix: "5e8f0a1c", LastUsedAt: &exampleTime, CreatedAt: exampleTime}
}

// CreatedAPIKey is a new key with its secret, which no other answer has.
type CreatedAPIKey struct {
	APIKey
	Key string `json:"key" doc:"The whole key. It cannot be shown again."`
}

func (CreatedAPIKey) example() any {
	return CreatedAPIKey{
		APIKey: APIKey{ID: 2, Name: "ci", Role: models.RoleEditor, Prefix: "5e8f0a1c", CreatedAt: exampleTime},
		Key:    "waft_5e8f0a1c_…",
	}
}

// The records that lists are paged by.
func (r APIKey) recordID() int64 { return r.ID }

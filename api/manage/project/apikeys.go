package project

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waft-ota/waft/api/access"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

// APIKeys stores a project's API keys.
type APIKeys interface {
	// CreateAPIKey stores the hash and the prefix of t. It fails with already_exists if another key has the prefix.
	CreateAPIKey(
		ctx context.Context, projectID int64, actor models.Actor, n models.NewAPIKey, t models.APIKeyToken,
	) (models.APIKey, error)
	ListAPIKeys(ctx context.Context, projectID int64, f models.APIKeyFilter, page models.Page) ([]models.APIKey, error)
	RevokeAPIKey(ctx context.Context, projectID int64, actor models.Actor, id int64) error
	// RevokeAPIKeysOf revokes all keys that the user created, and returns their number.
	RevokeAPIKeysOf(ctx context.Context, projectID int64, actor models.Actor, userID int64) (revoked int, err error)
}

var (
	listAPIKeysDoc = rest.Doc(tagKeys, "listApiKeys", "List API keys",
		"The project's keys without their secrets. With shortLived=true, the working keys that "+
			"trusted publishers received for ID tokens.")
	createAPIKeyDoc = access.Sensitive(rest.Doc(tagKeys, "createApiKey", "Create an API key",
		"The whole key is only in this response.", http.StatusCreated))
	revokeAPIKeyDoc = access.Sensitive(rest.Doc(tagKeys, "revokeApiKey", "Revoke an API key",
		"The key stops working immediately. The audit log keeps the entries of its changes."))
	revokeAPIKeysDoc = access.Sensitive(rest.Doc(tagKeys, "revokeApiKeys", "Revoke the API keys that a user created",
		"Revokes all of them in one change, including keys created with the user's keys. This works even if the user was "+
			"removed from the project."))
)

type listAPIKeysInput struct {
	rest.ListQuery
	ShortLived bool  `query:"shortLived" doc:"Whether to list only the working short-lived keys of trusted publishers, which are otherwise left out."`
	MadeBy     int64 `query:"madeBy" minimum:"1" doc:"ID of a user, to list only keys that this user created."`
}

func (h *Handlers) listAPIKeys(ctx context.Context, in *listAPIKeysInput) (*rest.List[APIKey], error) {
	return rest.Listed(ctx, in.ListQuery, APIKeyRecord, func(p models.Page) ([]models.APIKey, error) {
		return h.APIKeys.ListAPIKeys(ctx, rest.ProjectOf(ctx), models.APIKeyFilter{ShortLived: in.ShortLived, MadeBy: in.MadeBy}, p)
	})
}

type createAPIKeyBody struct {
	Name      string      `json:"name" doc:"Name of the key, shown as its actor in the audit log."`
	Role      models.Role `json:"role" enum:"client,viewer,editor,admin" doc:"Permissions of the key."`
	ExpiresAt *time.Time  `json:"expiresAt,omitempty" doc:"Time at which the key stops working; without it, the key does not expire."`
}

func (b createAPIKeyBody) Model() models.NewAPIKey { return models.NewAPIKey(b) }

// Resolve omits the check that needs the clock.
func (b createAPIKeyBody) Resolve(huma.Context) []error {
	return rest.BodyErrors(b.Model().Validate(time.Time{}))
}

func (createAPIKeyBody) Example() any {
	return createAPIKeyBody{Name: "ci", Role: models.RoleEditor, ExpiresAt: new(time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC))}
}

func (h *Handlers) createAPIKey(ctx context.Context, in *rest.BodyInput[createAPIKeyBody]) (*rest.Output[CreatedAPIKey], error) {
	n := in.Body.Model()
	if err := n.Validate(h.Now()); err != nil {
		return nil, err
	}
	k, token, err := access.WithFreePrefix(func(t models.APIKeyToken) (models.APIKey, error) {
		return h.APIKeys.CreateAPIKey(ctx, rest.ProjectOf(ctx), rest.ActorOf(ctx), n, t)
	})
	return &rest.Output[CreatedAPIKey]{Body: CreatedAPIKey{APIKeyRecord(k), token.Reveal()}}, err
}

type revokeAPIKeysBody struct {
	MadeBy int64 `json:"madeBy" minimum:"1" doc:"ID of the user who created the keys (userId of a member)."`
}

func (revokeAPIKeysBody) Example() any { return revokeAPIKeysBody{MadeBy: 3} }

// RevokedAPIKeys is the number of keys that were revoked.
type RevokedAPIKeys struct {
	Revoked int `json:"revoked" doc:"Number of revoked keys."`
}

func (RevokedAPIKeys) Example() any { return RevokedAPIKeys{Revoked: 2} }

func (h *Handlers) revokeAPIKeys(ctx context.Context, in *rest.BodyInput[revokeAPIKeysBody]) (*rest.Output[RevokedAPIKeys], error) {
	n, err := h.APIKeys.RevokeAPIKeysOf(ctx, rest.ProjectOf(ctx), rest.ActorOf(ctx), in.Body.MadeBy)
	return &rest.Output[RevokedAPIKeys]{Body: RevokedAPIKeys{n}}, err
}

// APIKey is an API key without its secret.
type APIKey struct {
	ID         int64       `json:"id"`
	Name       string      `json:"name" doc:"Name of the key, shown as its actor in the audit log."`
	Role       models.Role `json:"role" enum:"client,viewer,editor,admin" doc:"Permissions of the key in its project."`
	Prefix     string      `json:"prefix" doc:"First part of the key, which is not secret."`
	ExpiresAt  *rest.Time  `json:"expiresAt" nullable:"true" doc:"Time at which the key stops working; null if it does not expire."`
	LastUsedAt *rest.Time  `json:"lastUsedAt" nullable:"true" doc:"Time of the last use, to the minute; null before the first use."`
	RevokedAt  *rest.Time  `json:"revokedAt" nullable:"true" doc:"Time at which the key was revoked; otherwise null."`
	CreatedAt  rest.Time   `json:"createdAt"`

	PublisherID *int64   `json:"publisherId" nullable:"true" doc:"ID of the trusted publisher that a short-lived key belongs to; otherwise null."`
	Channels    []string `json:"channels" nullable:"true" doc:"Names of the only channels that the key may change; null for all."`
	MadeBy      *int64   `json:"madeBy" nullable:"true" doc:"ID of the user who created the key, directly or with another key; otherwise null."`
}

// APIKeyRecord returns the API's representation of an API key.
func APIKeyRecord(k models.APIKey) APIKey {
	return APIKey{
		ID: k.ID, Name: k.Name, Role: k.Role, Prefix: k.Prefix, ExpiresAt: rest.TimeOrNull(k.ExpiresAt),
		LastUsedAt: rest.TimeOrNull(k.LastUsedAt), RevokedAt: rest.TimeOrNull(k.RevokedAt), CreatedAt: rest.Time{Time: k.CreatedAt},
		PublisherID: k.PublisherID, Channels: k.Channels, MadeBy: k.MadeBy,
	}
}

func (APIKey) Example() any {
	return APIKey{ID: 2, Name: "ci", Role: models.RoleEditor, Prefix: "5e8f0a1c", LastUsedAt: &rest.ExampleTime, CreatedAt: rest.ExampleTime}
}

// CreatedAPIKey is a new key with its secret. No other response contains the secret.
type CreatedAPIKey struct {
	APIKey
	Key string `json:"key" doc:"The whole key, which is shown only once."`
}

func (CreatedAPIKey) Example() any {
	return CreatedAPIKey{
		APIKey: APIKey{ID: 2, Name: "ci", Role: models.RoleEditor, Prefix: "5e8f0a1c", CreatedAt: rest.ExampleTime},
		Key:    "waft_5e8f0a1c_…",
	}
}

// RecordID returns the ID that orders the pages of a list of keys.
func (r APIKey) RecordID() int64 { return r.ID }

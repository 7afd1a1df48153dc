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
	// CreateAPIKey stores the hash and the prefix of t. It is already_exists when another key has the prefix.
	CreateAPIKey(
		ctx context.Context, projectID int64, actor models.Actor, n models.NewAPIKey, t models.APIKeyToken,
	) (models.APIKey, error)
	ListAPIKeys(ctx context.Context, projectID int64, f models.APIKeyFilter, page models.Page) ([]models.APIKey, error)
	RevokeAPIKey(ctx context.Context, projectID int64, actor models.Actor, id int64) error
	// RevokeAPIKeysOf revokes all keys that the user made, and returns how many.
	RevokeAPIKeysOf(ctx context.Context, projectID int64, actor models.Actor, userID int64) (revoked int, err error)
}

var (
	listAPIKeysDoc = rest.Doc(tagKeys, "listApiKeys", "List API keys", "The project's keys without their secrets. Those that "+
		"trusted publishers got for id tokens are in the list shortLived=true, while they work.")
	createAPIKeyDoc = access.Sensitive(rest.Doc(tagKeys, "createApiKey", "Create an API key",
		"Only this answer has the whole key.", http.StatusCreated))
	revokeAPIKeyDoc = access.Sensitive(rest.Doc(tagKeys, "revokeApiKey", "Revoke an API key",
		"The key stops working at once. The audit log keeps the entries of its changes."))
	revokeAPIKeysDoc = access.Sensitive(rest.Doc(tagKeys, "revokeApiKeys", "Revoke the API keys that a person made",
		"Revokes all of them in one change, including keys that the person's keys made. The person may have been removed from the project."))
)

type listAPIKeysInput struct {
	rest.PageQuery
	ShortLived bool  `query:"shortLived" doc:"The working keys of trusted publishers, in place of the others."`
	MadeBy     int64 `query:"madeBy" minimum:"1" doc:"Id of a user: only the keys that this user made."`
}

func (h *Handlers) listAPIKeys(ctx context.Context, in *listAPIKeysInput) (*rest.List[APIKey], error) {
	return rest.Listed(ctx, in.PageQuery, APIKeyRecord, func(p models.Page) ([]models.APIKey, error) {
		return h.APIKeys.ListAPIKeys(ctx, rest.ProjectOf(ctx), models.APIKeyFilter{ShortLived: in.ShortLived, MadeBy: in.MadeBy}, p)
	})
}

type createAPIKeyBody struct {
	Name      string      `json:"name" doc:"Name of the key, and of its user in the audit log."`
	Role      models.Role `json:"role" enum:"client,viewer,editor,admin" doc:"What it may do."`
	ExpiresAt *time.Time  `json:"expiresAt,omitempty" doc:"When it stops working; never when absent."`
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
	MadeBy int64 `json:"madeBy" minimum:"1" doc:"Id of the user who made the keys: userId of a member."`
}

func (revokeAPIKeysBody) Example() any { return revokeAPIKeysBody{MadeBy: 3} }

// RevokedAPIKeys says how many keys were revoked.
type RevokedAPIKeys struct {
	Revoked int `json:"revoked" doc:"Number of keys that were revoked."`
}

func (RevokedAPIKeys) Example() any { return RevokedAPIKeys{Revoked: 2} }

func (h *Handlers) revokeAPIKeys(ctx context.Context, in *rest.BodyInput[revokeAPIKeysBody]) (*rest.Output[RevokedAPIKeys], error) {
	n, err := h.APIKeys.RevokeAPIKeysOf(ctx, rest.ProjectOf(ctx), rest.ActorOf(ctx), in.Body.MadeBy)
	return &rest.Output[RevokedAPIKeys]{Body: RevokedAPIKeys{n}}, err
}

// APIKey is an API key without its secret.
type APIKey struct {
	ID         int64       `json:"id"`
	Name       string      `json:"name" doc:"Name of the key, and of its user in the audit log."`
	Role       models.Role `json:"role" enum:"client,viewer,editor,admin" doc:"What it may do in its project."`
	Prefix     string      `json:"prefix" doc:"The part of the key that may be shown."`
	ExpiresAt  *rest.Time  `json:"expiresAt" nullable:"true" doc:"When it stops working, null for never."`
	LastUsedAt *rest.Time  `json:"lastUsedAt" nullable:"true" doc:"To the minute; null before its first use."`
	RevokedAt  *rest.Time  `json:"revokedAt" nullable:"true" doc:"When it was revoked, else null."`
	CreatedAt  rest.Time   `json:"createdAt"`

	PublisherID *int64   `json:"publisherId" nullable:"true" doc:"Trusted publisher of a short-lived key, else null."`
	Channels    []string `json:"channels" nullable:"true" doc:"The only channels that the key may change; null for all."`
	MadeBy      *int64   `json:"madeBy" nullable:"true" doc:"Id of the user who made the key, even by way of another key, else null."`
}

// APIKeyRecord is the record of an API key.
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

// CreatedAPIKey is a new key with its secret, which no other answer has.
type CreatedAPIKey struct {
	APIKey
	Key string `json:"key" doc:"The whole key. It cannot be shown again."`
}

func (CreatedAPIKey) Example() any {
	return CreatedAPIKey{
		APIKey: APIKey{ID: 2, Name: "ci", Role: models.RoleEditor, Prefix: "5e8f0a1c", CreatedAt: rest.ExampleTime},
		Key:    "waft_5e8f0a1c_…",
	}
}

// RecordID is what lists of keys are paged by.
func (r APIKey) RecordID() int64 { return r.ID }

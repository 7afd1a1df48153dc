package auth

import (
	"context"
	"errors"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waft-ota/waft/api/access"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/internal/identity/idtoken"
	"github.com/waft-ota/waft/models"
)

// Publishers finds trusted publishers and exchanges the tokens of their jobs.
type Publishers interface {
	// PublishersOfIssuer returns the trusted publishers with the issuer in the project with the slug. It returns none
	// for an unknown project.
	PublishersOfIssuer(ctx context.Context, slug, issuer string) ([]models.TrustedPublisher, error)
	// ExchangeToken creates a short-lived key, once per ID token. It fails with not_found if the publisher was
	// removed, and with already_exists if another key has the prefix of t.
	ExchangeToken(
		ctx context.Context, requestID string, projectID int64, e models.TokenExchange, t models.APIKeyToken,
	) (models.APIKey, error)
}

// IDTokens verifies the ID tokens of CI systems.
type IDTokens interface {
	// Verify proves the issuer of the token. It fails with unavailable if the issuer's keys cannot be read, and with
	// rate_limited if an unknown key is looked up too often. All other errors are for the log.
	Verify(ctx context.Context, u idtoken.Unverified) (idtoken.Verified, error)
}

var exchangeTokenDoc = rest.Doc(tagSignIn, "exchangeToken", "Exchange an ID token of a CI job for a key",
	"The key works for 15 minutes and has the role and the channels of the trusted publisher that the token matches. A token "+
		"can be exchanged only once. All other refusals have the same response, whether the project does not exist, does not "+
		"trust the issuer or requires other claims; the server's log has the reason. While the issuer's keys cannot be "+
		"fetched, the response is unavailable.",
	http.StatusCreated)

// maxIDToken is the maximum size of an ID token in bytes.
const maxIDToken = 16 << 10

type exchangeTokenBody struct {
	ProjectSlug string `json:"projectSlug" doc:"Slug of the project."`
	IDToken     string `json:"idToken" doc:"ID token, a JWT of at most 16,384 bytes."`
}

func (b exchangeTokenBody) Resolve(huma.Context) []error {
	var p models.Problems
	if b.ProjectSlug == "" {
		p.Add("projectSlug", "is required")
	}
	switch {
	case b.IDToken == "":
		p.Add("idToken", "is required")
	case len(b.IDToken) > maxIDToken:
		p.Add("idToken", "must be at most %d bytes", maxIDToken)
	}
	return rest.BodyErrors(p.Err())
}

func (exchangeTokenBody) Example() any {
	return exchangeTokenBody{ProjectSlug: rest.ExampleSlug, IDToken: "eyJhbGciOiJSUzI1NiIsImtpZCI6IjEifQ.eyJpc3MiOiJodHRwczovL…"}
}

// ExchangedToken is a key that works for a short time.
type ExchangedToken struct {
	Key       string      `json:"key" doc:"API key, which is shown only once."`
	ExpiresAt rest.Time   `json:"expiresAt" doc:"Time at which the key stops working."`
	Role      models.Role `json:"role" enum:"viewer,editor" doc:"Role of the key."`
	Channels  []string    `json:"channels" nullable:"true" doc:"Names of the only channels that the key may change; null for all."`
}

func (ExchangedToken) Example() any {
	return ExchangedToken{
		Key: "waft_5e8f0a1c_…", ExpiresAt: rest.Time{Time: rest.ExampleTime.Add(models.PublisherKeyLife)}, Role: models.RoleEditor,
		Channels: []string{"staging"},
	}
}

// maxRefusal is the maximum length of a refusal's reason in the log, because the reason quotes the token.
const maxRefusal = 300

// errIDToken is the same for every reason, because a reason would reveal the claims that a project trusts.
var errIDToken = models.Errorf(models.CodeUnauthenticated, "the ID token does not belong to a job that the project trusts")

// refuseToken logs for the operator why a token was refused.
func (h *Handlers) refuseToken(ctx context.Context, slug string, why error) error {
	h.Log.InfoContext(ctx, "an ID token was refused", "project", models.StorableText(slug, rest.MaxFieldName),
		"reason", models.StorableText(why.Error(), maxRefusal), "requestId", rest.CallOf(ctx).ID)
	return errIDToken
}

// exchangeToken does not trust any part of the token before its signature is verified. It fetches keys only if the
// project trusts the token's issuer and the token has the claims that the project requires.
func (h *Handlers) exchangeToken(ctx context.Context, in *rest.BodyInput[exchangeTokenBody]) (*rest.Output[ExchangedToken], error) {
	c := rest.CallOf(ctx)
	if err := h.Limits.UnknownKeys.Take(access.BrowserOf(c).From); err != nil {
		return nil, err
	}
	slug := in.Body.ProjectSlug
	refused := func(why error) (*rest.Output[ExchangedToken], error) { return nil, h.refuseToken(ctx, slug, why) }
	unverified, err := idtoken.Parse(in.Body.IDToken)
	if err != nil {
		return refused(err)
	}
	if !models.IsText(slug) || !models.IsText(unverified.Issuer) {
		return refused(errors.New("the slug or the issuer is not valid UTF-8"))
	}
	publishers, err := h.Publishers.PublishersOfIssuer(ctx, slug, unverified.Issuer)
	if err != nil {
		return nil, err
	}
	if _, err := trusting(publishers, unverified.Audience, unverified.Claims); err != nil {
		return refused(err)
	}
	verified, err := h.IDTokens.Verify(ctx, unverified)
	if code := models.CodeOf(err); code == models.CodeUnavailable || code == models.CodeRateLimited {
		return nil, err
	}
	if err != nil {
		return refused(err)
	}
	publisher, err := trusting(publishers, unverified.Audience, verified.Claims)
	if err != nil {
		return refused(err)
	}
	k, key, err := access.WithFreePrefix(func(t models.APIKeyToken) (models.APIKey, error) {
		return h.Publishers.ExchangeToken(ctx, c.ID, publisher.ProjectID, models.TokenExchange{
			PublisherID: publisher.ID, Issuer: unverified.Issuer, Claims: verified.Claims,
			Digest: verified.Digest, ExpiresAt: verified.ExpiresAt,
		}, t)
	})
	if models.CodeOf(err) == models.CodeNotFound {
		return refused(err) // the publisher was removed at the same moment
	}
	if err != nil {
		return nil, err
	}
	return &rest.Output[ExchangedToken]{Body: ExchangedToken{key.Reveal(), rest.Time{Time: *k.ExpiresAt}, k.Role, k.Channels}}, nil
}

// trusting returns the first publisher that accepts tokens with the audience and the claims. The error is for the
// log.
func trusting(publishers []models.TrustedPublisher, audience string, claims models.Claims) (models.TrustedPublisher, error) {
	for _, p := range publishers {
		if p.Trusts(audience, claims) {
			return p, nil
		}
	}
	if len(publishers) == 0 {
		return models.TrustedPublisher{}, errors.New("the project does not exist, or does not trust a publisher with the token's issuer")
	}
	return models.TrustedPublisher{}, errors.New("none of the project's trusted publishers has the token's audience and claims")
}

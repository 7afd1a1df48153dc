package api

import (
	"context"

	"github.com/waft-ota/waft/internal/identity/idtoken"
	"github.com/waft-ota/waft/models"
)

var errPrefixTaken = models.Errorf(models.CodeAlreadyExists, "a key with this prefix exists already")

// fakePublishers is a TrustedPublishers and an IDTokens. It trusts every token that a publisher asks for.
type fakePublishers struct {
	list      []models.TrustedPublisher
	looked    []string // slugs and issuers
	verified  int
	verifyErr error
	exchanged []models.TokenExchange
	err       error
	// taken is how many tokens are refused because another key has their prefix.
	taken int
}

func (f *fakePublishers) TrustedPublishers(context.Context, int64) ([]models.TrustedPublisher, error) {
	return f.list, nil
}

func (f *fakePublishers) PutTrustedPublishers(
	_ context.Context, projectID int64, _ models.Actor, n models.NewTrustedPublishers,
) ([]models.TrustedPublisher, error) {
	f.list = nil
	for i, one := range n {
		f.list = append(f.list, one.Publisher(projectID, i, now))
	}
	return f.list, nil
}

func (f *fakePublishers) PublishersOfIssuer(_ context.Context, slug, issuer string) (list []models.TrustedPublisher, err error) {
	f.looked = append(f.looked, slug+" "+issuer)
	for _, p := range f.list {
		if slug == demo.Slug && p.Issuer == issuer {
			list = append(list, p)
		}
	}
	return list, f.err
}

func (f *fakePublishers) ExchangeToken(
	_ context.Context, _ string, projectID int64, e models.TokenExchange, t models.APIKeyToken,
) (models.APIKey, error) {
	f.exchanged = append(f.exchanged, e)
	if len(f.exchanged) <= f.taken {
		return models.APIKey{}, errPrefixTaken
	}
	return models.APIKey{
		ID: 7, ProjectID: projectID, Role: models.RoleEditor, Prefix: t.Prefix, ExpiresAt: new(now.Add(models.PublisherKeyLife)),
	}, f.err
}

func (f *fakePublishers) Verify(_ context.Context, u idtoken.Unverified) (idtoken.Verified, error) {
	f.verified++
	return idtoken.Verified{Claims: u.Claims, Digest: make([]byte, 32), ExpiresAt: now}, f.verifyErr
}

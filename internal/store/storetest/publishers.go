package storetest

import (
	"crypto/sha256"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// NewPublisher returns a trusted publisher for the channel staging. change may alter it.
func NewPublisher(change ...func(n *models.NewTrustedPublisher)) models.NewTrustedPublisher {
	n := models.NewTrustedPublisher{
		Issuer: "https://ci.example.com", Audience: "waft", Role: models.RoleEditor, Channels: []string{"staging"},
		Claims: models.ClaimRules{"repository": "acme/app", "ref": "refs/heads/main"},
	}
	for _, c := range change {
		c(&n)
	}
	return n
}

// PutPublishers sets the project's trusted publishers.
func PutPublishers(f *Fixture, n ...models.NewTrustedPublisher) []models.TrustedPublisher {
	f.T.Helper()
	list, err := f.PutTrustedPublishers(f.T.Context(), f.Demo.ID, Alice, n)
	require.NoError(f.T, err)
	stored, err := f.TrustedPublishers(f.T.Context(), f.Demo.ID)
	require.NoError(f.T, err)
	require.Equal(f.T, list, stored)
	return list
}

// NewExchange returns the exchange of an ID token for a key of the publisher. Different names stand for different
// tokens.
func NewExchange(publisher int64, name string, at time.Time) models.TokenExchange {
	digest := sha256.Sum256([]byte(name))
	return models.TokenExchange{
		PublisherID: publisher, Issuer: "https://ci.example.com", Digest: digest[:], ExpiresAt: at.Add(5 * time.Minute),
		Claims: models.Claims{"repository": "acme/app", "ref": "refs/heads/main", "sha": "c0ffee", "user_email": "jo@example.com"},
	}
}

// Exchange exchanges a token for a key.
func Exchange(f *Fixture, e models.TokenExchange) (models.APIKey, error) {
	f.T.Helper()
	return f.ExchangeToken(f.T.Context(), "req-7", f.Demo.ID, e, models.NewAPIKeyToken())
}

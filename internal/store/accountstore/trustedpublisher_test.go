package accountstore_test

import (
	"fmt"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store"
	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

func TestPutTrustedPublishers(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	viewer := func(n *models.NewTrustedPublisher) { n.Role, n.Channels = models.RoleViewer, nil }
	first := storetest.PutPublishers(f, storetest.NewPublisher(), storetest.NewPublisher(viewer))
	require.Nil(t, first[1].Channels)
	entry := f.Audited(1)[0]
	require.Equal(t, "trusted_publishers.updated", entry.Action)
	require.Equal(t, storetest.Alice.Name, entry.ActorName)
	require.Empty(t, entry.Details["before"])
	require.Len(t, entry.Details["after"], 2)

	second := storetest.PutPublishers(f, storetest.NewPublisher(viewer),
		storetest.NewPublisher(func(n *models.NewTrustedPublisher) { n.Audience = "other" }), storetest.NewPublisher())
	require.Equal(t, []int64{first[1].ID, first[0].ID}, []int64{second[0].ID, second[2].ID}, "publishers that stay keep their IDs")
	require.NotContains(t, []int64{first[0].ID, first[1].ID}, second[1].ID)
	entry = f.Audited(1)[0]
	require.Len(t, entry.Details["before"], 2)
	require.Len(t, entry.Details["after"], 3)
	storetest.PutPublishers(f, storetest.NewPublisher(viewer),
		storetest.NewPublisher(func(n *models.NewTrustedPublisher) { n.Audience = "other" }), storetest.NewPublisher())
	require.Equal(t, entry.ID, f.Audited(1)[0].ID, "the list has not changed")

	_, err := f.PutTrustedPublishers(t.Context(), f.Demo.ID, storetest.Alice, models.NewTrustedPublishers{
		storetest.NewPublisher(), storetest.NewPublisher(func(n *models.NewTrustedPublisher) { n.Channels = []string{"staging", "nowhere"} }),
	})
	storetest.RequireField(t, "[1].channels[1]", err)
	_, err = f.PutTrustedPublishers(t.Context(), f.Demo.ID, storetest.Alice, models.NewTrustedPublishers{
		storetest.NewPublisher(func(n *models.NewTrustedPublisher) { n.Issuer = "http://ci.example.com" }),
	})
	storetest.RequireField(t, "[0].issuer", err)
	require.Len(t, storetest.PutPublishers(f), 0)
	storetest.RequireCode(t, models.CodeNotFound, func() error {
		_, err := f.PutTrustedPublishers(t.Context(), 1<<40, storetest.Alice, nil)
		return err
	}())
}

func TestPublishersOfIssuer(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	list := storetest.PutPublishers(f, storetest.NewPublisher(),
		storetest.NewPublisher(func(n *models.NewTrustedPublisher) { n.Issuer = "https://other.example.com" }))
	other := f.NewProject("other")
	for _, c := range []struct {
		slug, issuer string
		want         []models.TrustedPublisher
	}{
		{"demo", "https://ci.example.com", list[:1]},
		{"demo", "https://ci.example.com/", nil},
		{"demo", "https://CI.example.com", nil},
		{"demo", "%", nil},
		{"nowhere", "https://ci.example.com", nil},
		{other.Slug, "https://ci.example.com", nil},
		{f.Demo.UUID.String(), "https://ci.example.com", nil},
	} {
		found, err := f.PublishersOfIssuer(t.Context(), c.slug, c.issuer)
		require.NoError(t, err)
		require.ElementsMatch(t, c.want, found, "%v", c)
	}
}

func TestAChannelOfAPublisherStays(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	list := storetest.PutPublishers(f, storetest.NewPublisher())
	err := f.DeleteChannel(t.Context(), f.Demo.ID, storetest.Alice, "staging")
	storetest.RequireCode(t, models.CodeInUse, err)
	require.ErrorContains(t, err, fmt.Sprintf("trusted publisher %d", list[0].ID))
	require.NoError(t, f.DeleteChannel(t.Context(), f.Demo.ID, storetest.Alice, "production"))
	storetest.PutPublishers(f)
	require.NoError(t, f.DeleteChannel(t.Context(), f.Demo.ID, storetest.Alice, "staging"))
}

func TestExchangeToken(t *testing.T) {
	t.Parallel()
	now, clock := storetest.StoppedClock()
	f := storetest.Setup(t, clock)
	p := storetest.PutPublishers(f, storetest.NewPublisher())[0]
	k, err := storetest.Exchange(f, storetest.NewExchange(p.ID, "one", now))
	require.NoError(t, err)
	stored, err := f.APIKeyByPrefix(t.Context(), k.Prefix)
	require.NoError(t, err)
	require.Equal(t, k, stored)
	require.Equal(t, "acme/app@refs/heads/main via https://ci.example.com", k.Name)
	require.Equal(t, models.RoleEditor, k.Role)
	require.Equal(t, []string{"staging"}, k.Channels)
	require.Equal(t, now.Add(15*time.Minute), *k.ExpiresAt)
	require.Equal(t, p.ID, *k.PublisherID)
	entry := f.Audited(1)[0]
	require.Equal(t, "api_key.created", entry.Action)
	require.Equal(t, models.ActorAPIKey, entry.ActorType)
	require.Equal(t, strconv.FormatInt(k.ID, 10), entry.ActorID)
	require.Equal(t, k.Name, entry.ActorName)
	require.Equal(t, "req-7", entry.RequestID)
	require.Equal(t, map[string]any{"repository": "acme/app", "ref": "refs/heads/main", "sha": "c0ffee"}, entry.Details["claims"])
	require.EqualValues(t, p.ID, entry.Details["publisherId"])

	_, err = storetest.Exchange(f, storetest.NewExchange(p.ID, "one", now))
	storetest.RequireCode(t, models.CodeUnauthenticated, err)
	require.ErrorContains(t, err, "already exchanged")
	other := f.NewProject("other")
	_, err = f.ExchangeToken(t.Context(), "", other.ID, storetest.NewExchange(p.ID, "two", now), models.NewAPIKeyToken())
	storetest.RequireCode(t, models.CodeNotFound, err)
	_, err = storetest.Exchange(f, storetest.NewExchange(p.ID, "two", now))
	require.NoError(t, err, "a refused exchange does not use the token up")

	// Short-lived keys are in a list of their own and do not count as the project's keys.
	made, err := f.ListAPIKeys(t.Context(), f.Demo.ID, models.APIKeyFilter{}, models.Page{})
	require.NoError(t, err)
	require.Empty(t, made)
	shortLived, err := f.ListAPIKeys(t.Context(), f.Demo.ID, models.APIKeyFilter{ShortLived: true}, models.Page{})
	require.NoError(t, err)
	require.Len(t, shortLived, 2)

	require.NoError(t, f.RevokeAPIKey(t.Context(), f.Demo.ID, storetest.Alice, k.ID))
	storetest.PutPublishers(f, storetest.NewPublisher(), storetest.NewPublisher(func(n *models.NewTrustedPublisher) { n.Audience = "other" }))
	stored, err = f.APIKeyByPrefix(t.Context(), shortLived[0].Prefix)
	require.NoError(t, err)
	require.Nil(t, stored.RevokedAt, "its publisher still exists")
	storetest.PutPublishers(f)
	stored, err = f.APIKeyByPrefix(t.Context(), shortLived[0].Prefix)
	require.NoError(t, err)
	require.NotNil(t, stored.RevokedAt, "its publisher was removed")
	require.Equal(t, "api_key.revoked", f.Audited(2)[0].Action)
	_, err = storetest.Exchange(f, storetest.NewExchange(p.ID, "three", now))
	storetest.RequireCode(t, models.CodeNotFound, err)
}

// TestARemovedPublisherRevokesExpiredKeysToo revokes them because a call of an expired key may be waiting for approval.
func TestARemovedPublisherRevokesExpiredKeysToo(t *testing.T) {
	t.Parallel()
	now, clock := storetest.StoppedClock()
	f := storetest.Setup(t, clock)
	p := storetest.PutPublishers(f, storetest.NewPublisher())[0]
	k, err := storetest.Exchange(f, storetest.NewExchange(p.ID, "one", now))
	require.NoError(t, err)
	f.MustExec("UPDATE api_keys SET expires_at = $1 WHERE id = $2", now.Add(-time.Hour), k.ID)
	storetest.PutPublishers(f)
	require.Equal(t, "trusted_publishers.updated", f.Audited(1)[0].Action)
	stored, err := f.APIKeyByPrefix(t.Context(), k.Prefix)
	require.NoError(t, err)
	require.NotNil(t, stored.RevokedAt)
	require.NotEqual(t, "api_key.revoked", f.Audited(2)[0].Action, "the key had already expired")
}

func TestShortLivedKeysAreNoQuota(t *testing.T) {
	t.Parallel()
	now, clock := storetest.StoppedClock()
	f := storetest.Setup(t, clock, store.WithQuotas(models.Quotas{models.QuotaAPIKeys: 1}))
	p := storetest.PutPublishers(f, storetest.NewPublisher())[0]
	for i := range models.MaxPublisherKeys {
		_, err := storetest.Exchange(f, storetest.NewExchange(p.ID, strconv.Itoa(i), now))
		require.NoError(t, err)
	}
	_, err := storetest.Exchange(f, storetest.NewExchange(p.ID, "more", now))
	storetest.RequireCode(t, models.CodeRateLimited, err)
	var e *models.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, 15*time.Minute+time.Second, e.RetryAfter)
	_, err = f.CreateAPIKey(t.Context(), f.Demo.ID, storetest.Alice, models.NewAPIKey{Name: "ci", Role: models.RoleViewer},
		models.NewAPIKeyToken())
	require.NoError(t, err)
}

func TestATokenIsExchangedOnceAlsoAtTheSameTime(t *testing.T) {
	t.Parallel()
	now, clock := storetest.StoppedClock()
	f := storetest.Setup(t, clock)
	projects := []models.Project{f.Demo, f.NewProject("other")}
	var ids []int64
	for _, p := range projects {
		list, err := f.PutTrustedPublishers(t.Context(), p.ID, storetest.Alice, models.NewTrustedPublishers{storetest.NewPublisher()})
		require.NoError(t, err)
		ids = append(ids, list[0].ID)
	}
	var wait sync.WaitGroup
	results := make(chan error, 10)
	for i := range 10 {
		wait.Go(func() {
			_, err := f.ExchangeToken(t.Context(), "", projects[i%2].ID, storetest.NewExchange(ids[i%2], "one", now), models.NewAPIKeyToken())
			results <- err
		})
	}
	wait.Wait()
	close(results)
	made := 0
	for err := range results {
		if err == nil {
			made++
		} else {
			storetest.RequireCode(t, models.CodeUnauthenticated, err)
		}
	}
	require.Equal(t, 1, made)
}

func TestExpiredShortLivedKeysAreDeleted(t *testing.T) {
	t.Parallel()
	now, clock := storetest.StoppedClock()
	f := storetest.Setup(t, clock)
	p := storetest.PutPublishers(f, storetest.NewPublisher())[0]
	for i := range 3 {
		_, err := storetest.Exchange(f, storetest.NewExchange(p.ID, strconv.Itoa(i), now))
		require.NoError(t, err)
	}
	expired := now.Add(-time.Hour)
	made := models.NewAPIKey{Name: "ci", Role: models.RoleViewer, ExpiresAt: new(now.Add(time.Second))}
	_, err := f.CreateAPIKey(t.Context(), f.Demo.ID, storetest.Alice, made, models.NewAPIKeyToken())
	require.NoError(t, err)
	deleted, err := f.DeleteShortLived(t.Context(), now.Add(15*time.Minute), expired, 10)
	require.NoError(t, err)
	require.Zero(t, deleted)
	deleted, err = f.DeleteShortLived(t.Context(), expired, now.Add(time.Hour), 2)
	require.NoError(t, err)
	require.EqualValues(t, 2, deleted)
	deleted, err = f.DeleteShortLived(t.Context(), now.Add(16*time.Minute), now.Add(time.Hour), 2)
	require.NoError(t, err)
	require.EqualValues(t, 2, deleted)
	deleted, err = f.DeleteShortLived(t.Context(), now.Add(16*time.Minute), now.Add(time.Hour), 2)
	require.NoError(t, err)
	require.EqualValues(t, 1, deleted)
	require.Equal(t, []int64{1, 0}, storetest.Query[int64](f, "SELECT count(*) FROM api_keys UNION ALL SELECT count(*) FROM exchanged_tokens"))
}

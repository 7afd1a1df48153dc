package accountstore_test

import (
	"context"
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

func TestCreateAPIKey(t *testing.T) {
	t.Parallel()
	now, clock := storetest.StoppedClock()

	t.Run("keeps the hash, not the secret", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t, clock)
		token, expires := models.NewAPIKeyToken(), now.Add(time.Hour)
		k, err := f.CreateAPIKey(t.Context(), f.Demo.ID, storetest.Alice,
			models.NewAPIKey{Name: "ci", Role: models.RoleEditor, ExpiresAt: &expires}, token)
		require.NoError(t, err)

		stored, err := f.APIKeyByPrefix(t.Context(), token.Prefix)
		require.NoError(t, err)
		require.Equal(t, k, stored)
		require.True(t, token.Matches(stored.SecretHash))
		require.Equal(t, models.RoleEditor, stored.Role)
		require.Equal(t, &expires, stored.ExpiresAt)

		entry := f.Audited(1)[0]
		require.Equal(t, "api_key.created", entry.Action)
		require.Equal(t, map[string]any{"name": "ci", "role": "editor", "prefix": token.Prefix}, entry.Details)
	})

	t.Run("refuses bad fields", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t, clock)
		past := now.Add(-time.Second)
		_, err := f.CreateAPIKey(t.Context(), f.Demo.ID, storetest.Alice, models.NewAPIKey{Name: "ci", Role: models.RoleAdmin, ExpiresAt: &past},
			models.NewAPIKeyToken())
		storetest.RequireField(t, "expiresAt", err)
	})

	t.Run("refuses a prefix that is taken, and takes another one in the same transaction", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		token, n := models.NewAPIKeyToken(), models.NewAPIKey{Name: "ci", Role: models.RoleViewer}
		_, err := f.CreateAPIKey(t.Context(), f.Demo.ID, storetest.Alice, n, token)
		require.NoError(t, err)
		var second models.APIKey
		request := models.IdempotentRequest{ProjectID: f.Demo.ID, Caller: "ci", Path: "/", Key: "1", Fingerprint: make([]byte, 32)}
		_, _, err = f.AnswerOnce(t.Context(), request, func(ctx context.Context) (models.IdempotentAnswer, error) {
			_, err := f.CreateAPIKey(ctx, f.Demo.ID, storetest.Alice, n, token)
			storetest.RequireCode(t, models.CodeAlreadyExists, err)
			second, err = f.CreateAPIKey(ctx, f.Demo.ID, storetest.Alice, n, models.NewAPIKeyToken())
			return models.IdempotentAnswer{Status: http.StatusCreated}, err
		})
		require.NoError(t, err)
		keys, err := f.ListAPIKeys(t.Context(), f.Demo.ID, models.APIKeyFilter{}, models.Page{Limit: 10})
		require.NoError(t, err)
		require.Len(t, keys, 2)
		require.Equal(t, second.ID, keys[0].ID)
	})

	t.Run("refuses a project that does not exist", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		_, err := f.CreateAPIKey(t.Context(), 1<<40, storetest.Alice, models.NewAPIKey{Name: "ci", Role: models.RoleViewer},
			models.NewAPIKeyToken())
		storetest.RequireCode(t, models.CodeNotFound, err)
	})
}

func TestRevokeAPIKey(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	token := models.NewAPIKeyToken()
	k, err := f.CreateAPIKey(t.Context(), f.Demo.ID, storetest.Alice, models.NewAPIKey{Name: "ci", Role: models.RoleAdmin}, token)
	require.NoError(t, err)

	told := storetest.Listen(t, f.Store, models.NotifyAPIKeyRevoked)
	require.Empty(t, storetest.Await(t, told), "it listens")

	storetest.RequireCode(t, models.CodeNotFound, f.RevokeAPIKey(t.Context(), f.NewProject("other").ID, storetest.Alice, k.ID))
	require.NoError(t, f.RevokeAPIKey(t.Context(), f.Demo.ID, storetest.Alice, k.ID))
	require.Equal(t, strconv.FormatInt(k.ID, 10), storetest.Await(t, told))
	require.Equal(t, "api_key.revoked", f.Audited(1)[0].Action)

	revoked, err := f.APIKeyByPrefix(t.Context(), token.Prefix)
	require.NoError(t, err)
	require.False(t, revoked.Usable(time.Now()))
	keys, err := f.ListAPIKeys(t.Context(), f.Demo.ID, models.APIKeyFilter{}, models.Page{})
	require.NoError(t, err)
	require.Empty(t, keys)
	storetest.RequireCode(t, models.CodeNotFound, f.RevokeAPIKey(t.Context(), f.Demo.ID, storetest.Alice, k.ID))
}

func TestAPIKeyByPrefixDoesNotFindAStranger(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	_, err := f.APIKeyByPrefix(t.Context(), "00000000")
	storetest.RequireCode(t, models.CodeNotFound, err)
}

func TestTouchAPIKeyIsCoarse(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	token := models.NewAPIKeyToken()
	k, err := f.CreateAPIKey(t.Context(), f.Demo.ID, storetest.Alice, models.NewAPIKey{Name: "ci", Role: models.RoleAdmin}, token)
	require.NoError(t, err)
	first := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

	for _, step := range []struct{ at, want time.Time }{
		{first, first},
		{first.Add(59 * time.Second), first},
		{first.Add(60 * time.Second), first.Add(60 * time.Second)},
	} {
		require.NoError(t, f.TouchAPIKey(t.Context(), k.ID, step.at))
		keys, err := f.ListAPIKeys(t.Context(), f.Demo.ID, models.APIKeyFilter{}, models.Page{})
		require.NoError(t, err)
		require.Equal(t, &step.want, keys[0].LastUsedAt)
	}
	require.NoError(t, f.TouchAPIKey(t.Context(), 1<<40, first), "a deleted key is not an error")
}

package projectstore_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store"
	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

func saveContext(f *storetest.Fixture, seen models.SeenContext) (models.EvaluationContext, bool) {
	f.T.Helper()
	c, created, err := f.SaveContext(f.T.Context(), f.Demo.ID, storetest.Alice, seen)
	require.NoError(f.T, err)
	return c, created
}

func user(key string, attributes map[string]any) models.SeenContext {
	return models.SeenContext{Kind: "user", TargetingKey: key, Attributes: attributes}
}

func TestSaveContext(t *testing.T) {
	t.Parallel()

	t.Run("makes a context, then merges into it", func(t *testing.T) {
		t.Parallel()
		var mu sync.Mutex
		at := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
		f := storetest.Setup(t, store.WithNow(func() time.Time { mu.Lock(); defer mu.Unlock(); return at }))
		first := user("user-1", map[string]any{"plan": "free", "age": 41.0, "beta": true})
		first.Name = new("Ada")
		c, created := saveContext(f, first)
		require.True(t, created)
		require.Equal(t, at, c.FirstSeenAt)
		require.Equal(t, "context.created", f.Audited(1)[0].Action)

		mu.Lock()
		at = at.Add(time.Hour)
		mu.Unlock()
		merged, created := saveContext(f, user("user-1", map[string]any{"plan": "pro", "beta": nil, "tags": []any{"a", "b"}}))
		require.False(t, created)
		require.Equal(t, c.ID, merged.ID)
		require.Equal(t, "Ada", merged.Name)
		require.Equal(t, map[string]any{"plan": "pro", "age": 41.0, "tags": []any{"a", "b"}}, merged.Attributes)
		require.Equal(t, c.FirstSeenAt, merged.FirstSeenAt)
		require.Equal(t, at, merged.LastSeenAt)
		read, err := f.Context(t.Context(), f.Demo.ID, c.ID)
		require.NoError(t, err)
		require.Equal(t, merged, read)
		entry := f.Audited(1)[0]
		require.Equal(t, "context.updated", entry.Action)
		require.Contains(t, entry.Details, "attributes")
		require.NotContains(t, entry.Details, "name")
	})

	t.Run("audits no sight that changes nothing", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		saveContext(f, user("user-1", map[string]any{"plan": "free"}))
		entries := storetest.Query[int64](f, "SELECT count(*) FROM audit_log")
		f.RequireBumped(false, func() { saveContext(f, user("user-1", map[string]any{"plan": "free"})) })
		require.Equal(t, entries, storetest.Query[int64](f, "SELECT count(*) FROM audit_log"))
	})

	t.Run("tells kinds and projects apart", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		c, _ := saveContext(f, user("key", nil))
		_, created := saveContext(f, models.SeenContext{Kind: "device", TargetingKey: "key"})
		require.True(t, created)
		other := f.NewProject("other").ID
		_, err := f.Context(t.Context(), other, c.ID)
		storetest.RequireCode(t, models.CodeNotFound, err)
		storetest.RequireCode(t, models.CodeNotFound, f.DeleteContext(t.Context(), other, storetest.Alice, c.ID))
		_, created, err = f.SaveContext(t.Context(), other, storetest.Alice, user("key", nil))
		require.NoError(t, err)
		require.True(t, created)
		require.NoError(t, f.DeleteProject(t.Context(), storetest.Alice, "other"))
	})

	t.Run("creates one context from simultaneous requests", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		var everybody sync.WaitGroup
		errs := make([]error, 6)
		for i, name := range []string{"a", "b", "c", "d", "e", "f"} {
			everybody.Go(func() {
				_, _, errs[i] = f.SaveContext(t.Context(), f.Demo.ID, storetest.Alice, user("user-1", map[string]any{name: 1.0}))
			})
		}
		everybody.Wait()
		for _, err := range errs {
			require.NoError(t, err)
		}
		contexts, err := f.ListContexts(t.Context(), f.Demo.ID, models.ContextFilter{}, models.Page{})
		require.NoError(t, err)
		require.Len(t, contexts, 1)
		require.Len(t, contexts[0].Attributes, 6, "attributes of both requests are kept")
	})

	t.Run("refuses a context that grows too large", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		big := make([]byte, 9000)
		for i := range big {
			big[i] = 'x'
		}
		saveContext(f, user("user-1", map[string]any{"one": string(big)}))
		_, _, err := f.SaveContext(t.Context(), f.Demo.ID, storetest.Alice, user("user-1", map[string]any{"two": string(big)}))
		storetest.RequireField(t, "attributes", err)
	})

	t.Run("refuses an unknown kind", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		_, _, err := f.SaveContext(t.Context(), f.Demo.ID, storetest.Alice, models.SeenContext{Kind: "planet", TargetingKey: "k"})
		storetest.RequireField(t, "kind", err)
	})
}

func TestListContexts(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	ada := user("user-1", map[string]any{"city": "Aarhus", "share": "100%"})
	ada.Name = new("Ada")
	saveContext(f, ada)
	saveContext(f, user("user_2", map[string]any{"city": "Berlin", "tags": []any{"early bird"}}))
	saveContext(f, models.SeenContext{Kind: "device", TargetingKey: "device-1"})
	keys := func(filter models.ContextFilter, search ...string) (keys []string) {
		contexts, err := f.ListContexts(t.Context(), f.Demo.ID, filter, models.Page{Search: strings.Join(search, "")})
		require.NoError(t, err)
		for _, c := range contexts {
			keys = append(keys, c.TargetingKey)
		}
		return keys
	}
	require.Equal(t, []string{"device-1", "user_2", "user-1"}, keys(models.ContextFilter{}))
	require.Equal(t, []string{"user_2", "user-1"}, keys(models.ContextFilter{Kind: "user"}))
	for search, want := range map[string][]string{
		"USER": {"user_2", "user-1"}, "ada": {"user-1"}, "aarhus": {"user-1"}, "early": {"user_2"}, "r_2": {"user_2"},
		"%": {"user-1"}, "_": {"user_2"}, `\`: nil, "city": nil, "nothing": nil,
	} {
		require.Equal(t, want, keys(models.ContextFilter{}, search), search)
	}
	require.Nil(t, keys(models.ContextFilter{Kind: "device"}, "ada"))

	page, err := f.ListContexts(t.Context(), f.Demo.ID, models.ContextFilter{Kind: "user"}, models.Page{Limit: 1})
	require.NoError(t, err)
	rest, err := f.ListContexts(t.Context(), f.Demo.ID, models.ContextFilter{Kind: "user"}, models.Page{Before: page[0].ID})
	require.NoError(t, err)
	require.Equal(t, "user-1", rest[0].TargetingKey)
}

func TestDeleteContext(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	c, _ := saveContext(f, user("user-1", nil))
	require.NoError(t, f.DeleteContext(t.Context(), f.Demo.ID, storetest.Alice, c.ID))
	entry := f.Audited(1)[0]
	require.Equal(t, "context.deleted", entry.Action)
	require.Equal(t, map[string]any{"kind": "user", "targetingKey": "user-1"}, entry.Details)
	storetest.RequireCode(t, models.CodeNotFound, f.DeleteContext(t.Context(), f.Demo.ID, storetest.Alice, c.ID))
}

func contextQuota(n int64) store.Option {
	return store.WithQuotas(models.Quotas{models.QuotaContexts: n})
}

// A manually created context replaces the least recently seen recorded context, and never another manually created one.
func TestContextsMadeByHandStayAndAreBounded(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t, contextQuota(3))
	keys := func() []string {
		return storetest.Query[string](f, "SELECT targeting_key FROM contexts ORDER BY targeting_key")
	}
	at := time.Now().Add(-time.Hour)
	record := func(first, n int) {
		var all []models.EvaluatedContext
		for i := range n {
			all = append(all, seen(f, fmt.Sprint("recorded-", first+i), at.Add(time.Duration(first+i)*time.Second), nil))
		}
		require.NoError(t, f.RecordContexts(t.Context(), f.Demo.ID, all))
	}
	saveContext(f, user("pinned-1", nil))
	record(1, 5)
	require.Equal(t, []string{"pinned-1", "recorded-4", "recorded-5"}, keys())
	saveContext(f, user("pinned-2", nil))
	require.Equal(t, []string{"pinned-1", "pinned-2", "recorded-5"}, keys())

	saved, created := saveContext(f, user("recorded-5", nil))
	require.False(t, created)
	require.True(t, saved.Pinned)
	require.Equal(t, map[string]any{
		"kind": "user", "targetingKey": "recorded-5", "pinned": map[string]any{"before": false, "after": true},
	}, f.Audited(1)[0].Details)
	_, _, err := f.SaveContext(t.Context(), f.Demo.ID, storetest.Alice, user("pinned-4", nil))
	storetest.RequireCode(t, models.CodeQuotaExceeded, err)
	require.ErrorContains(t, err, "WAFT_QUOTA_CONTEXTS")
	record(6, 5)
	require.Equal(t, []string{"pinned-1", "pinned-2", "recorded-5"}, keys(), "there is no room for recorded contexts")
	saveContext(f, user("pinned-1", map[string]any{"plan": "pro"}))
	require.NoError(t, f.DeleteContext(t.Context(), f.Demo.ID, storetest.Alice, saved.ID))
	saveContext(f, user("pinned-4", nil))

	other := f.NewProject("other").ID
	_, _, err = f.SaveContext(t.Context(), other, storetest.Alice, user("pinned-1", nil))
	require.NoError(t, err, "each project has its own quota")
}

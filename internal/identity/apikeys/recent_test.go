package apikeys

import (
	"context"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// fakeSource has keys, and may be unavailable. asked counts the look-ups.
type fakeSource struct {
	keys    map[string]models.APIKey
	away    bool
	asked   int
	touched int
	// meanwhile is called before a look-up returns.
	meanwhile func(ctx context.Context)
}

func (f *fakeSource) APIKeyByPrefix(ctx context.Context, prefix string) (models.APIKey, error) {
	f.asked++
	k, ok := f.keys[prefix]
	if f.meanwhile != nil {
		f.meanwhile(ctx)
	}
	switch {
	case ctx.Err() != nil:
		return models.APIKey{}, ctx.Err()
	case f.away:
		return models.APIKey{}, models.Unavailable("Postgres", nil)
	case !ok:
		return models.APIKey{}, models.Errorf(models.CodeNotFound, "there is no such API key")
	}
	return k, nil
}

func (f *fakeSource) TouchAPIKey(context.Context, int64, time.Time) error {
	f.touched++
	return nil
}

func (f *fakeSource) Listen(context.Context, string, func(string)) error { return nil }

// testKeys is a Recent over a source with the key "a" of id 1, at a time that the test sets.
type testKeys struct {
	*Recent
	t      *testing.T
	source *fakeSource
	time   time.Time
}

func setup(t *testing.T) *testKeys {
	t.Helper()
	w := &testKeys{t: t, time: time.Date(2026, 3, 14, 9, 0, 0, 0, time.UTC)}
	w.source = &fakeSource{keys: map[string]models.APIKey{"a": {ID: 1, Prefix: "a", Role: models.RoleClient}}}
	w.Recent = New(w.source, func() time.Time { return w.time })
	return w
}

// find looks a key up. code is the error's code, or "".
func (w *testKeys) find(prefix string) (k models.APIKey, code models.ErrorCode) {
	k, err := w.RecentAPIKey(w.t.Context(), prefix)
	return k, models.CodeOf(err)
}

func (w *testKeys) requireFound(asked int) {
	w.t.Helper()
	k, code := w.find("a")
	require.Empty(w.t, code)
	require.Equal(w.t, int64(1), k.ID)
	require.Equal(w.t, asked, w.source.asked)
}

func TestAKeyIsAskedForAgainAfterAWhile(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.requireFound(1)
	w.time = w.time.Add(askAgain - 1)
	w.requireFound(1)
	w.time = w.time.Add(1)
	w.requireFound(2)
	w.requireFound(2)
}

func TestAKeyOutlastsItsSourceForAnHour(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.requireFound(1)
	w.source.away = true
	w.time = w.time.Add(memory - 1)
	w.requireFound(2)
	_, code := w.find("b")
	require.Equal(t, models.CodeUnavailable, code, "a key that nobody used")
	w.time = w.time.Add(1)
	_, code = w.find("a")
	require.Equal(t, models.CodeUnavailable, code)
	w.source.away = false
	w.requireFound(5)
}

func TestARevocationEndsAKeyAtOnce(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.requireFound(1)
	revoked := w.source.keys["a"]
	revoked.RevokedAt = new(w.time)
	w.source.keys["a"] = revoked
	w.notify("2")
	w.requireFound(1)
	w.notify("1")
	k, code := w.find("a")
	require.Empty(t, code)
	require.NotNil(t, k.RevokedAt, "the caller refuses it")
	w.source.away = true
	_, code = w.find("a")
	require.Equal(t, models.CodeUnavailable, code, "it is forgotten")
}

func TestALostNotificationDelaysARevocation(t *testing.T) {
	t.Parallel()
	t.Run("until notifications come again", func(t *testing.T) {
		t.Parallel()
		w := setup(t)
		w.requireFound(1)
		w.notify("")
		w.requireFound(2)
	})
	t.Run("and until the key is asked for again", func(t *testing.T) {
		t.Parallel()
		w := setup(t)
		w.requireFound(1)
		delete(w.source.keys, "a")
		w.time = w.time.Add(askAgain)
		_, code := w.find("a")
		require.Equal(t, models.CodeNotFound, code)
		w.source.away = true
		_, code = w.find("a")
		require.Equal(t, models.CodeUnavailable, code, "it is forgotten")
	})
}

func TestALookUpDuringARevocationIsNotRemembered(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.source.meanwhile = func(context.Context) { w.notify("1") }
	w.requireFound(1)
	w.source.away = true
	_, code := w.find("a")
	require.Equal(t, models.CodeUnavailable, code)
}

// A key that was looked up while notifications were missed is looked up again, and used while the source is unavailable.
func TestALookUpWithoutNotificationsIsDoubted(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.source.meanwhile = func(context.Context) { w.notify("") }
	w.requireFound(1)
	w.source.meanwhile, w.source.away = nil, true
	w.requireFound(2)
}

// A client that disconnects does not keep the source from being asked.
func TestARememberedKeyIsAskedForWithoutItsClient(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.requireFound(1)
	w.time = w.time.Add(askAgain)
	delete(w.source.keys, "a")
	gone, disconnect := context.WithCancel(t.Context())
	disconnect()
	w.source.meanwhile = func(ctx context.Context) {
		require.NoError(t, ctx.Err())
		limit, ok := ctx.Deadline()
		require.True(t, ok, "a source that does not answer is not waited for")
		require.False(t, limit.After(time.Now().Add(askTime)), "it waits until %s", limit)
	}
	_, err := w.RecentAPIKey(gone, "a")
	require.Equal(t, models.CodeNotFound, models.CodeOf(err))
}

func TestTheMemoryIsBounded(t *testing.T) {
	t.Parallel()
	w := setup(t)
	for i := range 3*maxKeys + 100 {
		prefix := strconv.Itoa(i)
		w.source.keys[prefix] = models.APIKey{ID: int64(i + 1), Prefix: prefix}
		_, code := w.find(prefix)
		require.Empty(t, code)
	}
	remembered := w.byPrefix.Len()
	require.Equal(t, maxKeys+100, remembered)
	require.Equal(t, remembered, w.byID.Len())
	for range 100 { // keys that do not exist are not remembered
		_, code := w.find("x")
		require.Equal(t, models.CodeNotFound, code)
	}
	require.Equal(t, remembered, w.byPrefix.Len())
}

func TestTheLastUseIsRemembered(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.requireFound(1)
	require.NoError(t, w.TouchAPIKey(t.Context(), 1, w.time))
	require.NoError(t, w.TouchAPIKey(t.Context(), 9, w.time), "a key that is not remembered")
	require.Equal(t, 2, w.source.touched)
	k, _ := w.find("a")
	require.Equal(t, w.time, *k.LastUsedAt)
}

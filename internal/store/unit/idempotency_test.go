package unit_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store"
	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

// keyed returns a request by alice to create a branch.
func keyed(f *storetest.Fixture, key, asked string) models.IdempotentRequest {
	fingerprint := make([]byte, 32)
	copy(fingerprint, asked)
	return models.IdempotentRequest{
		ProjectID: f.Demo.ID, Caller: storetest.Alice.ID, Path: "/v1/ota/branches", Key: key, Fingerprint: fingerprint,
	}
}

// branching returns a function that creates a branch and returns a response with the given status.
func branching(f *storetest.Fixture, name string, status int) func(context.Context) (models.IdempotentAnswer, error) {
	return func(ctx context.Context) (models.IdempotentAnswer, error) {
		_, err := f.CreateBranch(ctx, f.Demo.ID, storetest.Alice, models.NewBranch{Name: name})
		return models.IdempotentAnswer{Status: status, ContentType: "application/json", Body: []byte(name)}, err
	}
}

func requireBranch(f *storetest.Fixture, name string, there bool) {
	f.T.Helper()
	require.Equal(f.T, there, len(storetest.Query[int64](f, "SELECT id FROM branches WHERE name = $1", name)) == 1, name)
}

func TestAnswerOnce(t *testing.T) {
	t.Parallel()

	t.Run("runs a request once", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		first, replayed, err := f.AnswerOnce(t.Context(), keyed(f, "k", "a"), branching(f, "one", 201))
		require.NoError(t, err)
		require.False(t, replayed)
		again, replayed, err := f.AnswerOnce(t.Context(), keyed(f, "k", "a"), branching(f, "two", 201))
		require.NoError(t, err)
		require.True(t, replayed)
		require.Equal(t, first, again)
		requireBranch(f, "one", true)
		requireBranch(f, "two", false)

		found, ok, err := f.Answered(t.Context(), keyed(f, "k", "a"))
		require.NoError(t, err)
		require.True(t, ok)
		require.Equal(t, first, found)
		_, ok, err = f.Answered(t.Context(), keyed(f, "other", "a"))
		require.NoError(t, err)
		require.False(t, ok)
	})

	t.Run("refuses the key for something else", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		_, _, err := f.AnswerOnce(t.Context(), keyed(f, "k", "a"), branching(f, "one", 201))
		require.NoError(t, err)
		_, _, err = f.AnswerOnce(t.Context(), keyed(f, "k", "b"), branching(f, "two", 201))
		storetest.RequireCode(t, models.CodeIdempotencyMismatch, err)
		_, _, err = f.Answered(t.Context(), keyed(f, "k", "b"))
		storetest.RequireCode(t, models.CodeIdempotencyMismatch, err)
		requireBranch(f, "two", false)
	})

	t.Run("identifies a key by its project, caller and path", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		other := f.NewProject("other")
		for _, change := range []func(*models.IdempotentRequest){
			func(*models.IdempotentRequest) {},
			func(r *models.IdempotentRequest) { r.ProjectID = other.ID },
			func(r *models.IdempotentRequest) { r.ProjectID = 0 },
			func(r *models.IdempotentRequest) { r.Caller = "8" },
			func(r *models.IdempotentRequest) { r.Path = "/v1/ota/channels" },
		} {
			r := keyed(f, "k", "a")
			change(&r)
			_, replayed, err := f.AnswerOnce(t.Context(), r, answering(201))
			require.NoError(t, err)
			require.False(t, replayed, "%+v", r)
			_, replayed, err = f.AnswerOnce(t.Context(), r, answering(201))
			require.NoError(t, err)
			require.True(t, replayed, "%+v", r)
		}
	})

	t.Run("rolls back a refused request and keeps the refusal", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		_, _, err := f.AnswerOnce(t.Context(), keyed(f, "k", "a"), branching(f, "one", 409))
		require.NoError(t, err)
		a, replayed, err := f.AnswerOnce(t.Context(), keyed(f, "k", "a"), branching(f, "two", 201))
		require.NoError(t, err)
		require.True(t, replayed)
		require.Equal(t, 409, a.Status)
		requireBranch(f, "one", false)
	})

	t.Run("keeps no failure of the server", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		for _, status := range []int{503, models.StatusClientClosed} {
			a, replayed, err := f.AnswerOnce(t.Context(), keyed(f, "k", "a"), branching(f, "one", status))
			require.NoError(t, err)
			require.False(t, replayed)
			require.Equal(t, status, a.Status)
			requireBranch(f, "one", false)
		}
		boom := errors.New("boom")
		_, _, err := f.AnswerOnce(t.Context(), keyed(f, "k", "a"), func(ctx context.Context) (models.IdempotentAnswer, error) {
			a, err := branching(f, "one", 201)(ctx)
			return a, errors.Join(err, boom)
		})
		require.ErrorIs(t, err, boom)
		require.Panics(t, func() {
			f.AnswerOnce(t.Context(), keyed(f, "k", "a"), func(ctx context.Context) (models.IdempotentAnswer, error) {
				branching(f, "one", 201)(ctx)
				panic("bug")
			})
		})
		requireBranch(f, "one", false)
		_, replayed, err := f.AnswerOnce(t.Context(), keyed(f, "k", "a"), branching(f, "one", 201))
		require.NoError(t, err)
		require.False(t, replayed)
		requireBranch(f, "one", true)
	})

	t.Run("survives a statement that fails inside", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		_, _, err := f.AnswerOnce(t.Context(), keyed(f, "k", "a"), func(ctx context.Context) (models.IdempotentAnswer, error) {
			_, err := f.CreateBranch(ctx, f.Demo.ID, storetest.Alice, models.NewBranch{Name: "production"})
			storetest.RequireCode(t, models.CodeAlreadyExists, err)
			return branching(f, "one", 201)(ctx)
		})
		require.NoError(t, err)
		requireBranch(f, "one", true)
	})

	t.Run("forgets after a day", func(t *testing.T) {
		t.Parallel()
		now := time.Date(2026, 3, 14, 9, 0, 0, 0, time.UTC)
		var offset atomic.Int64
		f := storetest.Setup(t, store.WithNow(func() time.Time { return now.Add(time.Duration(offset.Load())) }))
		for _, key := range []string{"k", "l"} {
			_, _, err := f.AnswerOnce(t.Context(), keyed(f, key, "a"), answering(201))
			require.NoError(t, err)
		}
		offset.Store(int64(models.IdempotencyLife - time.Millisecond))
		_, replayed, err := f.AnswerOnce(t.Context(), keyed(f, "k", "a"), answering(201))
		require.NoError(t, err)
		require.True(t, replayed)
		offset.Store(int64(models.IdempotencyLife))
		_, replayed, err = f.AnswerOnce(t.Context(), keyed(f, "k", "b"), answering(201))
		require.NoError(t, err)
		require.False(t, replayed)
		require.Equal(t, []string{"k"}, storetest.Query[string](f, "SELECT key FROM idempotency_keys"), "the old ones are cleared away")
	})
}

func TestAnswerOnceConcurrently(t *testing.T) {
	t.Parallel()

	t.Run("lets one of many simultaneous requests run, while the others wait for its response", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		const callers = 8
		var worked, replays atomic.Int32
		var all sync.WaitGroup
		for range callers {
			all.Go(func() {
				a, replayed, err := f.AnswerOnce(t.Context(), keyed(f, "k", "a"), func(ctx context.Context) (models.IdempotentAnswer, error) {
					worked.Add(1)
					return branching(f, "one", 201)(ctx)
				})
				require.NoError(t, err)
				require.Equal(t, "one", string(a.Body))
				if replayed {
					replays.Add(1)
				}
			})
		}
		all.Wait()
		require.EqualValues(t, 1, worked.Load())
		require.EqualValues(t, callers-1, replays.Load())
	})

	t.Run("does not wait for ever", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		_, _, err := f.AnswerOnce(t.Context(), keyed(f, "k", "a"), func(context.Context) (models.IdempotentAnswer, error) {
			_, _, err := f.AnswerOnce(t.Context(), keyed(f, "k", "a"), answering(201))
			storetest.RequireCode(t, models.CodeUnavailable, err)
			var e *models.Error
			require.ErrorAs(t, err, &e)
			require.Positive(t, e.RetryAfter)
			return models.IdempotentAnswer{Status: 201}, nil
		})
		require.NoError(t, err)
	})

	t.Run("leaves nothing behind if the process crashes before the end", func(t *testing.T) {
		t.Parallel()
		databaseURL := storetest.Database(t)
		proxy, through := storetest.StartProxy(t, databaseURL)
		f := &storetest.Fixture{Store: storetest.Open(t, databaseURL), T: t, DatabaseURL: databaseURL}
		f.Demo = f.NewProject("demo")
		dying := &storetest.Fixture{Store: storetest.Open(t, through), T: t, DatabaseURL: through, Demo: f.Demo}
		_, _, err := dying.AnswerOnce(t.Context(), keyed(f, "k", "a"), func(ctx context.Context) (models.IdempotentAnswer, error) {
			a, err := branching(dying, "one", 201)(ctx)
			proxy.Cut() // to Postgres, this looks as if the process was killed
			return a, err
		})
		storetest.RequireCode(t, models.CodeUnavailable, err)
		requireBranch(f, "one", false)
		_, replayed, err := f.AnswerOnce(t.Context(), keyed(f, "k", "a"), branching(f, "one", 201))
		require.NoError(t, err)
		require.False(t, replayed)
		requireBranch(f, "one", true)
	})

	t.Run("goes with its project", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		_, _, err := f.AnswerOnce(t.Context(), keyed(f, "k", "a"), answering(201))
		require.NoError(t, err)
		require.NoError(t, f.DeleteProject(t.Context(), storetest.Alice, f.Demo.Slug))
		require.Empty(t, storetest.Query[int64](f, "SELECT id FROM idempotency_keys"))
	})
}

func answering(status int) func(context.Context) (models.IdempotentAnswer, error) {
	return func(context.Context) (models.IdempotentAnswer, error) {
		return models.IdempotentAnswer{Status: status}, nil
	}
}

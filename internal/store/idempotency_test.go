package store_test

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

// keyed is a request of alice to make a branch.
func (f *fixture) keyed(key, asked string) models.IdempotentRequest {
	fingerprint := make([]byte, 32)
	copy(fingerprint, asked)
	return models.IdempotentRequest{
		ProjectID: f.project.ID, Caller: alice.ID, Path: "/v1/ota/branches", Key: key, Fingerprint: fingerprint,
	}
}

// branching answers by making a branch; the answer has the given status.
func (f *fixture) branching(name string, status int) func(context.Context) (models.IdempotentAnswer, error) {
	return func(ctx context.Context) (models.IdempotentAnswer, error) {
		_, err := f.CreateBranch(ctx, f.project.ID, alice, models.NewBranch{Name: name})
		return models.IdempotentAnswer{Status: status, ContentType: "application/json", Body: []byte(name)}, err
	}
}

func (f *fixture) requireBranch(name string, there bool) {
	f.t.Helper()
	require.Equal(f.t, there, len(query[int64](f, "SELECT id FROM branches WHERE name = $1", name)) == 1, name)
}

func TestAnswerOnce(t *testing.T) {
	t.Parallel()

	t.Run("answers a request a single time", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		first, replayed, err := f.AnswerOnce(t.Context(), f.keyed("k", "a"), f.branching("one", 201))
		require.NoError(t, err)
		require.False(t, replayed)
		again, replayed, err := f.AnswerOnce(t.Context(), f.keyed("k", "a"), f.branching("two", 201))
		require.NoError(t, err)
		require.True(t, replayed)
		require.Equal(t, first, again)
		f.requireBranch("one", true)
		f.requireBranch("two", false)

		found, ok, err := f.Answered(t.Context(), f.keyed("k", "a"))
		require.NoError(t, err)
		require.True(t, ok)
		require.Equal(t, first, found)
		_, ok, err = f.Answered(t.Context(), f.keyed("other", "a"))
		require.NoError(t, err)
		require.False(t, ok)
	})

	t.Run("refuses the key for something else", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		_, _, err := f.AnswerOnce(t.Context(), f.keyed("k", "a"), f.branching("one", 201))
		require.NoError(t, err)
		_, _, err = f.AnswerOnce(t.Context(), f.keyed("k", "b"), f.branching("two", 201))
		requireCode(t, models.CodeIdempotencyMismatch, err)
		_, _, err = f.Answered(t.Context(), f.keyed("k", "b"))
		requireCode(t, models.CodeIdempotencyMismatch, err)
		f.requireBranch("two", false)
	})

	t.Run("knows a key by its project, caller and path", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		other := f.newProject("other")
		for _, change := range []func(*models.IdempotentRequest){
			func(*models.IdempotentRequest) {},
			func(r *models.IdempotentRequest) { r.ProjectID = other.ID },
			func(r *models.IdempotentRequest) { r.ProjectID = 0 },
			func(r *models.IdempotentRequest) { r.Caller = "8" },
			func(r *models.IdempotentRequest) { r.Path = "/v1/ota/channels" },
		} {
			r := f.keyed("k", "a")
			change(&r)
			_, replayed, err := f.AnswerOnce(t.Context(), r, answering(201))
			require.NoError(t, err)
			require.False(t, replayed, "%+v", r)
			_, replayed, err = f.AnswerOnce(t.Context(), r, answering(201))
			require.NoError(t, err)
			require.True(t, replayed, "%+v", r)
		}
	})

	t.Run("takes back what a refused request did and keeps the refusal", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		_, _, err := f.AnswerOnce(t.Context(), f.keyed("k", "a"), f.branching("one", 409))
		require.NoError(t, err)
		a, replayed, err := f.AnswerOnce(t.Context(), f.keyed("k", "a"), f.branching("two", 201))
		require.NoError(t, err)
		require.True(t, replayed)
		require.Equal(t, 409, a.Status)
		f.requireBranch("one", false)
	})

	t.Run("keeps no failure of the server", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		for _, status := range []int{503, models.StatusClientClosed} {
			a, replayed, err := f.AnswerOnce(t.Context(), f.keyed("k", "a"), f.branching("one", status))
			require.NoError(t, err)
			require.False(t, replayed)
			require.Equal(t, status, a.Status)
			f.requireBranch("one", false)
		}
		boom := errors.New("boom")
		_, _, err := f.AnswerOnce(t.Context(), f.keyed("k", "a"), func(ctx context.Context) (models.IdempotentAnswer, error) {
			a, err := f.branching("one", 201)(ctx)
			return a, errors.Join(err, boom)
		})
		require.ErrorIs(t, err, boom)
		require.Panics(t, func() {
			f.AnswerOnce(t.Context(), f.keyed("k", "a"), func(ctx context.Context) (models.IdempotentAnswer, error) {
				f.branching("one", 201)(ctx)
				panic("bug")
			})
		})
		f.requireBranch("one", false)
		_, replayed, err := f.AnswerOnce(t.Context(), f.keyed("k", "a"), f.branching("one", 201))
		require.NoError(t, err)
		require.False(t, replayed)
		f.requireBranch("one", true)
	})

	t.Run("survives a statement that fails inside", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		_, _, err := f.AnswerOnce(t.Context(), f.keyed("k", "a"), func(ctx context.Context) (models.IdempotentAnswer, error) {
			_, err := f.CreateBranch(ctx, f.project.ID, alice, models.NewBranch{Name: "production"})
			requireCode(t, models.CodeAlreadyExists, err)
			return f.branching("one", 201)(ctx)
		})
		require.NoError(t, err)
		f.requireBranch("one", true)
	})

	t.Run("forgets after a day", func(t *testing.T) {
		t.Parallel()
		now := time.Date(2026, 3, 14, 9, 0, 0, 0, time.UTC)
		var offset atomic.Int64
		f := setup(t, store.WithNow(func() time.Time { return now.Add(time.Duration(offset.Load())) }))
		for _, key := range []string{"k", "l"} {
			_, _, err := f.AnswerOnce(t.Context(), f.keyed(key, "a"), answering(201))
			require.NoError(t, err)
		}
		offset.Store(int64(models.IdempotencyLife - time.Millisecond))
		_, replayed, err := f.AnswerOnce(t.Context(), f.keyed("k", "a"), answering(201))
		require.NoError(t, err)
		require.True(t, replayed)
		offset.Store(int64(models.IdempotencyLife))
		_, replayed, err = f.AnswerOnce(t.Context(), f.keyed("k", "b"), answering(201))
		require.NoError(t, err)
		require.False(t, replayed)
		require.Equal(t, []string{"k"}, query[string](f, "SELECT key FROM idempotency_keys"), "the old ones are cleared away")
	})
}

func TestAnswerOnceConcurrently(t *testing.T) {
	t.Parallel()

	t.Run("lets one of many at once work, and the others wait for its answer", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		const callers = 8
		var worked, replays atomic.Int32
		var all sync.WaitGroup
		for range callers {
			all.Go(func() {
				a, replayed, err := f.AnswerOnce(t.Context(), f.keyed("k", "a"), func(ctx context.Context) (models.IdempotentAnswer, error) {
					worked.Add(1)
					return f.branching("one", 201)(ctx)
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
		f := setup(t)
		_, _, err := f.AnswerOnce(t.Context(), f.keyed("k", "a"), func(context.Context) (models.IdempotentAnswer, error) {
			_, _, err := f.AnswerOnce(t.Context(), f.keyed("k", "a"), answering(201))
			requireCode(t, models.CodeUnavailable, err)
			var e *models.Error
			require.ErrorAs(t, err, &e)
			require.Positive(t, e.RetryAfter)
			return models.IdempotentAnswer{Status: 201}, nil
		})
		require.NoError(t, err)
	})

	t.Run("leaves nothing when the process dies before the end", func(t *testing.T) {
		t.Parallel()
		databaseURL := storetest.Database(t)
		proxy, through := startProxy(t, databaseURL)
		f := &fixture{Store: storetest.Open(t, databaseURL), t: t, databaseURL: databaseURL}
		f.project = f.newProject("demo")
		dying := &fixture{Store: storetest.Open(t, through), t: t, databaseURL: through, project: f.project}
		_, _, err := dying.AnswerOnce(t.Context(), f.keyed("k", "a"), func(ctx context.Context) (models.IdempotentAnswer, error) {
			a, err := dying.branching("one", 201)(ctx)
			proxy.cut() // Postgres sees what it sees when a process is killed
			return a, err
		})
		requireCode(t, models.CodeUnavailable, err)
		f.requireBranch("one", false)
		_, replayed, err := f.AnswerOnce(t.Context(), f.keyed("k", "a"), f.branching("one", 201))
		require.NoError(t, err)
		require.False(t, replayed)
		f.requireBranch("one", true)
	})

	t.Run("goes with its project", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		_, _, err := f.AnswerOnce(t.Context(), f.keyed("k", "a"), answering(201))
		require.NoError(t, err)
		require.NoError(t, f.DeleteProject(t.Context(), alice, f.project.Slug))
		require.Empty(t, query[int64](f, "SELECT id FROM idempotency_keys"))
	})
}

func answering(status int) func(context.Context) (models.IdempotentAnswer, error) {
	return func(context.Context) (models.IdempotentAnswer, error) {
		return models.IdempotentAnswer{Status: status}, nil
	}
}

package store_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

// A preview that takes too long gives up, and does not block changes of the project.
func TestAPreviewTakesAShortTimeOnly(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	holds := func(ctx context.Context) error {
		_, err := f.CreateBranch(ctx, f.Demo.ID, storetest.Alice, models.NewBranch{Name: "previewed"})
		require.NoError(t, err)
		<-ctx.Done()
		return ctx.Err()
	}
	_, err := f.Preview(t.Context(), f.Demo.ID, holds, nil)
	storetest.RequireCode(t, models.CodeUnavailable, err) // the preview has returned, so its context has ended
	require.ErrorContains(t, err, "the preview took longer than 3s")
	storetest.AddBranch(f, "changed")
	require.Empty(t, storetest.Query[int64](f, "SELECT id FROM branches WHERE name = 'previewed'"))
}

func renaming(f *storetest.Fixture, id int64, message string) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		_, err := f.UpdateRelease(ctx, f.Demo.ID, storetest.Alice, id, models.ReleasePatch{ReleaseMessage: &message})
		return err
	}
}

// A change that waits for a preview ends the preview immediately, and the preview is repeated after the change.
func TestAPreviewMakesWayForAChange(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	r := f.MustPublish()
	changed, attempts := make(chan error, 1), 0
	_, err := f.Preview(t.Context(), f.Demo.ID, func(ctx context.Context) error {
		if attempts++; attempts > 1 {
			return <-changed
		}
		require.NoError(t, renaming(f, r.ID, "previewed")(ctx))
		go func() { changed <- renaming(f, r.ID, "changed")(t.Context()) }()
		storetest.AwaitLock(f, t.Context().Done())
		return renaming(f, r.ID, "previewed again")(ctx)
	}, nil)
	require.NoError(t, err)
	require.Equal(t, 2, attempts)
	require.Equal(t, "changed", f.MustRelease(r.ID).ReleaseMessage)
}

// A preview is unavailable if a change holds a lock that it needs for a long time.
func TestAPreviewDoesNotQueueBehindAChange(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	r := f.MustPublish()
	holder, err := f.Conn().Begin(t.Context())
	require.NoError(t, err)
	_, err = holder.Exec(t.Context(), "SELECT FROM releases WHERE id = $1 FOR UPDATE", r.ID)
	require.NoError(t, err)
	_, err = f.Preview(t.Context(), f.Demo.ID, renaming(f, r.ID, "previewed"), nil)
	storetest.RequireCode(t, models.CodeUnavailable, err)
	require.ErrorContains(t, err, "the project is being changed")
	require.NoError(t, holder.Rollback(t.Context()))
	_, err = f.Preview(t.Context(), f.Demo.ID, renaming(f, r.ID, "previewed"), nil)
	require.NoError(t, err)
}

// A release published during a preview may have the same time as a release within the preview.
func TestAPreviewPublishesBesideAChange(t *testing.T) {
	t.Parallel()
	_, stopped := storetest.StoppedClock()
	f := storetest.Setup(t, stopped)
	first, attempts := f.MustPublish(), 0
	_, err := f.Preview(t.Context(), f.Demo.ID, func(ctx context.Context) error {
		if attempts++; attempts == 1 {
			f.MustPublish()
		}
		_, err := f.Rollback(ctx, f.Demo.ID, storetest.Alice,
			models.Rollback{Channel: "production", Platform: models.IOS, RuntimeVersion: "1.0.0", ToUpdateID: &first.ID})
		return err
	}, nil)
	require.NoError(t, err)
	require.Equal(t, 2, attempts)
}

package backups

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/serviceerror"
)

// Temporal may start with the restore, which then waits for it. A response ends the wait, even an error.
func TestARestoreWaitsForTemporal(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), temporalWait)
		defer cancel()
		starting := errors.Join(errors.New("count the workflows"), serviceerror.NewUnavailable("connection refused"))
		returning := func(results ...error) func() error {
			return func() (result error) {
				if result = results[0]; len(results) > 1 {
					results = results[1:]
				}
				return result
			}
		}
		require.NoError(t, onceReached(ctx, returning(starting, serviceerror.NewDeadlineExceeded("late"), nil)))
		denied := serviceerror.NewPermissionDenied("no", "")
		require.Equal(t, denied, onceReached(ctx, returning(starting, denied, nil)))
		require.NoError(t, ctx.Err())
		require.Equal(t, starting, onceReached(ctx, returning(starting)))
		require.ErrorIs(t, ctx.Err(), context.DeadlineExceeded)
	})
}

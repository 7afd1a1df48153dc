package limit

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// turnsTogether is the number of turns of different projects in the test.
const turnsTogether = 4

func TestTurnsAreTakenOneAfterTheOther(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		turns := NewTurns("too many", turnsTogether)
		var now, most, inProject, refused atomic.Int64
		call := func(projectID int64) {
			done, err := turns.Take(t.Context(), projectID)
			if err != nil {
				require.Equal(t, models.CodeRateLimited, models.CodeOf(err))
				refused.Add(1)
				return
			}
			defer done()
			most.Store(max(most.Load(), now.Add(1)))
			if projectID == 1 {
				require.EqualValues(t, 1, inProject.Add(1))
				defer inProject.Add(-1)
			}
			<-time.NewTimer(100 * time.Millisecond).C // by the bubble's clock
			now.Add(-1)
		}
		var calls sync.WaitGroup
		for n := range int64(100) {
			calls.Go(func() { call(1) })
			calls.Go(func() { call(1 + n%10) })
		}
		calls.Wait()
		require.EqualValues(t, turnsTogether, most.Load())
		require.Positive(t, refused.Load(), "100 calls of a tenth of a second do not fit into five")
		require.Zero(t, turns.turns.Keys())
		began := time.Now()
		for project := range int64(turnsTogether) {
			done, err := turns.Take(t.Context(), project)
			require.NoError(t, err)
			defer done()
		}
		require.Equal(t, began, time.Now(), "all turns have ended")
	})
}

func TestACallerThatLeavesStopsWaitingForItsTurn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		turns := NewTurns("too many", turnsTogether)
		done, err := turns.Take(t.Context(), 1)
		require.NoError(t, err)
		ctx, leave := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, leave)
		_, err = turns.Take(ctx, 1)
		require.ErrorIs(t, err, context.Canceled)
		done()
		require.Zero(t, turns.turns.Keys())
	})
}

package limit

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// requireTurnAfter fails the test unless the next turn of project 1 comes exactly wait after begun.
func requireTurnAfter(t *testing.T, p *Paced, wait time.Duration, begun time.Time) {
	t.Helper()
	_, done, err := p.Turn(t.Context(), 1)
	require.NoError(t, err)
	defer done()
	require.Equal(t, wait, time.Since(begun), "by the clock of the bubble")
}

// Costly work rests three times as long as it works, and the project's next call begins after that rest.
func TestCostlyWorkRests(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		work := func() { <-time.NewTimer(10 * time.Millisecond).C } // by the clock of the bubble
		p := Paced{turns: NewTurns("busy", 1), now: time.Now}
		begun := time.Now()
		rest, done, err := p.Turn(t.Context(), 1)
		require.NoError(t, err)
		work()
		rest()
		require.Equal(t, 80*time.Millisecond, time.Since(begun))
		work()
		done()
		require.Equal(t, 90*time.Millisecond, time.Since(begun), "the caller does not wait for the last rest")
		requireTurnAfter(t, &p, 160*time.Millisecond, begun)
	})
}

// A caller that disconnects does not rest, but the next call of the project waits for that rest as well.
func TestARestThatWasCutShortIsOwed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := Paced{turns: NewTurns("busy", 1), now: time.Now}
		begun := time.Now()
		ctx, leave := context.WithCancel(t.Context())
		rest, done, err := p.Turn(ctx, 1)
		require.NoError(t, err)
		leave()
		for range 3 {
			<-time.NewTimer(10 * time.Millisecond).C // by the clock of the bubble
			rest()
		}
		require.Equal(t, 30*time.Millisecond, time.Since(begun))
		done()
		requireTurnAfter(t, &p, 240*time.Millisecond, begun)
	})
}

// Calls that delay others for a moment, however short they are, have a pause between them.
func TestCallsOfAProjectPause(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := Paced{turns: NewTurns("busy", 2), now: time.Now, pause: estimatePause}
		begun := time.Now()
		for range 3 {
			_, done, err := p.Turn(t.Context(), 1)
			require.NoError(t, err)
			done()
		}
		require.Equal(t, 2*estimatePause, time.Since(begun))
		_, done, err := p.Turn(t.Context(), 2)
		require.NoError(t, err)
		require.Equal(t, 2*estimatePause, time.Since(begun), "another project does not wait")
		done()
	})
}

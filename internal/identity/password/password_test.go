package password

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

var cheap = Params{MemoryKiB: 64, Passes: 1, Threads: 1}

func TestAPasswordIsVerified(t *testing.T) {
	t.Parallel()
	h := New(Current)
	encoded, err := h.Hash(t.Context(), "correct horse battery")
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(encoded, "$argon2id$v=19$m=19456,t=2,p=1$"), encoded)
	for password, want := range map[string]bool{"correct horse battery": true, "correct horse batterz": false, "": false} {
		ok, rehashed, err := h.Verify(t.Context(), encoded, password, false)
		require.NoError(t, err)
		require.Equal(t, want, ok, password)
		require.Empty(t, rehashed)
	}
	again, err := h.Hash(t.Context(), "correct horse battery")
	require.NoError(t, err)
	require.NotEqual(t, encoded, again, "a salt of its own")
}

func TestOldParametersAreRehashed(t *testing.T) {
	t.Parallel()
	old, current := New(cheap), New(Params{MemoryKiB: 128, Passes: 1, Threads: 1})
	encoded, err := old.Hash(t.Context(), "correct horse battery")
	require.NoError(t, err)
	ok, rehashed, err := current.Verify(t.Context(), encoded, "wrong", false)
	require.NoError(t, err)
	require.False(t, ok)
	require.Empty(t, rehashed)
	ok, rehashed, err = current.Verify(t.Context(), encoded, "correct horse battery", false)
	require.NoError(t, err)
	require.True(t, ok)
	require.Contains(t, rehashed, "m=128,t=1,p=1")
	ok, rehashed, err = current.Verify(t.Context(), rehashed, "correct horse battery", false)
	require.NoError(t, err)
	require.True(t, ok)
	require.Empty(t, rehashed)
}

func TestUnicodeFormsOfAPasswordAreOne(t *testing.T) {
	t.Parallel()
	h := New(cheap)
	encoded, err := h.Hash(t.Context(), "Zu\u0308rich-Zu\u0308rich")
	require.NoError(t, err)
	ok, _, err := h.Verify(t.Context(), encoded, "Z\u00fcrich-Z\u00fcrich", false)
	require.NoError(t, err)
	require.True(t, ok)
}

// The hash that is verified for an unknown account does not match any password.
func TestAnUnknownAccountHasNoPassword(t *testing.T) {
	t.Parallel()
	h := New(cheap)
	for _, password := range []string{"", "x", h.unknown} {
		ok, rehashed, err := h.Verify(t.Context(), "", password, false)
		require.NoError(t, err)
		require.False(t, ok)
		require.Empty(t, rehashed)
	}
	params, _, sum, err := decode(h.unknown)
	require.NoError(t, err)
	require.Equal(t, h.params, params, "it costs what a known account costs")
	require.Len(t, sum, hashBytes)
}

func TestBadHashesAreErrors(t *testing.T) {
	t.Parallel()
	h := New(cheap)
	for _, encoded := range []string{
		"plain", "$2a$10$abcdefghijklmnopqrstuv", "$argon2id$v=19$m=64,t=1,p=1$c2FsdA$c2hvcnQ", "$argon2id$v=19$m=4294967295,t=1,p=1$c2FsdA$" +
			strings.Repeat("A", 43), "$argon2id$v=19$m=0,t=0,p=0$c2FsdA$" + strings.Repeat("A", 43),
	} {
		_, _, err := h.Verify(t.Context(), encoded, "x", false)
		require.ErrorIs(t, err, errEncoded, encoded)
	}
}

// A flood computes at most as many hashes at the same time as there are turns. A request that cannot wait is refused immediately.
func TestAFloodIsBounded(t *testing.T) {
	t.Parallel()
	const turns, waiting = 2, 3
	h := newHasher(cheap, turns, waiting)
	release := make(chan struct{})
	var running, most, refused atomic.Int64
	started := make(chan struct{}, turns)
	var group sync.WaitGroup
	for range turns {
		group.Go(func() {
			_ = h.inTurn(context.WithoutCancel(t.Context()), false, func() {
				most.Store(max(most.Load(), running.Add(1)))
				started <- struct{}{}
				<-release
				running.Add(-1)
			})
		})
	}
	for range turns {
		<-started
	}
	answered := make(chan error)
	for range 20 {
		go func() {
			answered <- h.inTurn(t.Context(), false, func() { most.Store(max(most.Load(), running.Load()+1)) })
		}()
	}
	for range 20 - waiting {
		require.Equal(t, models.CodeRateLimited, models.CodeOf(<-answered))
		refused.Add(1)
	}
	close(release)
	for range waiting {
		require.NoError(t, <-answered)
	}
	group.Wait()
	require.EqualValues(t, 20-waiting, refused.Load())
	require.LessOrEqual(t, most.Load(), int64(turns))
}

// A flood of strangers fills its own line. A request in the first line finds a place, and waits for fewer strangers than a stranger
// that came before it.
func TestStrangersDoNotHoldUpTheFirstLine(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const waiting = 5
		h := newHasher(cheap, 1, waiting)
		var order []string // the one turn guards it
		var group sync.WaitGroup
		release := make(chan struct{})
		enter := func(name string, first bool, compute func()) {
			group.Go(func() {
				_ = h.inTurn(context.WithoutCancel(t.Context()), first, func() { // order shows if it fails
					compute()
					order = append(order, name)
				})
			})
			synctest.Wait()
		}
		enter("the one whose turn it is", false, func() { <-release })
		for i := range waiting {
			enter(fmt.Sprintf("stranger %d", i), false, func() {})
		}
		require.Equal(t, models.CodeRateLimited, models.CodeOf(h.inTurn(t.Context(), false, func() {})), "their line is full")
		enter("a known person", true, func() {})
		close(release)
		group.Wait()
		require.Equal(t, []string{"the one whose turn it is", "a known person", "stranger 0"}, order[:3])
		require.Len(t, order, waiting+2)
	})
}

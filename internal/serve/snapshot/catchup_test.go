package snapshot

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestCatchUp(t *testing.T) {
	t.Parallel()
	t.Run("returns when the newest version is served", func(t *testing.T) {
		t.Parallel()
		w := newSource()
		w.put(7)
		r, notify := run(t, w)
		notify("")
		for version := int64(1); version < 50; version++ {
			require.NoError(t, r.CatchUp(t.Context(), 7))
			require.True(t, serves(r, "p7", version)())
			w.put(7)
			go notify("7")
		}
	})
	t.Run("of all projects, also new and deleted ones", func(t *testing.T) {
		t.Parallel()
		w := newSource()
		w.put(7)
		r, notify := run(t, w)
		notify("")
		require.NoError(t, r.CatchUp(t.Context(), 0))
		w.drop(7)
		w.put(8)
		go notify("")
		require.NoError(t, r.CatchUp(t.Context(), 0))
		require.True(t, serves(r, "p8", 1)())
		require.False(t, exists(r, "p7"))
	})
	t.Run("a project that is gone is not served any more", func(t *testing.T) {
		t.Parallel()
		w := newSource()
		w.put(7)
		r, notify := run(t, w)
		notify("")
		require.NoError(t, r.CatchUp(t.Context(), 7))
		w.drop(7)
		go notify("7")
		require.NoError(t, r.CatchUp(t.Context(), 7))
		require.False(t, exists(r, "p7"))
	})
	t.Run("ends with its context while a project is being read", func(t *testing.T) {
		t.Parallel()
		w := newSource()
		w.put(7)
		release := w.hold(7)
		defer release()
		r, notify := run(t, w)
		notify("")
		<-w.entered
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		defer cancel()
		require.ErrorIs(t, r.CatchUp(ctx, 7), context.DeadlineExceeded)
	})
	t.Run("fails while the source is unavailable", func(t *testing.T) {
		t.Parallel()
		w := newSource()
		w.set(true)
		require.Error(t, newRegistry(w).CatchUp(t.Context(), 7))
	})
}

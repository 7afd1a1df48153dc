package snapshot

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/waft-ota/waft/models"
)

func TestLoadServesWhatCanBeRead(t *testing.T) {
	t.Parallel()
	w := newSource()
	for id := range int64(loadBatch + 10) {
		w.put(id)
	}
	broken := []int64{3, loadBatch + 5}
	for _, id := range broken {
		w.breaks(id, true)
	}
	var log bytes.Buffer
	r := newRegistry(w)
	r.log = slog.New(slog.NewTextHandler(&log, nil))
	now := time.Now()
	r.now = func() time.Time { return now }
	require.NoError(t, r.Load(t.Context()))
	for id := range int64(loadBatch + 10) {
		if id != broken[0] && id != broken[1] {
			require.True(t, serves(r, slug(id), 1)(), id)
		}
	}
	refresh := func(request func()) {
		var workers errgroup.Group
		request()
		require.NoError(t, r.refresh(t.Context(), &workers))
		require.NoError(t, workers.Wait())
	}
	unreadable := func(id int64) {
		t.Helper()
		_, err := r.ProjectByID(id)
		require.Equal(t, models.CodeUnavailable, models.CodeOf(err))
		for _, key := range []string{slug(id), w.projects[id].UUID.String()} {
			_, err := r.Project(key)
			require.Equal(t, models.CodeUnavailable, models.CodeOf(err))
			require.Contains(t, err.Error(), "cannot be read")
		}
	}
	unreadable(broken[0])
	unreadable(broken[1])
	require.Equal(t, 2, r.failing())
	require.Equal(t, 2, strings.Count(log.String(), "level=WARN"))
	require.Contains(t, log.String(), "a project cannot be read; its devices get 503")
	require.Contains(t, log.String(), "a row cannot be read")

	read, _ := w.readings()
	for range 60 {
		now = now.Add(time.Second)
		refresh(r.poll)
	}
	tries, _ := w.readings()
	require.InDelta(t, 2*4, tries-read, 4, "less and less often")
	unreadable(broken[0])
	require.Equal(t, 2, strings.Count(log.String(), "level=WARN"))

	w.breaks(broken[0], false)
	w.breaks(broken[1], false)
	w.drop(broken[1])
	now = now.Add(time.Hour)
	refresh(r.poll)
	require.True(t, serves(r, slug(broken[0]), 1)())
	require.False(t, exists(r, slug(broken[1])))
	require.Zero(t, r.failing())
}

func TestLoadFailsWhenNothingCanBeRead(t *testing.T) {
	t.Parallel()
	w := newSource()
	for _, id := range []int64{7, 8} {
		w.put(id)
		w.breaks(id, true)
	}
	require.ErrorIs(t, newRegistry(w).Load(t.Context()), errNothingReadable)
	w.drop(8)
	require.NoError(t, newRegistry(w).Load(t.Context()), "one damaged project does not make Load fail")
}

// A project may be damaged before it is read for the first time.
func TestANewProjectThatCannotBeReadIsKnown(t *testing.T) {
	t.Parallel()
	w := newSource()
	r, notify := run(t, w)
	w.put(7)
	w.breaks(7, true)
	notify("7")
	require.Eventually(t, func() bool {
		_, err := r.Project("p7")
		return models.CodeOf(err) == models.CodeUnavailable
	}, waitLimit, tick)
	w.breaks(7, false)
	notify("7")
	require.Eventually(t, serves(r, "p7", 1), waitLimit, tick)
}

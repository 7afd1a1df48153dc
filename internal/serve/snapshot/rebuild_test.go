package snapshot

import (
	"bytes"
	"context"
	"log/slog"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"
)

// loaded returns a running registry that has the given projects.
func loaded(t *testing.T, w *memorySource, ids ...int64) (*Registry, func(string)) {
	t.Helper()
	for _, id := range ids {
		w.put(id)
	}
	r, notify := run(t, w)
	notify("")
	for _, id := range ids {
		require.Eventually(t, serves(r, slug(id), 1), waitLimit, tick)
	}
	require.Eventually(t, func() bool { return r.behind() == 0 }, waitLimit, tick)
	return r, notify
}

func slug(id int64) string { return "p" + strconv.FormatInt(id, 10) }

func TestAProjectIsReadAsAWholeOnce(t *testing.T) {
	t.Parallel()
	w := newSource()
	r, notify := loaded(t, w, 7)
	for version := range int64(5) {
		w.put(7)
		notify("7")
		require.Eventually(t, serves(r, "p7", version+2), waitLimit, tick)
	}
	wholes, deltas := w.readings()
	require.Equal(t, 1, wholes)
	require.Equal(t, 5, deltas)
}

func TestAProjectIsReadAsAWholeWhenItIsLost(t *testing.T) {
	t.Parallel()
	w := newSource()
	r, notify := loaded(t, w, 7)
	w.mu.Lock()
	w.lost = true
	w.mu.Unlock()
	w.put(7)
	notify("7")
	require.Eventually(t, serves(r, "p7", 2), waitLimit, tick)
	wholes, _ := w.readings()
	require.Equal(t, 2, wholes)
}

func TestABurstOfChangesIsReadTogether(t *testing.T) {
	t.Parallel()
	w := newSource()
	w.put(7)
	release := w.hold(7)
	defer release()
	r, notify := run(t, w)
	notify("7")
	require.Equal(t, int64(7), <-w.entered)
	for range 100 {
		w.put(7)
		notify("7")
	}
	release()
	require.Eventually(t, serves(r, "p7", 101), waitLimit, tick)
	require.Eventually(t, func() bool { return r.behind() == 0 }, waitLimit, tick)
	wholes, deltas := w.readings()
	require.Equal(t, 1, wholes)
	// A single read covers all changes. More reads may follow for notifications that were passed on after it began.
	require.LessOrEqual(t, deltas, 3)
}

func TestAHugeProjectDelaysNoOther(t *testing.T) {
	t.Parallel()
	w := newSource()
	r, notify := loaded(t, w, 7)
	for id := range int64(2 * wholesTogether) { // each of them takes a long time
		w.put(100 + id)
		defer w.hold(100 + id)()
		notify(strconv.FormatInt(100+id, 10))
	}
	for range wholesTogether {
		<-w.entered
	}
	w.put(7)
	notify("7")
	require.Eventually(t, serves(r, "p7", 2), waitLimit, tick)
	require.Equal(t, 2*wholesTogether, r.behind())
	require.Empty(t, w.entered, "no more projects than that are read as a whole at the same time")
}

func TestAProjectThatFailsIsBehindUntilItIsRead(t *testing.T) {
	t.Parallel()
	w := newSource()
	r, notify := loaded(t, w, 7, 8)
	w.set(true)
	w.put(7)
	notify("7")
	require.Eventually(t, func() bool { return r.behind() == 1 }, waitLimit, tick)
	require.True(t, serves(r, "p7", 1)())
	w.set(false)
	notify("")
	require.Eventually(t, serves(r, "p7", 2), waitLimit, tick)
	require.Eventually(t, func() bool { return r.behind() == 0 }, waitLimit, tick)
	wholes, _ := w.readings()
	require.Equal(t, 2, wholes, "the state that was read earlier is still used")
}

func TestWhatNobodyChangesIsReadNowAndThen(t *testing.T) {
	t.Parallel()
	w := newSource()
	w.put(7)
	r := newRegistry(w)
	now := time.Now()
	r.now = func() time.Time { return now }
	require.NoError(t, r.Load(t.Context()))
	aged := func(after time.Duration) int { return len(r.aged(now.Add(after))) }
	require.Equal(t, 0, aged(idleAfter))
	require.Equal(t, 1, aged(idleAfter+time.Second))

	p := r.project(7)
	read := func(after time.Duration) (wholes, deltas int) {
		now = now.Add(after)
		require.False(t, r.step(t.Context(), p))
		return w.readings()
	}
	wholes, deltas := read(wholeAfter)
	require.Equal(t, []int{1, 1}, []int{wholes, deltas})
	for range wholesTogether {
		r.wholes <- struct{}{}
	}
	wholes, deltas = read(time.Second)
	require.Equal(t, []int{1, 2}, []int{wholes, deltas}, "the project does not wait for its turn to be read as a whole")
	<-r.wholes
	wholes, deltas = read(time.Second)
	require.Equal(t, []int{2, 2}, []int{wholes, deltas})
}

// A comparison of versions, which happens every few seconds, finds the project each time.
func TestAProjectThatCannotBeReadIsTriedLessAndLessOften(t *testing.T) {
	t.Parallel()
	w := newSource()
	w.put(7)
	w.put(8)
	var log bytes.Buffer
	r := newRegistry(w)
	r.log = slog.New(slog.NewTextHandler(&log, nil))
	now := time.Now()
	r.now = func() time.Time { return now }
	require.NoError(t, r.Load(t.Context()))
	refresh := func(request func()) {
		var workers errgroup.Group
		request()
		require.NoError(t, r.refresh(t.Context(), &workers))
		require.NoError(t, workers.Wait())
	}
	w.put(7)
	w.breaks(7, true)
	for range 600 {
		now = now.Add(time.Second)
		refresh(r.poll)
	}
	_, tries := w.readings()
	require.InDelta(t, 17, tries, 6, "first within 5 s, later every 30 to 60 s")
	require.Equal(t, 1, r.failing())
	require.Equal(t, 1, strings.Count(log.String(), "level=WARN"))

	w.put(8)
	refresh(r.poll)
	require.True(t, serves(r, "p8", 2)(), "other projects are still read")
	_, before := w.readings()
	refresh(func() { r.request("7") })
	refresh(func() { r.request("") })
	_, after := w.readings()
	require.Equal(t, before+2, after, "after a change, and when the source is available again, the project is read immediately")

	w.breaks(7, false)
	refresh(func() { r.request("7") })
	require.True(t, serves(r, "p7", 2)())
	require.Zero(t, r.failing())
	require.Equal(t, 1, strings.Count(log.String(), "can be read again"))
	require.Equal(t, 1, strings.Count(log.String(), "level=WARN"))
}

// requireWoken waits until a registry that does not run has something to read. Run compares the versions every few seconds, so it would
// find every change.
func requireWoken(t *testing.T, r *Registry) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), waitLimit)
	defer cancel()
	select {
	case <-r.wake:
	case <-ctx.Done():
		require.Fail(t, "the change still waits")
	}
}

func TestAChangeWaitsForTheNextOne(t *testing.T) {
	t.Parallel()
	refresh := func(r *Registry) {
		var workers errgroup.Group
		require.NoError(t, r.refresh(t.Context(), &workers))
		require.NoError(t, workers.Wait())
	}
	// uploaded returns a registry with a change of project 7 that waits.
	uploaded := func(wait time.Duration) (*memorySource, *Registry) {
		w := newSource()
		w.put(7)
		r := newRegistry(w)
		r.wait = wait
		r.request("7 later")
		return w, r
	}
	t.Run("and is read once, with it", func(t *testing.T) {
		t.Parallel()
		w, r := uploaded(time.Hour)
		refresh(r)
		require.False(t, exists(r, "p7"))
		w.put(7)
		r.request("7")
		refresh(r)
		require.True(t, serves(r, "p7", 2)())
		wholes, changes := w.readings()
		r.readLater(map[int64]int64{7: 2})
		refresh(r)
		again, more := w.readings()
		require.Equal(t, [2]int{wholes, changes}, [2]int{again, more}, "the first change was read a second time")
	})
	t.Run("but not for long", func(t *testing.T) {
		t.Parallel()
		_, r := uploaded(laterTime)
		requireWoken(t, r)
		refresh(r)
		require.True(t, serves(r, "p7", 1)())
	})
	t.Run("unless somebody waits for it", func(t *testing.T) {
		t.Parallel()
		_, r := uploaded(time.Hour)
		caught := make(chan error, 1)
		go func() { caught <- r.CatchUp(t.Context(), 7) }()
		requireWoken(t, r)
		r.request("7 later")
		requireWoken(t, r)
		refresh(r)
		require.NoError(t, <-caught)
		require.True(t, serves(r, "p7", 1)())
	})
}

package symbols

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/decide/errorgroup"
	"github.com/waft-ota/waft/internal/lab/benchratio"
	"github.com/waft-ota/waft/models"
)

// world has builds whose update ID equals the MD5 of their source map.
type world struct {
	mu     sync.Mutex
	files  map[string]string
	opened map[string]int
	away   bool
	now    time.Time
}

func newWorld() *world {
	return &world{files: map[string]string{}, opened: map[string]int{}, now: time.Date(2026, 11, 23, 0, 0, 0, 0, time.UTC)}
}

func (w *world) SourceMap(_ context.Context, _ int64, u models.RunningUpdate) (string, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.away {
		return "", errors.New("the store is away")
	}
	if _, ok := w.files[u.UpdateUUID]; ok {
		return u.UpdateUUID, nil
	}
	return "", nil
}

func (w *world) open(_ context.Context, _ int64, md5 string) (io.ReadCloser, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.opened[md5]++
	if w.away {
		return nil, errors.New("the asset bucket is unavailable")
	}
	return io.NopCloser(strings.NewReader(w.files[md5])), nil
}

func (w *world) maps(memory int64) *Maps {
	return New(Options{Store: w, Open: w.open, Memory: memory, Log: slog.New(slog.DiscardHandler), Now: func() time.Time { return w.now }})
}

// add adds a source map whose content has the given number of bytes to an update.
func (w *world) add(update string, bytes int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.files[update] = fmt.Sprintf(`{"version":3,"sources":["/app/%s.js"],"sourcesContent":["function pay() {\n%s}\n"],
		"x_facebook_sources":[[{"names":["<global>","pay"],"mappings":"AAA,AC"}]],"mappings":"AAAA"}`,
		update, strings.Repeat(strings.Repeat(" ", 62)+`\n`, bytes/63))
}

const thrown = "Error: x\n    at t (address at main.jsbundle:1:3)"

func eventOn(update string) models.TelemetryEvent {
	return models.TelemetryEvent{UpdateUUID: update, HealthEvent: models.HealthEvent{StackTrace: thrown}}
}

// Source maps of 50 MB do not exceed the allowed memory, but the most recently used one is always kept.
func TestSourceMapsAreBoundedInMemory(t *testing.T) {
	t.Parallel()
	w := newWorld()
	const megabyte = 1 << 20
	m := w.maps(70 * megabyte)
	for _, update := range []string{"a", "b", "c"} {
		w.add(update, 50*megabyte)
	}
	w.add("small", megabyte)
	for _, update := range []string{"a", "small", "b", "small", "c", "small"} {
		frames, err := m.Frames(t.Context(), 7, eventOn(update))
		require.NoError(t, err)
		require.Equal(t, "/app/"+update+".js", frames[0].File)
		require.Equal(t, "pay", frames[0].Function)
		m.mu.Lock()
		require.LessOrEqual(t, m.bytes, m.o.Memory)
		m.mu.Unlock()
	}
	require.Equal(t, map[string]int{"a": 1, "b": 1, "c": 1, "small": 1}, w.opened, "maps that are used stay")
	_, err := m.Frames(t.Context(), 7, eventOn("a"))
	require.NoError(t, err)
	require.Equal(t, 2, w.opened["a"], "the least recently used map was dropped")

	tiny := w.maps(1)
	for range 3 {
		_, err := tiny.Frames(t.Context(), 7, eventOn("a"))
		require.NoError(t, err)
	}
	require.Equal(t, 3, w.opened["a"], "a map larger than the allowed memory stays while it is the most recently used one")
}

func TestWhatIsNoSourceMapIsRefused(t *testing.T) {
	t.Parallel()
	m := newWorld().maps(1)
	err := m.Check(t.Context(), strings.NewReader("{}"))
	require.Equal(t, models.CodeInvalid, models.CodeOf(err))
	require.ErrorContains(t, err, "sourcemap")
	require.NoError(t, m.Check(t.Context(), strings.NewReader(`{"version":3,"mappings":""}`)))
}

func reportOf(update string, source models.ReportSource, stacks ...string) []models.HealthReport {
	r := models.HealthReport{ProjectID: 7, UpdateUUID: update, Source: source}
	for _, stack := range stacks {
		r.Events = append(r.Events, models.HealthEvent{Type: models.EventJSError, ErrorName: "Error", StackTrace: stack})
	}
	return []models.HealthReport{r}
}

var anybody = models.ReportSource{Trusted: true, Served: true}

// A group is determined with the source map. It waits while the map cannot be read, is determined without the map after
// a while, and later with the map again.
func TestErrorsAreGroupedBySourceMap(t *testing.T) {
	t.Parallel()
	w := newWorld()
	m := w.maps(1 << 20)
	g := NewGrouper(m, func() time.Time { return w.now }, prometheus.NewRegistry())
	group := func(update string) models.EventGroup {
		r := reportOf(update, anybody, thrown)
		require.NoError(t, g.Group(t.Context(), r))
		return r[0].Events[0].Group
	}
	without := group("a")
	require.Empty(t, without.Culprit)
	w.add("a", 1000)
	require.Equal(t, without, group("a"), "the store's result is kept for a while")
	m.Forget(7)
	with := group("a")
	require.Equal(t, "pay (a.js)", with.Culprit)
	require.NotEqual(t, without.Fingerprint, with.Fingerprint)

	w.mu.Lock()
	w.away = true
	w.mu.Unlock()
	w.now = w.now.Add(lookupLife)
	require.Equal(t, with, group("a"), "the store's previous result is used")
	require.Error(t, g.Group(t.Context(), reportOf("b", anybody, thrown)), "the error waits")
	w.now = w.now.Add(patience)
	require.Equal(t, without.Fingerprint, group("b").Fingerprint)
	w.mu.Lock()
	w.away = false
	w.mu.Unlock()
	w.add("b", 1000)
	w.now = w.now.Add(lookupLife)
	require.Equal(t, "pay (b.js)", group("b").Culprit)
	w.mu.Lock()
	w.away = true
	w.mu.Unlock()
	_, err := m.Frames(t.Context(), 7, eventOn("a"))
	require.Error(t, err)
}

// An error gets the same group whether its source map is in memory or is read slowly when the error arrives.
func TestAnErrorWaitsForItsSourceMap(t *testing.T) {
	t.Parallel()
	w := newWorld()
	w.add("a", 1000)
	opened, may := make(chan struct{}), make(chan struct{})
	slow := w.maps(1 << 20)
	slow.o.Open = func(ctx context.Context, projectID int64, md5 string) (io.ReadCloser, error) {
		close(opened)
		<-may
		return w.open(ctx, projectID, md5)
	}
	g := NewGrouper(slow, func() time.Time { return w.now }, prometheus.NewRegistry())
	first := reportOf("a", anybody, thrown)
	grouped := make(chan error, 1)
	go func() { grouped <- g.Group(t.Context(), first) }()
	<-opened
	require.Empty(t, grouped, "the error waits for the source map")
	close(may)
	require.NoError(t, <-grouped)
	second := reportOf("a", anybody, thrown)
	require.NoError(t, g.Group(t.Context(), second))
	require.Equal(t, "pay (a.js)", first[0].Events[0].Group.Culprit)
	require.Equal(t, second, first)
}

// Expo leaves function maps out of the source maps of Hermes bytecode. An error has the same group with and without a
// function map.
func TestFunctionMapsDoNotChangeAGroup(t *testing.T) {
	t.Parallel()
	w := newWorld()
	w.add("plain", 1000)
	const functions = `"x_facebook_sources":[[{"names":["<global>","pay"],"mappings":"AAA,AC"}]],`
	require.Contains(t, w.files["plain"], functions)
	w.files["bytecode"] = strings.Replace(w.files["plain"], functions, "", 1)
	g := NewGrouper(w.maps(1<<20), func() time.Time { return w.now }, prometheus.NewRegistry())
	group := func(update, function string) models.EventGroup {
		r := reportOf(update, anybody, strings.Replace(thrown, " t ", " "+function+" ", 1))
		require.NoError(t, g.Group(t.Context(), r))
		return r[0].Events[0].Group
	}
	with := group("plain", "t")
	require.Equal(t, "pay (plain.js)", with.Culprit)
	require.Equal(t, with, group("bytecode", "pay"), "people see the engine's name, because the source contains it")
	require.Equal(t, with.Fingerprint, group("bytecode", "t").Fingerprint)
	require.Equal(t, "plain.js", group("bytecode", "t").Culprit, "a minifier's name is not in the source")
}

// A sender that invents errors can neither fill the project's groups nor keep the groups of other senders out.
func TestInventedErrorsDoNotFillTheGroups(t *testing.T) {
	t.Parallel()
	w := newWorld()
	registry := prometheus.NewRegistry()
	g := NewGrouper(w.maps(1), func() time.Time { return w.now }, registry)
	groups := map[models.Fingerprint]bool{}
	invent := func(source models.ReportSource, name string, n int) {
		for i := range n {
			r := reportOf("", source, fmt.Sprintf("Error: x\n    at %s%d (address at main.jsbundle:1:3)", name, i))
			require.NoError(t, g.Group(t.Context(), r))
			groups[r[0].Events[0].Group.Fingerprint] = true
		}
	}
	invent(models.ReportSource{Network: 1}, "one", 5000)
	require.Len(t, groups, maxGroups/20+1, "half of a tenth of the limit, and the group of other errors")
	for network := range 100 {
		invent(models.ReportSource{Network: models.NetworkHash(network + 2)}, fmt.Sprint("net", network, "x"), 200)
	}
	require.Len(t, groups, maxGroups/2+1, "half of the limit is reserved for devices that were served")
	honest := reportOf("", models.ReportSource{Network: 1, Served: true}, "Error: x\n    at honest (address at main.jsbundle:1:3)")
	require.NoError(t, g.Group(t.Context(), honest))
	require.NotEqual(t, models.OtherErrors, honest[0].Events[0].Group.Fingerprint)
	require.Positive(t, testutil.ToFloat64(g.other))
}

// hugeStack returns a stack with the given number of frames. The first frames are always the same.
func hugeStack(frames int) string {
	var text strings.Builder
	for i := range frames {
		fmt.Fprintf(&text, "    at f%d (address at main.jsbundle:1:%d)\n", i, i)
	}
	return text.String()
}

// However large a stack is, its first frames determine the group.
func TestTheFirstFramesOfAHugeStackDecide(t *testing.T) {
	t.Parallel()
	w := newWorld()
	w.add("a", 1<<20)
	g := NewGrouper(w.maps(1<<30), func() time.Time { return w.now }, prometheus.NewRegistry())
	reports := reportOf("a", anybody, hugeStack(1500), hugeStack(errorgroup.MostFrames))
	require.NoError(t, g.Group(t.Context(), reports))
	events := reports[0].Events
	require.NotEmpty(t, events[0].Group.Fingerprint)
	require.Equal(t, events[1].Group, events[0].Group)
}

// BenchmarkRatioHugeStack compares grouping an error with 1,500 frames with grouping an error that has only the frames
// that count.
func BenchmarkRatioHugeStack(b *testing.B) {
	w := newWorld()
	w.add("a", 1<<20)
	g := NewGrouper(w.maps(1<<30), func() time.Time { return w.now }, prometheus.NewRegistry())
	group := func(frames int) func() {
		reports := reportOf("a", anybody, hugeStack(frames))
		return func() { require.NoError(b, g.Group(b.Context(), reports)) }
	}
	benchratio.Compare(b, "huge-stack", group(errorgroup.MostFrames), group(1500))
}

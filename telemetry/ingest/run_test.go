package ingest

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

var errAway = errors.New("ClickHouse is away")

func TestRunTriesOneRangeUntilItIsIn(t *testing.T) {
	t.Parallel()
	sink := newMemorySink()
	failures := 5
	sink.onInsert = func(string, []models.HealthReport) error {
		if failures--; failures >= 0 {
			return errAway
		}
		return nil
	}
	i := openTestIngest(t, testOptions(t, sink))
	ids := appendReports(t, i, 10)
	startRun(t, i)
	sink.await(t, func() bool { return len(sink.allTokens()) > 1 })
	ids = append(ids, appendReports(t, i, 10)...)

	sink.await(t, func() bool { return len(sink.seen(t)) == len(ids) })
	requireOnce(t, sink, ids)
	tokens := sink.allTokens()
	for _, token := range tokens[:6] {
		require.Equal(t, tokens[0], token, "reports received during the insert wait for the next range")
	}
}

func TestRunRepeatsARangeWhoseAnswerWasLost(t *testing.T) {
	t.Parallel()
	sink := newMemorySink()
	lost := 3
	sink.onStored = func(string) error {
		if lost--; lost >= 0 {
			return errAway
		}
		return nil
	}
	i := openTestIngest(t, testOptions(t, sink))
	ids := appendReports(t, i, 10)
	startRun(t, i)
	sink.await(t, func() bool { return len(sink.allTokens()) >= 4 })
	requireOnce(t, sink, ids)
}

func TestRunBoundsARange(t *testing.T) {
	t.Parallel()
	sink := newMemorySink()
	var sizes []int
	sink.onInsert = func(_ string, reports []models.HealthReport) error {
		sizes = append(sizes, len(reports))
		return nil
	}
	o := testOptions(t, sink)
	o.FlushRows = 20
	i := openTestIngest(t, o)
	ids := appendReports(t, i, 35) // with one event each, so two rows each
	startRun(t, i)
	sink.await(t, func() bool { return len(sink.seen(t)) == len(ids) })
	require.Equal(t, []int{10, 10, 10, 5}, sizes)
}

func TestRunInsertsAFullRangeAtOnce(t *testing.T) {
	t.Parallel()
	sink := newMemorySink()
	o := testOptions(t, sink)
	o.FlushRows = 20
	o.FlushInterval = time.Hour
	i := openTestIngest(t, o)
	ids := appendReports(t, i, 1)
	startRun(t, i)
	// Run first inserts what an earlier run left, however little it is.
	sink.await(t, func() bool { return len(sink.seen(t)) == len(ids) })
	ids = append(ids, appendReports(t, i, 10)...)
	sink.await(t, func() bool { return len(sink.seen(t)) == len(ids) })
}

// A process may be killed at any step of moving a range. A second Log with the same sink gets a copy of its folder at
// that moment.
func TestRunSurvivesACrash(t *testing.T) {
	t.Parallel()
	crashes := map[string]func(t *testing.T, o *Options, sink *memorySink, crash func()){
		"after the range is fixed, before it is inserted": func(_ *testing.T, _ *Options, sink *memorySink, crash func()) {
			sink.onInsert = func(string, []models.HealthReport) error {
				crash()
				return errAway
			}
		},
		"after the insert, before its answer": func(_ *testing.T, _ *Options, sink *memorySink, crash func()) {
			sink.onStored = func(string) error {
				crash()
				return errAway
			}
		},
		"after the insert, before it is noted down": func(_ *testing.T, o *Options, _ *memorySink, crash func()) {
			o.Inserted = []func([]models.HealthReport){func([]models.HealthReport) { crash() }}
		},
	}
	for name, prepare := range crashes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sink := newMemorySink()
			o := testOptions(t, sink)
			var image string
			prepare(t, &o, sink, func() {
				if image == "" {
					image = crashImage(t, o.Dir)
				}
			})
			i := openTestIngest(t, o)
			ids := appendReports(t, i, 10)
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			require.NoError(t, i.Run(ctx), "Run makes a single, last attempt")
			require.NotEmpty(t, image)

			sink.onInsert, sink.onStored = nil, nil
			drain(t, image, sink)
			requireOnce(t, sink, ids)
			tokens := sink.allTokens()
			require.Len(t, tokens, 2)
			require.Equal(t, tokens[0], tokens[1], "the same range goes out under the same token")
		})
	}
}

func TestRunDoesNotRepeatARangeThatIsNotedDown(t *testing.T) {
	t.Parallel()
	sink := newMemorySink()
	o := testOptions(t, sink)
	o.FlushRows = 20
	images := []string{}
	sink.onInsert = func(string, []models.HealthReport) error {
		images = append(images, crashImage(t, o.Dir))
		return nil
	}
	i := openTestIngest(t, o)
	ids := appendReports(t, i, 30)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.NoError(t, i.Run(ctx))
	require.Len(t, images, 3)
	tokens := sink.allTokens()

	// The entries of the first two ranges are still in the log of the last image.
	sink.onInsert = nil
	drain(t, images[2], sink)
	require.Equal(t, append(tokens, tokens[2]), sink.allTokens())
	requireOnce(t, sink, ids)
}

func TestCloseInsertsWhatIsThere(t *testing.T) {
	t.Parallel()
	sink := newMemorySink()
	o := testOptions(t, sink)
	o.FlushInterval = time.Hour
	i := openTestIngest(t, o)
	startRun(t, i)
	ids := appendReports(t, i, 10)
	require.NoError(t, i.Close())
	requireOnce(t, sink, ids)
}

// hangingSink responds only after the caller has stopped waiting.
type hangingSink struct{ called chan struct{} }

func (s hangingSink) InsertReports(ctx context.Context, _ string, _ []models.HealthReport) error {
	wake(s.called)
	<-ctx.Done()
	return ctx.Err()
}

func (s hangingSink) InsertEvents(ctx context.Context, _ string, _ []models.HealthReport) error {
	return s.InsertReports(ctx, "", nil)
}

func (s hangingSink) InsertErrors(ctx context.Context, _ string, _ []models.HealthReport) error {
	return s.InsertReports(ctx, "", nil)
}

func (s hangingSink) InsertEvaluations(ctx context.Context, _ string, _ []models.FlagEvaluations) error {
	return s.InsertReports(ctx, "", nil)
}

func (s hangingSink) InsertExposures(ctx context.Context, _ string, _ []models.Exposure) error {
	return s.InsertReports(ctx, "", nil)
}

func TestCloseIsBounded(t *testing.T) {
	t.Parallel()
	sink := hangingSink{called: make(chan struct{}, 1)}
	o := testOptions(t, sink)
	o.CloseTimeout = 20 * time.Millisecond
	i := openTestIngest(t, o)
	ids := appendReports(t, i, 10)
	startRun(t, i)
	<-sink.called
	closed := make(chan error)
	go func() { closed <- i.Close() }()
	ctx, cancel := context.WithTimeout(t.Context(), testTimeout)
	defer cancel()
	select {
	case err := <-closed:
		require.NoError(t, err)
	case <-ctx.Done():
		require.Fail(t, "Close hangs")
	}

	kept := newMemorySink()
	drain(t, o.Dir, kept)
	requireOnce(t, kept, ids)
}

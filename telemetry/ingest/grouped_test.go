package ingest

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// countingGroups gives each event another group at each call.
type countingGroups struct{ calls int }

func (g *countingGroups) Group(_ context.Context, reports []models.HealthReport) {
	g.calls++
	for _, r := range reports {
		for n := range r.Events {
			r.Events[n].Group.Fingerprint = models.Fingerprint(g.calls)
		}
	}
}

// failingSink fails the first inserts of reports.
type failingSink struct {
	Sink
	failures int
	tokens   []string
	groups   []models.Fingerprint
}

func (s *failingSink) InsertReports(_ context.Context, token string, reports []models.HealthReport) error {
	s.tokens = append(s.tokens, token)
	s.groups = append(s.groups, reports[0].Events[0].Group.Fingerprint)
	if s.failures--; s.failures >= 0 {
		return errors.New("ClickHouse is away")
	}
	return nil
}

// A range that is inserted again has the groups of its first attempt.
func TestARangeThatIsTriedAgainHasTheSameGroups(t *testing.T) {
	t.Parallel()
	groups, sink := &countingGroups{}, &failingSink{failures: 2}
	l, err := Open(Options{Dir: t.TempDir(), Sink: sink, MaxBytes: 1 << 20, Groups: groups})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, l.Close()) })
	report := func(device string) models.HealthReport {
		return models.HealthReport{ProjectID: 7, DeviceID: device, Events: []models.HealthEvent{{Type: models.EventCrash, Count: 1}}}
	}
	require.NoError(t, l.Append(t.Context(), report("one")))
	for range 2 {
		_, err = l.moveRange(t.Context())
		require.Error(t, err)
	}
	_, err = l.moveRange(t.Context())
	require.NoError(t, err)
	require.NoError(t, l.Append(t.Context(), report("two")))
	_, err = l.moveRange(t.Context())
	require.NoError(t, err)
	require.Equal(t, []models.Fingerprint{1, 1, 1, 2}, sink.groups)
	require.Equal(t, 2, groups.calls)
}

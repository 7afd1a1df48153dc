package regressions

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// memory is a Store and a Telemetry that records calls.
type memory struct {
	reports   []models.ErrorReport
	old       []models.ErrorGroupStatus
	groups    map[models.Fingerprint]time.Time
	seen      map[int64]time.Time
	forgotten []int64
}

func (m *memory) RegressErrorGroups(
	_ context.Context, _ int64, reports []models.ErrorReport, _ func(context.Context) (map[string]time.Time, error),
) (int, error) {
	m.reports = append(m.reports, reports...)
	return 0, nil
}

func (m *memory) ReleasePlaces(context.Context, int64) ([]models.ReleasePlace, error) {
	return nil, nil
}

func (m *memory) OldErrorGroups(context.Context, time.Time, int) ([]models.ErrorGroupStatus, error) {
	return m.old, nil
}

func (m *memory) SawErrorGroup(_ context.Context, id int64, at time.Time) error {
	m.seen[id] = at
	return nil
}

func (m *memory) ForgetErrorGroup(_ context.Context, id int64, _ time.Time) error {
	m.forgotten = append(m.forgotten, id)
	return nil
}

func (m *memory) ErrorGroups(_ context.Context, _ int64, q models.GroupQuery, _ time.Time) ([]models.GroupFigures, error) {
	if last, ok := m.groups[q.Fingerprint]; ok {
		return []models.GroupFigures{{Fingerprint: q.Fingerprint, LastAt: last}}, nil
	}
	return nil, nil
}

func TestOnlyGroupsOfReleasesAreChecked(t *testing.T) {
	t.Parallel()
	m := &memory{}
	w := NewWatcher(m, m, time.Second, slog.New(slog.DiscardHandler), time.Now)
	event := func(f models.Fingerprint) models.HealthEvent {
		return models.HealthEvent{Group: models.EventGroup{Fingerprint: f}}
	}
	w.ErrorsInserted([]models.HealthReport{
		{ProjectID: 1, Platform: models.IOS, UpdateUUID: "u", Events: []models.HealthEvent{event(7), event(7), event(0), event(models.OtherErrors)}},
		{ProjectID: 1, Platform: models.IOS, UpdateUUID: "", Events: []models.HealthEvent{event(8)}},
	})
	require.NoError(t, w.pending.Flush(func(taken map[sighting]struct{}) error { return w.check(t.Context(), taken) }))
	require.Equal(t, []models.ErrorReport{{Fingerprint: models.Fingerprint(7).String(), Platform: models.IOS, UpdateUUID: "u"}}, m.reports)
}

func TestStatusesOutliveOnlyGroupsThatTelemetryHas(t *testing.T) {
	t.Parallel()
	last := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	m := &memory{
		old: []models.ErrorGroupStatus{
			{ID: 1, Fingerprint: models.Fingerprint(7).String()}, {ID: 2, Fingerprint: models.Fingerprint(8).String()},
		},
		groups: map[models.Fingerprint]time.Time{7: last}, seen: map[int64]time.Time{},
	}
	w := NewWatcher(m, m, time.Second, slog.New(slog.DiscardHandler), time.Now)
	require.NoError(t, w.Forget(t.Context()))
	require.Equal(t, map[int64]time.Time{1: last}, m.seen)
	require.Equal(t, []int64{2}, m.forgotten)
}

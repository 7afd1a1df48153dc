package watch

import (
	"context"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// For each rollout and stage, the newest observation is stored, even if ClickHouse did not accept it at first.
func TestObservationsAreRecorded(t *testing.T) {
	t.Parallel()
	w := &testRollouts{away: true}
	r := newRecorder(w, slog.New(slog.DiscardHandler))
	of := func(stage int, devices int64) models.RolloutObservation {
		return models.RolloutObservation{ExecutionID: 21, StageIndex: stage, DeviceCounts: models.DeviceCounts{Devices: devices}}
	}
	for _, o := range []models.RolloutObservation{of(0, 1), of(0, 2), of(1, 3)} {
		r.note(o)
	}
	r.store(t.Context())
	require.Empty(t, w.recorded)
	r.note(of(1, 4))
	w.away = false
	ended, end := context.WithCancel(t.Context())
	end()
	r.run(ended) // it stores once more
	require.ElementsMatch(t, []models.RolloutObservation{of(0, 2), of(1, 4)}, w.recorded)
	r.store(t.Context())
	require.Len(t, w.recorded, 2)
}

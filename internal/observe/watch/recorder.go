package watch

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/waft-ota/waft/internal/base/every"
	"github.com/waft-ota/waft/internal/base/gather"
	"github.com/waft-ota/waft/models"
)

const (
	// recordEvery is how often observations are stored. Of those of a rollout and stage meanwhile, the newest is.
	recordEvery = 2 * time.Second
	// recordTime bounds the last time, when the watcher stops.
	recordTime = 5 * time.Second
)

// Observations keeps what was observed of rollouts, for people.
type Observations interface {
	// InsertObservations stores the observations once under the token.
	InsertObservations(ctx context.Context, token string, observations []models.RolloutObservation) error
}

// recorder gathers observations. Those that cannot be stored wait for the next time, one for each rollout and stage.
type recorder struct {
	sink   Observations
	log    *slog.Logger
	newest *gather.Map[observed, models.RolloutObservation]
}

type observed struct {
	executionID int64
	stageIndex  int
}

func newRecorder(sink Observations, log *slog.Logger) *recorder {
	return &recorder{sink: sink, log: log, newest: gather.New[observed](0, gather.Newest[models.RolloutObservation])}
}

func (r *recorder) note(o models.RolloutObservation) {
	r.newest.Add(observed{o.ExecutionID, o.StageIndex}, o)
}

// run stores what was noted until ctx ends, and then once more.
func (r *recorder) run(ctx context.Context) error {
	return every.RunLast(ctx, recordEvery, recordTime, r.store)
}

func (r *recorder) store(ctx context.Context) {
	_ = r.newest.Flush(func(noted map[observed]models.RolloutObservation) error {
		err := r.sink.InsertObservations(ctx, uuid.NewString(), slices.Collect(maps.Values(noted)))
		if err != nil && ctx.Err() == nil {
			r.log.Warn("observations of rollouts could not be stored; trying again", "rollouts", len(noted), "error", err)
		}
		return err
	})
}

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
	// recordEvery is how often observations are stored. Only the newest one per rollout and stage in each interval is
	// stored.
	recordEvery = 2 * time.Second
	// recordTime is the maximum time for storing observations when the watcher stops.
	recordTime = 5 * time.Second
)

// Observations stores observations of rollouts for people.
type Observations interface {
	// InsertObservations stores the observations. It does so only once per token.
	InsertObservations(ctx context.Context, token string, observations []models.RolloutObservation) error
}

// recorder gathers observations. If observations cannot be stored, the newest one per rollout and stage waits for the
// next attempt.
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

// run stores the gathered observations until ctx ends, and then once more.
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

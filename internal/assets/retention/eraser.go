package retention

import (
	"context"
	"log/slog"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/waft-ota/waft/internal/base/every"
	"github.com/waft-ota/waft/models"
)

// Erasures stores the erasures that are to be made.
type Erasures interface {
	EraseDevice(ctx context.Context, projectID int64, actor models.Actor, deviceID string) (models.DeviceErasure, error)
	// DueErasures returns the erasures that are due and reserves them for a minute.
	DueErasures(ctx context.Context) ([]models.DeviceErasure, error)
	ErasurePassed(ctx context.Context, e models.DeviceErasure) error
	// DueSweeps returns the projects whose old telemetry is due to be deleted.
	DueSweeps(ctx context.Context) ([]models.Aged, error)
	SweepFailed(ctx context.Context, projectID int64) error
}

// DeviceRows stores the telemetry of single devices.
type DeviceRows interface {
	DeleteDevices(ctx context.Context, projectID int64, identities []string) error
	DeleteBefore(ctx context.Context, projectID int64, before time.Time) error
}

const (
	eraseEvery   = 15 * time.Second
	eraseTimeout = time.Minute
	// eraseWait is the maximum time for which a caller waits for the deletion.
	eraseWait = 20 * time.Second
	// eraseTogether is the maximum number of deletions for which callers wait at the same time. Each takes one of the
	// connections that are also used to insert reports and to evaluate rollouts.
	eraseTogether = 2
)

// Eraser deletes the data of devices, on request and at the end of a project's retention. It is safe for concurrent
// use, even by several processes.
type Eraser struct {
	store Erasures
	rows  DeviceRows
	log   *slog.Logger
	now   func() time.Time
	turns *semaphore.Weighted
}

// NewEraser returns an Eraser that deletes rows and records pending deletions in store.
func NewEraser(store Erasures, rows DeviceRows, log *slog.Logger, now func() time.Time) Eraser {
	return Eraser{store: store, rows: rows, log: log, now: now, turns: semaphore.NewWeighted(eraseTogether)}
}

// Erase records the erasure of a device and deletes its data. If it returns nil, the erasure is recorded. done says
// that the data has been deleted, except reports of the last seconds that are still in an ingest log; Run deletes
// these. Two calls delete data at the same time, and further calls wait.
func (e Eraser) Erase(ctx context.Context, projectID int64, actor models.Actor, deviceID string) (done bool, err error) {
	erasure, err := e.store.EraseDevice(ctx, projectID, actor, deviceID)
	if err != nil {
		return false, err
	}
	ctx, cancel := context.WithTimeout(ctx, eraseWait)
	defer cancel()
	if e.turns.Acquire(ctx, 1) != nil {
		return false, nil
	}
	defer e.turns.Release(1)
	if err := e.pass(ctx, erasure); err != nil {
		e.log.WarnContext(ctx, notErased, "erasure", erasure.ID, "error", err)
		return false, nil
	}
	return true, nil
}

const notErased = "the data of a device could not be deleted from telemetry yet"

func (e Eraser) pass(ctx context.Context, erasure models.DeviceErasure) error {
	if err := e.rows.DeleteDevices(ctx, erasure.ProjectID, erasure.Identities); err != nil {
		return err
	}
	return e.store.ErasurePassed(ctx, erasure)
}

// Run deletes due data until ctx ends.
func (e Eraser) Run(ctx context.Context) error {
	return every.RunNow(ctx, eraseEvery, func() { e.RunDue(ctx) })
}

// RunDue deletes the data that is due now. A failed deletion becomes due again.
func (e Eraser) RunDue(ctx context.Context) {
	erasures, err := e.store.DueErasures(ctx)
	e.warn(ctx, "due erasures cannot be read", err)
	for _, erasure := range erasures {
		e.warn(ctx, notErased, e.bounded(ctx, func(ctx context.Context) error { return e.pass(ctx, erasure) }))
	}
	sweeps, err := e.store.DueSweeps(ctx)
	e.warn(ctx, "projects with old telemetry cannot be read", err)
	for _, s := range sweeps {
		err := e.bounded(ctx, func(ctx context.Context) error {
			return e.rows.DeleteBefore(ctx, s.ProjectID, e.now().AddDate(0, 0, -s.Days))
		})
		if err != nil {
			e.warn(ctx, "old telemetry could not be deleted yet", err)
			e.warn(ctx, "old telemetry could not be made due again", e.store.SweepFailed(ctx, s.ProjectID))
		}
	}
}

func (e Eraser) bounded(ctx context.Context, do func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, eraseTimeout)
	defer cancel()
	return do(ctx)
}

func (e Eraser) warn(ctx context.Context, what string, err error) {
	if err != nil && ctx.Err() == nil {
		e.log.WarnContext(ctx, what, "error", err)
	}
}

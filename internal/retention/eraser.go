package retention

import (
	"context"
	"log/slog"
	"time"

	"github.com/waft-ota/waft/models"
)

// Erasures are the store's part of erasing devices.
type Erasures interface {
	EraseDevice(ctx context.Context, projectID int64, actor models.Actor, deviceID string) (models.DeviceErasure, error)
	// DueErasures takes the erasures that are due, for a minute.
	DueErasures(ctx context.Context) ([]models.DeviceErasure, error)
	ErasurePassed(ctx context.Context, e models.DeviceErasure) error
	// DueSweeps takes the projects whose old telemetry is due to be deleted.
	DueSweeps(ctx context.Context) ([]models.Aged, error)
	SweepFailed(ctx context.Context, projectID int64) error
}

// DeviceRows are what telemetry knows of single devices.
type DeviceRows interface {
	DeleteDevices(ctx context.Context, projectID int64, identities []string) error
	DeleteBefore(ctx context.Context, projectID int64, before time.Time) error
}

const (
	// eraseEvery is how often an Eraser asks for what is due.
	eraseEvery = 15 * time.Second
	// eraseTimeout bounds one deletion in telemetry.
	eraseTimeout = time.Minute
	// eraseWait is how long a caller is kept waiting for it.
	eraseWait = 20 * time.Second
)

// Eraser deletes the data of devices, on demand and when it is older than a
// project keeps it. It is safe for concurrent use, by several processes.
type Eraser struct {
	Store Erasures
	Rows  DeviceRows
	Log   *slog.Logger
	Now   func() time.Time
}

// Erase deletes the device's data. When it returns without an error the deletion is
// recorded and will happen; done says that it has happened, so that no query finds the
// device. Run deletes what the device sent in the last seconds and is still in an ingest
// log.
func (e Eraser) Erase(ctx context.Context, projectID int64, actor models.Actor, deviceID string) (done bool, err error) {
	erasure, err := e.Store.EraseDevice(ctx, projectID, actor, deviceID)
	if err != nil {
		return false, err
	}
	ctx, cancel := context.WithTimeout(ctx, eraseWait)
	defer cancel()
	if err := e.pass(ctx, erasure); err != nil {
		e.Log.WarnContext(ctx, "the data of a device could not be deleted from telemetry yet", "erasure", erasure.ID, "error", err)
		return false, nil
	}
	return true, nil
}

// pass carries an erasure out.
func (e Eraser) pass(ctx context.Context, erasure models.DeviceErasure) error {
	if err := e.Rows.DeleteDevices(ctx, erasure.ProjectID, erasure.Identities); err != nil {
		return err
	}
	return e.Store.ErasurePassed(ctx, erasure)
}

// Run carries out what is due until ctx ends.
func (e Eraser) Run(ctx context.Context) error {
	ticks := time.NewTicker(eraseEvery)
	defer ticks.Stop()
	for {
		e.RunDue(ctx)
		select {
		case <-ctx.Done():
			return nil
		case <-ticks.C:
		}
	}
}

// RunDue carries out what is due now. What fails becomes due again by itself.
func (e Eraser) RunDue(ctx context.Context) {
	erasures, err := e.Store.DueErasures(ctx)
	e.warn(ctx, "due erasures cannot be read", err)
	for _, erasure := range erasures {
		e.warn(ctx, "the data of a device could not be deleted from telemetry yet", e.bounded(ctx, func(ctx context.Context) error {
			return e.pass(ctx, erasure)
		}))
	}
	sweeps, err := e.Store.DueSweeps(ctx)
	e.warn(ctx, "projects with old telemetry cannot be read", err)
	for _, s := range sweeps {
		err := e.bounded(ctx, func(ctx context.Context) error {
			return e.Rows.DeleteBefore(ctx, s.ProjectID, e.Now().AddDate(0, 0, -s.Days))
		})
		if err != nil {
			e.warn(ctx, "old telemetry could not be deleted yet", err)
			e.warn(ctx, "old telemetry could not be made due again", e.Store.SweepFailed(ctx, s.ProjectID))
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
		e.Log.WarnContext(ctx, what, "error", err)
	}
}

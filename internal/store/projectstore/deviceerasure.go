package projectstore

import (
	"context"
	"strings"
	"time"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/unit"
	"github.com/waft-ota/waft/models"
)

const (
	// erasureLease is how long an erasure belongs to the process that took it. Afterwards another process may take it,
	// because the first one may have crashed.
	erasureLease   = time.Minute
	erasuresAtOnce = 20
	// erasureKept is how long an erasure is kept, in case an old ingest log is processed late.
	erasureKept = 30 * 24 * time.Hour
	// sweepEvery is the interval at which a project's old telemetry is deleted. Telemetry is deleted by whole days.
	sweepEvery = 6 * time.Hour
)

// EraseDevice deletes the device's contexts and user overrides, and records that its telemetry must be deleted. The
// caller has erasureLease to delete the telemetry before another process does. The audit entry names the person who
// erased a device, but not the device. Earlier audit entries stay.
func (s *Projects) EraseDevice(
	ctx context.Context, projectID int64, actor models.Actor, deviceID string,
) (e models.DeviceErasure, err error) {
	err = s.units.Edit(ctx, projectID, actor, func(c *unit.Change) error {
		if err := c.ReadProject(); err != nil {
			return err
		}
		key, err := s.units.HashKey(c.Project)
		if err != nil {
			return err
		}
		e = models.DeviceErasure{
			ProjectID: projectID, ErasedAt: c.Now(),
			Identities: []string{strings.ToLower(deviceID), models.HashDeviceID(key, deviceID)},
		}
		c.Alone(unit.Contexts) // a concurrent recording of contexts either sees the erasure or has already committed the contexts deleted here
		c.Create(&e)
		c.Exec("UPDATE device_erasures SET next_at = now() + ?::interval WHERE id = ?", erasureLease.String(), e.ID)
		// The key of a recorded context may be the hashed device ID.
		contexts := c.Tx.Exec("DELETE FROM contexts WHERE project_id = ? AND lower(targeting_key) IN ?", projectID, e.Identities)
		if contexts.Error != nil {
			return contexts.Error
		}
		overrides, err := eraseOverrides(c, e.Identities[0])
		if err != nil {
			return err
		}
		c.Audit("device.erased", "device", e.ID, map[string]any{"contexts": contexts.RowsAffected, "userOverrides": overrides})
		return nil
	})
	return e, err
}

// eraseOverrides deletes the user overrides of a device. It locks the project only if there are any.
func eraseOverrides(c *unit.Change, userID string) (erased int64, err error) {
	of := c.Tx.Table("user_overrides").Where("project_id = ? AND lower(user_id) = ?", c.Project.ID, userID).Session(&gorm.Session{})
	if err := of.Count(&erased).Error; err != nil || erased == 0 {
		return 0, err
	}
	if err := c.LockProject(); err != nil {
		return 0, err
	}
	deleted := of.Delete(nil)
	c.BumpSnapshot()
	c.NoDeviceImpact() // the law requires that a person's data is deleted; overrides of erased users end
	return deleted.RowsAffected, deleted.Error
}

// DueErasures takes erasures that are due. They are due again after erasureLease, unless ErasurePassed is called.
func (s *Projects) DueErasures(ctx context.Context) (due []models.DeviceErasure, err error) {
	err = s.db.InTx(ctx, func(tx *gorm.DB) error {
		err := tx.Exec("DELETE FROM device_erasures WHERE next_at IS NULL AND erased_at < now() - ?::interval", erasureKept.String()).Error
		if err != nil {
			return err
		}
		due, err = pg.All[models.DeviceErasure](tx.Raw(`UPDATE device_erasures SET next_at = now() + ?::interval WHERE id IN (
				SELECT id FROM device_erasures WHERE next_at <= now() ORDER BY next_at LIMIT ? FOR UPDATE SKIP LOCKED)
			RETURNING *`, erasureLease.String(), erasuresAtOnce))
		return err
	})
	return due, err
}

// ErasurePassed records that the device's telemetry was deleted once more.
func (s *Projects) ErasurePassed(ctx context.Context, e models.DeviceErasure) error {
	e.Passes++
	var next *string
	if after, again := e.NextPass(); again {
		next = new(after.String())
	}
	return s.db.Exec(ctx, "UPDATE device_erasures SET passes = ?, next_at = now() + ?::interval WHERE id = ? AND passes < ?",
		e.Passes, next, e.ID, e.Passes)
}

// ErasedSince returns all erasures requested since the given time.
func (s *Projects) ErasedSince(ctx context.Context, since time.Time) ([]models.DeviceErasure, error) {
	return pg.Reading(ctx, s.db.Read, func(tx *gorm.DB) ([]models.DeviceErasure, error) {
		return pg.All[models.DeviceErasure](tx.Where("erased_at >= ?", since).Order("id"))
	})
}

// DueSweeps takes the projects whose telemetry may contain rows past their retention.
func (s *Projects) DueSweeps(ctx context.Context) (due []models.Aged, err error) {
	err = s.db.InTx(ctx, func(tx *gorm.DB) error {
		return tx.Raw(`UPDATE projects SET telemetry_swept_at = now() WHERE id IN (
				SELECT id FROM projects WHERE telemetry_retention_days IS NOT NULL
					AND (telemetry_swept_at IS NULL OR telemetry_swept_at < now() - ?::interval)
				FOR NO KEY UPDATE SKIP LOCKED)
			RETURNING id AS project_id, telemetry_retention_days AS days`, sweepEvery.String()).Scan(&due).Error
	})
	return due, err
}

// SweepFailed makes the project due again.
func (s *Projects) SweepFailed(ctx context.Context, projectID int64) error {
	return s.db.Exec(ctx, "UPDATE projects SET telemetry_swept_at = NULL WHERE id = ?", projectID)
}

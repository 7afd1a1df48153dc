package store

import (
	"context"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/waft-ota/waft/models"
)

// incidentActor opens and closes incidents.
var incidentActor = models.SystemActor("incidents")

// OpenIncident records a spike that was found, unless the release and channel have an
// open incident already: then it changes nothing and opened is false.
func (s *Store) OpenIncident(ctx context.Context, i models.Incident) (_ models.Incident, opened bool, err error) {
	err = s.write(ctx, func(tx *gorm.DB) error {
		i.ID = 0
		created := tx.Clauses(clause.OnConflict{DoNothing: true}).Create(&i)
		if opened = created.Error == nil && created.RowsAffected == 1; !opened {
			return created.Error
		}
		return audit(tx, i.ProjectID, incidentActor, actionIncidentOpened, entityIncident, i.ID, incidentDetails(i))
	})
	return i, opened, err
}

// SaveIncident records the latest counts of an open incident; a ClosedAt closes it. One
// that was closed meanwhile stays as it is.
func (s *Store) SaveIncident(ctx context.Context, i models.Incident) error {
	return s.write(ctx, func(tx *gorm.DB) error {
		saved := tx.Model(&models.Incident{}).
			Where("project_id = ? AND id = ? AND closed_at IS NULL", i.ProjectID, i.ID).
			Select("Devices", "ErroredDevices", "CrashedDevices", "PeakErroredDevices", "FlagKey", "FlagVariation", "CheckedAt", "ClosedAt").
			Updates(&i)
		if saved.Error != nil || saved.RowsAffected == 0 || i.ClosedAt == nil {
			return saved.Error
		}
		return audit(tx, i.ProjectID, incidentActor, actionIncidentClosed, entityIncident, i.ID, incidentDetails(i))
	})
}

// incidentDetails returns what the audit log, and so a webhook, records of an incident.
func incidentDetails(i models.Incident) map[string]any {
	return map[string]any{
		"updateUuid": i.UpdateUUID, "channel": i.Channel, "platform": i.Platform, "runtimeVersion": i.RuntimeVersion,
		"flagKey": i.FlagKey, "variation": i.FlagVariation, "devices": i.Devices, "erroredDevices": i.ErroredDevices,
		"crashedDevices": i.CrashedDevices, "peakErroredDevices": i.PeakErroredDevices,
		"errorRate": i.ErrorRate(), "baselineErrorRate": i.BaselineErrorRate(), "openedAt": i.OpenedAt,
	}
}

// OpenIncidents returns all open incidents, by project.
func (s *Store) OpenIncidents(ctx context.Context) (map[int64][]models.Incident, error) {
	open := map[int64][]models.Incident{}
	err := s.read(ctx, func(tx *gorm.DB) error {
		clear(open)
		incidents, err := all[models.Incident](tx.Where("closed_at IS NULL").Order("id"))
		for _, i := range incidents {
			open[i.ProjectID] = append(open[i.ProjectID], i)
		}
		return err
	})
	return open, err
}

// ListIncidents returns a page of the project's incidents, newest first; with open
// only those that are open, or only those that are not.
func (s *Store) ListIncidents(ctx context.Context, projectID int64, open *bool, page models.Page) (incidents []models.Incident, err error) {
	err = s.read(ctx, func(tx *gorm.DB) error {
		q := tx
		if open != nil && *open {
			q = q.Where("closed_at IS NULL")
		} else if open != nil {
			q = q.Where("closed_at IS NOT NULL")
		}
		incidents, err = all[models.Incident](pageOf(q, "incidents", projectID, page))
		return err
	})
	return incidents, err
}

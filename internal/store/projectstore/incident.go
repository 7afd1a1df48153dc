package projectstore

import (
	"context"
	"errors"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/unit"
	"github.com/waft-ota/waft/models"
)

// incidentActor is the actor that opens and closes incidents.
var incidentActor = models.SystemActor("incidents")

// errOutdated undoes the insert of OpenIncident.
var errOutdated = errors.New("an incident was closed by a later check")

// OpenIncident records a spike. It does not, and opened is false, if the release and channel already have an open
// incident. The same holds if they had an incident that was closed at i.OpenedAt or later, because then another process
// has checked later and found that the spike is over.
func (s *Projects) OpenIncident(ctx context.Context, i models.Incident) (_ models.Incident, opened bool, err error) {
	err = s.units.Edit(ctx, i.ProjectID, incidentActor, func(c *unit.Change) error {
		i.ID = 0
		created := c.Tx.Clauses(clause.OnConflict{DoNothing: true}).Create(&i)
		if created.Error != nil || created.RowsAffected == 0 {
			return created.Error
		}
		// If another transaction is closing an incident, the insert has waited for it. So this query sees the closed
		// incident.
		closed, err := pg.All[models.Incident](c.Tx.Limit(1).Where(
			"project_id = ? AND update_uuid = ? AND channel = ? AND platform = ? AND runtime_version = ? AND closed_at >= ?",
			i.ProjectID, i.UpdateUUID, i.Channel, i.Platform, i.RuntimeVersion, i.OpenedAt))
		if err == nil && len(closed) > 0 {
			err = errOutdated
		}
		if err == nil {
			c.Audit("incident.opened", "incident", i.ID, incidentDetails(i))
		}
		return err
	})
	if errors.Is(err, errOutdated) {
		return i, false, nil
	}
	return i, err == nil && i.ID != 0, err
}

// SaveIncident records the latest counts of an incident, unless it is closed. If ClosedAt is set, it closes the
// incident.
func (s *Projects) SaveIncident(ctx context.Context, i models.Incident) error {
	return s.units.Edit(ctx, i.ProjectID, incidentActor, func(c *unit.Change) error {
		saved := c.Tx.Model(&models.Incident{}).
			Where("project_id = ? AND id = ? AND closed_at IS NULL", i.ProjectID, i.ID).
			Select("Devices", "ErroredDevices", "CrashedDevices", "PeakErroredDevices", "FlagKey", "FlagVariation", "CheckedAt", "ClosedAt").
			Updates(&i)
		if saved.Error == nil && saved.RowsAffected == 1 && i.ClosedAt != nil {
			c.Audit("incident.closed", "incident", i.ID, incidentDetails(i))
		}
		return saved.Error
	})
}

// Incident returns one incident.
func (s *Projects) Incident(ctx context.Context, projectID, id int64) (models.Incident, error) {
	return pg.Reading(ctx, s.db.Read, func(tx *gorm.DB) (models.Incident, error) {
		return pg.One[models.Incident](tx.Where("project_id = ? AND id = ?", projectID, id), "incident %d", id)
	})
}

// UpdateIncident acknowledges an incident, withdraws the acknowledgement, or sets the incident's note.
func (s *Projects) UpdateIncident(
	ctx context.Context, projectID int64, actor models.Actor, id int64, patch models.IncidentPatch,
) (models.Incident, error) {
	return unit.Apply(ctx, s.units.Edit, projectID, actor, patch, func(c *unit.Change) (models.Incident, error) {
		before, err := pg.One[models.Incident](c.Tx.Clauses(pg.ForUpdate).Where("project_id = ? AND id = ?", projectID, id), "incident %d", id)
		if err != nil {
			return before, err
		}
		c.Match(id, before)
		i := before
		models.Assign(&i.Note, patch.Note)
		if patch.Acknowledged != nil && *patch.Acknowledged != (i.AcknowledgedBy != nil) {
			i.AcknowledgedBy, i.AcknowledgedAt = nil, nil
			if *patch.Acknowledged {
				i.AcknowledgedBy, i.AcknowledgedAt = new(actor.Shown()), new(c.Now())
			}
		}
		fields := func(i models.Incident) map[string]any {
			return map[string]any{"acknowledged": i.AcknowledgedBy != nil, "note": i.Note}
		}
		if changes := unit.MapDiff(fields(before), fields(i)); len(changes) > 0 {
			c.Update(&i, "AcknowledgedBy", "AcknowledgedAt", "Note")
			c.Audit("incident.updated", "incident", i.ID, changes)
		}
		return i, nil
	})
}

// incidentDetails returns the representation of an incident in the audit log, and therefore in webhook messages.
func incidentDetails(i models.Incident) map[string]any {
	return map[string]any{
		"updateUuid": i.UpdateUUID, "channel": i.Channel, "platform": i.Platform, "runtimeVersion": i.RuntimeVersion,
		"flagKey": i.FlagKey, "variation": i.FlagVariation, "devices": i.Devices, "erroredDevices": i.ErroredDevices,
		"crashedDevices": i.CrashedDevices, "peakErroredDevices": i.PeakErroredDevices,
		"errorRate": i.ErrorRate(), "baselineErrorRate": i.BaselineErrorRate(), "openedAt": i.OpenedAt,
	}
}

// OpenIncidents returns all open incidents, by project.
func (s *Projects) OpenIncidents(ctx context.Context) (map[int64][]models.Incident, error) {
	return pg.Reading(ctx, s.db.Read, func(tx *gorm.DB) (map[int64][]models.Incident, error) {
		open := map[int64][]models.Incident{}
		incidents, err := pg.All[models.Incident](tx.Where("closed_at IS NULL").Order("id"))
		for _, i := range incidents {
			open[i.ProjectID] = append(open[i.ProjectID], i)
		}
		return open, err
	})
}

var incidentList = pg.List{
	Table: "incidents", Owner: "project_id",
	Sorts: map[string]pg.SortBy{
		"acknowledgedBy": pg.ByText("coalesce(incidents.acknowledged_by, '')"), "channel": pg.ByText("incidents.channel"),
		"closedAt": pg.ByMaybeTime("incidents.closed_at"), "erroredDevices": pg.ByNumber("incidents.errored_devices"),
		"errorRate": pg.ByNumber("100 * incidents.errored_devices::double precision / greatest(incidents.devices, 1)"),
		"openedAt":  pg.ByTime("incidents.opened_at"),
	},
	Matches: "search_words(project_id, ARRAY['=' || update_uuid], channel, platform, runtime_version, flag_key, note) @@ search_query(?, ?)",
	Texts:   []string{"incidents.channel", "incidents.runtime_version", "coalesce(incidents.flag_key, '')"},
}

// ListIncidents returns a page of the project's incidents, newest first. If open is set, it returns only open incidents
// or only closed ones.
func (s *Projects) ListIncidents(
	ctx context.Context, projectID int64, open *bool, page models.Page,
) ([]models.Incident, error) {
	return pg.Reading(ctx, s.db.Read, func(tx *gorm.DB) ([]models.Incident, error) {
		if open != nil {
			tx = tx.Where("(closed_at IS NULL) = ?", *open)
		}
		return pg.Rows[models.Incident](tx, incidentList, projectID, page)
	})
}

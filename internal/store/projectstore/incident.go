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

// errEnded undoes the insert of OpenIncident.
var errEnded = errors.New("an incident about the same errors has ended")

// OpenIncident records a spike, unless the release and channel already have an open incident, or had an incident about
// the same errors. Then opened is false. An incident is about the same errors in three cases.
//   - An incident ended at i.OpenedAt or later. Then another process has checked later and found that the spike is over.
//   - An incident ended less than models.IncidentReopens before without a recovery. The last hour may contain its errors.
//   - An incident ended because the release was rolled back, and devices still do not get the release.
func (s *Projects) OpenIncident(ctx context.Context, i models.Incident) (_ models.Incident, opened bool, err error) {
	err = s.units.Edit(ctx, i.ProjectID, incidentActor, func(c *unit.Change) error {
		i.ID = 0
		created := c.Tx.Clauses(clause.OnConflict{DoNothing: true}).Create(&i)
		if created.Error != nil || created.RowsAffected == 0 {
			return created.Error
		}
		// If another transaction is ending an incident, the insert has waited for it. So this query sees the ended
		// incident.
		ended, err := pg.All[models.Incident](c.Tx.Limit(1).Where(
			"project_id = ? AND update_uuid = ? AND channel = ? AND platform = ? AND runtime_version = ? AND "+
				"(resolved_at >= ? OR resolution <> ? AND resolved_at > ? OR resolution = ? AND ?)",
			i.ProjectID, i.UpdateUUID, i.Channel, i.Platform, i.RuntimeVersion, i.OpenedAt,
			models.ResolvedByRecovery, i.OpenedAt.Add(-models.IncidentReopens), models.ResolvedByRollback, i.WithdrawnAt != nil))
		if err == nil && len(ended) > 0 {
			err = errEnded
		}
		if err == nil {
			c.Audit("incident.opened", "incident", i.ID, incidentDetails(i))
		}
		return err
	})
	if errors.Is(err, errEnded) {
		return i, false, nil
	}
	return i, err == nil && i.ID != 0, err
}

// SaveIncident records the latest counts of an incident, unless it has ended. If ResolvedAt is set, it ends the
// incident.
func (s *Projects) SaveIncident(ctx context.Context, i models.Incident) error {
	return s.units.Edit(ctx, i.ProjectID, incidentActor, func(c *unit.Change) error {
		saved := c.Tx.Model(&models.Incident{}).
			Where("project_id = ? AND id = ? AND resolved_at IS NULL", i.ProjectID, i.ID).
			Select("Devices", "ErroredDevices", "CrashedDevices", "PeakErroredDevices", "FlagKey", "FlagVariation", "CheckedAt",
				"CalmAt", "WithdrawnAt", "ResolvedAt", "Resolution").
			Updates(&i)
		if saved.Error == nil && saved.RowsAffected == 1 && i.ResolvedAt != nil {
			c.Audit("incident.resolved", "incident", i.ID, incidentDetails(i))
		}
		return saved.Error
	})
}

// Incident returns one incident.
func (s *Projects) Incident(ctx context.Context, projectID, id int64) (models.Incident, error) {
	return pg.Reading(ctx, s.db.Read, func(tx *gorm.DB) (models.Incident, error) {
		return pg.OneWith(tx, tx.Where("project_id = ? AND id = ?", projectID, id), loadReferences, "incident %d", id)
	})
}

// UpdateIncident acknowledges an incident, withdraws the acknowledgement, sets the incident's note, or closes it.
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
		if patch.Close && i.ResolvedAt == nil {
			i.Resolve(models.ResolvedByPerson, c.Now())
			c.Update(&i, "ResolvedAt", "Resolution")
			c.Audit("incident.closed", "incident", i.ID, incidentDetails(i))
		}
		one := []models.Incident{i}
		err = loadReferences(c.Tx, one)
		return one[0], err
	})
}

// incidentDetails returns the representation of an incident in the audit log, and therefore in webhook messages.
func incidentDetails(i models.Incident) map[string]any {
	details := map[string]any{
		"updateUuid": i.UpdateUUID, "channel": i.Channel, "platform": i.Platform, "runtimeVersion": i.RuntimeVersion,
		"flagKey": i.FlagKey, "variation": i.FlagVariation, "devices": i.Devices, "erroredDevices": i.ErroredDevices,
		"crashedDevices": i.CrashedDevices, "peakErroredDevices": i.PeakErroredDevices,
		"errorRate": i.ErrorRate(), "baselineErrorRate": i.BaselineErrorRate(), "openedAt": i.OpenedAt,
	}
	if i.Resolution != nil {
		details["resolution"] = *i.Resolution
	}
	return details
}

// OpenIncidents returns all open incidents, by project.
func (s *Projects) OpenIncidents(ctx context.Context) (map[int64][]models.Incident, error) {
	return pg.Reading(ctx, s.db.Read, func(tx *gorm.DB) (map[int64][]models.Incident, error) {
		open := map[int64][]models.Incident{}
		incidents, err := pg.All[models.Incident](tx.Where("resolved_at IS NULL").Order("id"))
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
		"resolvedAt": pg.ByMaybeTime("incidents.resolved_at"), "erroredDevices": pg.ByNumber("incidents.errored_devices"),
		"errorRate": pg.ByNumber("100 * incidents.errored_devices::double precision / greatest(incidents.devices, 1)"),
		"openedAt":  pg.ByTime("incidents.opened_at"),
	},
	Matches: "search_words(project_id, ARRAY['=' || update_uuid], channel, platform, runtime_version, flag_key, note) @@ search_query(?, ?)",
	Texts:   []string{"incidents.channel", "incidents.runtime_version", "coalesce(incidents.flag_key, '')"},
}

// ListIncidents returns a page of the project's incidents, newest first. If status is not "", it returns only incidents
// with that status.
func (s *Projects) ListIncidents(
	ctx context.Context, projectID int64, status models.IncidentStatus, page models.Page,
) ([]models.Incident, error) {
	return pg.Reading(ctx, s.db.Read, func(tx *gorm.DB) ([]models.Incident, error) {
		q := tx
		switch status {
		case models.IncidentOpen:
			q = tx.Where("resolved_at IS NULL")
		case models.IncidentResolved:
			q = tx.Where("resolution <> 'closed_by_person'")
		case models.IncidentClosed:
			q = tx.Where("resolution = 'closed_by_person'")
		}
		return pg.RowsWith(tx, q, incidentList, projectID, page, loadReferences)
	})
}

// loadReferences fills in the flags, rollouts and commits of incidents in one query.
func loadReferences(tx *gorm.DB, incidents []models.Incident) error {
	ids := pg.Each(incidents, func(i models.Incident) int64 { return i.ID })
	var found []struct {
		ID                       int64
		FlagID, ExecutionID      *int64
		GitCommitHash, GitAuthor string
	}
	// A device may report an update ID that is not a UUID.
	err := tx.Raw(`
		SELECT i.id, (SELECT id FROM flags WHERE flags.project_id = i.project_id AND flags.key = i.flag_key) AS flag_id,
			coalesce(r.git_commit_hash, '') AS git_commit_hash, coalesce(r.git_author, '') AS git_author,
			(SELECT max(e.id) FROM rollout_executions e WHERE e.project_id = i.project_id AND e.update_id = r.id) AS execution_id
		FROM incidents i
		LEFT JOIN releases r ON r.project_id = i.project_id
			AND r.update_uuid = CASE WHEN pg_input_is_valid(i.update_uuid, 'uuid') THEN i.update_uuid::uuid END
		WHERE i.id IN ?`, ids).Scan(&found).Error
	at, _ := pg.Indexed(incidents, func(i *models.Incident) int64 { return i.ID })
	for _, f := range found {
		i := at[f.ID]
		i.FlagID, i.ExecutionID, i.GitCommitHash, i.GitAuthor = f.FlagID, f.ExecutionID, f.GitCommitHash, f.GitAuthor
	}
	return err
}

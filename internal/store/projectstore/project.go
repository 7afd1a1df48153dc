package projectstore

import (
	"context"
	"slices"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/base/count"
	"github.com/waft-ota/waft/internal/store/accountstore"
	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/releasestore"
	"github.com/waft-ota/waft/internal/store/unit"
	"github.com/waft-ota/waft/models"
)

// CreateProject creates a project with the branches and channels of models.DefaultStreams. Each channel points to the
// branch with its name.
func (s *Projects) CreateProject(ctx context.Context, actor models.Actor, n models.NewProject) (models.Project, error) {
	n.Normalize()
	return unit.Apply(ctx, s.units.Edit, 0, actor, n, func(c *unit.Change) (models.Project, error) {
		id := c.NextID()
		key, err := s.units.Seal(unit.HashKeyColumn, id, unit.NewHashKey())
		if err != nil {
			return models.Project{}, err
		}
		c.Project = models.Project{
			ID: id, UUID: uuid.New(), Name: n.Name, Slug: n.Slug, CreatedAt: c.Now(), SnapshotVersion: 1,
			BuildRetentionDays: new(models.DefaultBuildRetentionDays), TrustedNetworks: []string{},
			SealedHashKey: key,
		}
		c.Create(&c.Project)
		for _, name := range models.DefaultStreams {
			if _, err := releasestore.AddChannel(c, models.NewChannel{Name: name, BranchName: name}); err != nil {
				return c.Project, err
			}
		}
		accountstore.AddOwners(c)
		c.Notify(models.NotifySnapshot, c.Project.ID)
		return c.Project, nil
	})
}

// ListProjects returns a page of projects, newest first.
func (s *Projects) ListProjects(ctx context.Context, page models.Page) ([]models.Project, error) {
	return pg.Reading(ctx, s.db.Read, func(tx *gorm.DB) ([]models.Project, error) {
		return pg.Rows[models.Project](tx, accountstore.ProjectList, 0, page)
	})
}

// Project returns the project with the given slug or, if that does not exist, with the given UUID.
func (s *Projects) Project(ctx context.Context, slugOrUUID string) (models.Project, error) {
	return pg.Reading(ctx, s.db.ReadOne, func(db *gorm.DB) (models.Project, error) { return projectNamed(db, slugOrUUID) })
}

// ProjectByID returns the project with the ID.
func (s *Projects) ProjectByID(ctx context.Context, id int64) (models.Project, error) {
	return pg.Reading(ctx, s.db.ReadOne, func(db *gorm.DB) (models.Project, error) { return unit.OneProject(db.Where("id = ?", id)) })
}

func projectNamed(tx *gorm.DB, slugOrUUID string) (models.Project, error) {
	p, err := unit.OneProject(tx.Where("slug = ?", slugOrUUID))
	id, parseErr := uuid.Parse(slugOrUUID)
	if models.CodeOf(err) != models.CodeNotFound || parseErr != nil {
		return p, err
	}
	return unit.OneProject(tx.Where("uuid = ?", id))
}

// projectTables lists the tables with data of projects, each before the tables that it refers to. The audit log is not
// included, because it outlives the project.
var projectTables = []string{
	"release_flags", "flag_rule_shares", "flag_rules", "flag_environments", "flag_variations", "flags", "segments",
	"idempotency_keys", "rollout_events", "rollout_executions", "rollout_policies", "release_aliases", "channel_offers", "releases",
	"build_assets", "source_maps", "builds", "patches", "patch_removals", "blob_promises", "partial_files", "blobs", "blob_holds", "blob_removals",
	"approval_decisions", "flag_schedules", "approvals", "channels", "user_overrides", "branches", "api_keys", "trusted_publishers",
	"error_group_statuses", "members", "invitations", "mails",
	"webhook_deliveries", "webhooks", "contexts", "code_signing_keys", "device_erasures", "emergency_stops", "incidents",
	"snapshot_changes", // last: the deletions above write to it
}

// DeleteProject deletes a project, named by its slug or UUID, with everything in it except its audit log. It informs
// the workflows of the project's open rollouts, which then end.
func (s *Projects) DeleteProject(ctx context.Context, actor models.Actor, slugOrUUID string) error {
	return s.units.Edit(ctx, 0, actor, func(c *unit.Change) (err error) {
		if c.Project, err = projectNamed(c.Tx.Clauses(pg.ForUpdate).Session(&gorm.Session{}), slugOrUUID); err != nil {
			return err
		}
		p := c.Project
		open, err := releasestore.OpenWorkflows(c.Tx, p.ID)
		if err != nil {
			return err
		}
		waiting, err := pg.All[models.Approval](unit.SelectApprovals(c.Tx).
			Where("approvals.project_id = ? AND ended_at IS NULL", p.ID).Order("approvals.id"))
		if err != nil {
			return err
		}
		scheduled, err := pg.All[models.FlagSchedule](unit.SelectFlagSchedules(c.Tx).
			Where("flag_schedules.project_id = ? AND ended_at IS NULL", p.ID).Order("flag_schedules.id"))
		if err != nil {
			return err
		}
		for _, table := range projectTables {
			c.Exec("DELETE FROM "+table+" WHERE project_id = ?", p.ID)
		}
		// A message that a relay is currently handling is left to the relay.
		c.Exec("DELETE FROM outbox WHERE id IN (SELECT id FROM outbox WHERE project_id = ? FOR UPDATE SKIP LOCKED)", p.ID)
		for _, workflowID := range open {
			c.Enqueue(models.OutboxRolloutReverted, models.RolloutReverted{WorkflowID: workflowID})
		}
		for _, a := range waiting {
			c.Enqueue(models.OutboxApprovalDecided, unit.ApprovalStartOf(a))
		}
		for _, s := range scheduled {
			c.Enqueue(models.OutboxFlagScheduleEnded, s.Start())
		}
		c.Exec("DELETE FROM projects WHERE id = ?", p.ID)
		c.Audit("project.deleted", "project", p.ID, map[string]any{"slug": p.Slug, "name": p.Name})
		c.Notify(models.NotifySnapshot, p.ID)
		return nil
	})
}

// Settings returns the project's settings.
func (s *Projects) Settings(ctx context.Context, projectID int64) (models.Settings, error) {
	return pg.Reading(ctx, s.db.Read, func(tx *gorm.DB) (models.Settings, error) {
		p, err := unit.OneProject(tx.Where("id = ?", projectID))
		return settingsOf(p), err
	})
}

func settingsOf(p models.Project) models.Settings {
	return models.Settings{
		BuildRetentionDays: p.BuildRetentionDays, TelemetryRetentionDays: p.TelemetryRetentionDays, HashIDs: p.HashIDs,
		TrustedNetworks: p.TrustedNetworks, RepositoryURL: p.RepositoryURL, ETag: p.ETag(p.ID),
	}
}

// UpdateSettings changes the settings that the patch sets. It returns rollout_in_progress if HashIDs would change while
// a rollout is open, because telemetry would count each device as another one. A change of TrustedNetworks affects only
// later exposures: a device stays in the network that it was first served from.
func (s *Projects) UpdateSettings(
	ctx context.Context, projectID int64, actor models.Actor, patch models.SettingsPatch,
) (models.Settings, error) {
	return unit.Apply(ctx, s.units.Edit, projectID, actor, patch, func(c *unit.Change) (models.Settings, error) {
		if err := c.LockProject(); err != nil { // the settings are in the project's row
			return models.Settings{}, err
		}
		before, p := c.Project, c.Project
		c.Match(p.ID, p)
		patch.BuildRetentionDays.Apply(&p.BuildRetentionDays)
		patch.TelemetryRetentionDays.Apply(&p.TelemetryRetentionDays)
		models.Assign(&p.HashIDs, patch.HashIDs)
		models.Assign(&p.TrustedNetworks, patch.TrustedNetworks)
		models.Assign(&p.RepositoryURL, patch.RepositoryURL)
		changes := unit.MapDiff(settingsFields(before), settingsFields(p))
		if len(changes) == 0 {
			return settingsOf(p), nil
		}
		if before.HashIDs != p.HashIDs {
			if err := checkNoRollout(c.Tx, p); err != nil {
				return settingsOf(p), err
			}
			c.Alone(unit.Policies)
			if err := checkNoControl(c.Tx, p); err != nil {
				return settingsOf(p), err
			}
		}
		if before.HashIDs != p.HashIDs || !slices.Equal(before.TrustedNetworks, p.TrustedNetworks) {
			c.BumpSnapshot()
			c.NoDeviceImpact() // the settings are about telemetry
		}
		c.Update(&p, "BuildRetentionDays", "TelemetryRetentionDays", "HashIDs", "TrustedNetworks", "RepositoryURL")
		c.Audit("project.updated", "project", projectID, changes)
		return settingsOf(p), nil
	})
}

func settingsFields(p models.Project) map[string]any {
	return map[string]any{
		"buildRetentionDays": p.BuildRetentionDays, "telemetryRetentionDays": p.TelemetryRetentionDays, "hashIds": p.HashIDs,
		"trustedNetworks": p.TrustedNetworks, "repositoryUrl": p.RepositoryURL,
	}
}

// checkNoRollout refuses a change of hashIds while a rollout is open.
func checkNoRollout(tx *gorm.DB, p models.Project) error {
	var open int64
	err := tx.Table("rollout_executions").Where("project_id = ? AND status IN ?", p.ID, releasestore.OpenStatuses).Count(&open).Error
	if err != nil || open == 0 {
		return err
	}
	return models.Errorf(models.CodeRolloutInProgress,
		"hashIds cannot change while %s open, because telemetry would count their devices as new ones",
		count.Of(open, "rollout")+count.Choose(open, " is", " are"))
}

// checkNoControl refuses to turn on hashIds while the project has a policy that CheckHashing would refuse.
func checkNoControl(tx *gorm.DB, p models.Project) error {
	if !p.HashIDs {
		return nil
	}
	policies, err := pg.All[models.RolloutPolicy](tx.Where("project_id = ?", p.ID).Order("id"))
	if err != nil {
		return err
	}
	var problems models.Problems
	for _, policy := range policies {
		if unit.CheckHashing(p, policy.Stages, policy.Thresholds) != nil {
			problems.Add("hashIds", "cannot be on while policy %q (%d) compares with the control group, which requires device IDs",
				policy.Name, policy.ID)
		}
	}
	return problems.Err()
}

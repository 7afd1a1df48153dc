package store

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/waft-ota/waft/models"
)

// CreateProject makes a project with the branches and channels of
// models.DefaultStreams, each channel pointing to the branch of its name.
func (s *Store) CreateProject(ctx context.Context, actor models.Actor, n models.NewProject) (models.Project, error) {
	n.Normalize()
	if err := n.Validate(); err != nil {
		return models.Project{}, err
	}
	var p models.Project
	err := s.write(ctx, func(tx *gorm.DB) error {
		p = models.Project{UUID: uuid.New(), Name: n.Name, Slug: n.Slug, CreatedAt: tx.NowFunc(), SnapshotVersion: 1}
		days := models.DefaultBuildRetentionDays
		p.BuildRetentionDays = &days
		if err := tx.Create(&p).Error; err != nil {
			return err
		}
		for _, name := range models.DefaultStreams {
			if _, err := createChannel(tx, p.ID, actor, models.NewChannel{Name: name, BranchName: name}); err != nil {
				return err
			}
		}
		return notify(tx, models.NotifySnapshot, p.ID)
	})
	return p, err
}

// ListProjects returns a page of projects, newest first.
func (s *Store) ListProjects(ctx context.Context, page models.Page) ([]models.Project, error) {
	return reading(ctx, s, func(tx *gorm.DB) ([]models.Project, error) {
		return all[models.Project](paged(tx, "projects", page))
	})
}

// Project returns the project with the given slug or, when there is none, with
// the given UUID.
func (s *Store) Project(ctx context.Context, slugOrUUID string) (p models.Project, err error) {
	err = s.readOne(ctx, func(db *gorm.DB) error {
		p, err = projectNamed(db, slugOrUUID)
		return err
	})
	return p, err
}

func projectNamed(tx *gorm.DB, slugOrUUID string) (models.Project, error) {
	p, err := oneProject(tx.Where("slug = ?", slugOrUUID))
	id, parseErr := uuid.Parse(slugOrUUID)
	if models.CodeOf(err) != models.CodeNotFound || parseErr != nil {
		return p, err
	}
	return oneProject(tx.Where("uuid = ?", id))
}

// projectTables hold what belongs to a project, referring ones before those they
// refer to. The audit log is not among them: it outlives the project.
var projectTables = []string{
	"release_flags", "flag_rule_shares", "flag_rules", "flag_environments", "flag_variations", "flags", "segments",
	"idempotency_keys", "rollout_events", "rollout_executions", "rollout_policies", "release_aliases", "releases",
	"build_assets", "builds", "patches", "patch_removals", "blobs", "blob_holds", "blob_removals", "channels", "user_overrides", "branches", "api_keys",
	"webhook_deliveries", "webhooks", "contexts", "code_signing_keys", "device_erasures", "incidents",
	"snapshot_changes", // last: the deletions above write to it
}

// DeleteProject deletes a project, named by its slug or UUID, with everything in it
// but its audit log. The workflows of its open rollouts are told, and end.
func (s *Store) DeleteProject(ctx context.Context, actor models.Actor, slugOrUUID string) error {
	return s.write(ctx, func(tx *gorm.DB) error {
		p, err := projectNamed(tx.Clauses(forUpdate).Session(&gorm.Session{}), slugOrUUID)
		if err != nil {
			return err
		}
		open, err := all[models.RolloutExecution](tx.Where("project_id = ? AND status IN ?", p.ID, openStatuses))
		if err != nil {
			return err
		}
		for _, table := range projectTables {
			if err := tx.Exec("DELETE FROM "+table+" WHERE project_id = ?", p.ID).Error; err != nil {
				return err
			}
		}
		// A message that a relay is handling right now is left to it.
		err = tx.Exec("DELETE FROM outbox WHERE id IN (SELECT id FROM outbox WHERE project_id = ? FOR UPDATE SKIP LOCKED)", p.ID).Error
		if err != nil {
			return err
		}
		for _, e := range open {
			if err := enqueue(tx, p.ID, models.OutboxRolloutReverted, models.RolloutReverted{WorkflowID: e.WorkflowID}); err != nil {
				return err
			}
		}
		if err := tx.Exec("DELETE FROM projects WHERE id = ?", p.ID).Error; err != nil {
			return err
		}
		details := map[string]any{"slug": p.Slug, "name": p.Name}
		if err := audit(tx, p.ID, actor, actionProjectDeleted, entityProject, p.ID, details); err != nil {
			return err
		}
		return notify(tx, models.NotifySnapshot, p.ID)
	})
}

// lockProject reads the project and keeps every other change of it waiting until
// the transaction ends. The lock is the one of an UPDATE: unlike FOR UPDATE it
// lets rows that refer to the project be written meanwhile, and a transaction
// that has done so can still take it without a deadlock.
func lockProject(tx *gorm.DB, id int64) (models.Project, error) {
	return oneProject(tx.Clauses(clause.Locking{Strength: "NO KEY UPDATE"}).Where("id = ?", id))
}

func oneProject(q *gorm.DB) (p models.Project, err error) {
	err = q.Take(&p).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		err = models.Errorf(models.CodeNotFound, "there is no such project")
	}
	return p, err
}

// tickReleaseClock returns the commit time of the next release of p, whose row is
// locked: now, or a millisecond after the release before it when the clock of
// this machine is behind that.
func tickReleaseClock(tx *gorm.DB, p *models.Project) (time.Time, error) {
	at := time.UnixMilli(max(tx.NowFunc().UnixMilli(), p.LastReleaseMillis+1)).UTC()
	return at, setReleaseClock(tx, p, at)
}

// setReleaseClock notes the newest commit time of p.
func setReleaseClock(tx *gorm.DB, p *models.Project, at time.Time) error {
	p.LastReleaseMillis = at.UnixMilli()
	return tx.Exec("UPDATE projects SET last_release_millis = ? WHERE id = ?", p.LastReleaseMillis, p.ID).Error
}

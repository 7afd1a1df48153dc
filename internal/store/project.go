package store

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"github.com/waft-ota/waft/models"
)

// CreateProject makes a project with the branches and channels of models.DefaultStreams,
// each channel pointing to the branch of its name.
func (s *Store) CreateProject(ctx context.Context, actor models.Actor, n models.NewProject) (models.Project, error) {
	n.Normalize()
	return apply(ctx, s.edit, 0, actor, n, func(c *change) (models.Project, error) {
		c.project = models.Project{
			UUID: uuid.New(), Name: n.Name, Slug: n.Slug, CreatedAt: c.now(), SnapshotVersion: 1,
			BuildRetentionDays: new(models.DefaultBuildRetentionDays),
		}
		c.create(&c.project)
		for _, name := range models.DefaultStreams {
			if _, err := c.createChannel(models.NewChannel{Name: name, BranchName: name}); err != nil {
				return c.project, err
			}
		}
		c.notify(models.NotifySnapshot, c.project.ID)
		return c.project, nil
	})
}

// ListProjects returns a page of projects, newest first.
func (s *Store) ListProjects(ctx context.Context, page models.Page) ([]models.Project, error) {
	return reading(ctx, s, func(tx *gorm.DB) ([]models.Project, error) {
		return all[models.Project](paged(tx, "projects", page))
	})
}

// Project returns the project with the given slug or, when there is none, UUID.
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

// projectTables hold what belongs to a project, each before the tables that it refers to.
// The audit log is not among them: it outlives the project.
var projectTables = []string{
	"release_flags", "flag_rule_shares", "flag_rules", "flag_environments", "flag_variations", "flags", "segments",
	"idempotency_keys", "rollout_events", "rollout_executions", "rollout_policies", "release_aliases", "releases",
	"build_assets", "builds", "patches", "patch_removals", "blobs", "blob_holds", "blob_removals",
	"channels", "user_overrides", "branches", "api_keys",
	"webhook_deliveries", "webhooks", "contexts", "code_signing_keys", "device_erasures", "incidents",
	"snapshot_changes", // last: the deletions above write to it
}

// DeleteProject deletes a project, named by its slug or UUID, with everything in it but its
// audit log. The workflows of its open rollouts are told, and end.
func (s *Store) DeleteProject(ctx context.Context, actor models.Actor, slugOrUUID string) error {
	return s.edit(ctx, 0, actor, func(c *change) (err error) {
		if c.project, err = projectNamed(c.tx.Clauses(forUpdate).Session(&gorm.Session{}), slugOrUUID); err != nil {
			return err
		}
		p := c.project
		open, err := openWorkflows(c.tx, p.ID)
		if err != nil {
			return err
		}
		for _, table := range projectTables {
			c.exec("DELETE FROM "+table+" WHERE project_id = ?", p.ID)
		}
		// A message that a relay is handling is left to it.
		c.exec("DELETE FROM outbox WHERE id IN (SELECT id FROM outbox WHERE project_id = ? FOR UPDATE SKIP LOCKED)", p.ID)
		for _, workflowID := range open {
			c.enqueue(models.OutboxRolloutReverted, models.RolloutReverted{WorkflowID: workflowID})
		}
		c.exec("DELETE FROM projects WHERE id = ?", p.ID)
		c.audit("project.deleted", "project", p.ID, map[string]any{"slug": p.Slug, "name": p.Name})
		c.notify(models.NotifySnapshot, p.ID)
		return nil
	})
}

// lockProject reads the project and locks it against other changes until the transaction
// ends. A transaction that has written rows that refer to the project can still take the
// lock without a deadlock.
func lockProject(tx *gorm.DB, id int64) (models.Project, error) {
	return oneProject(tx.Clauses(forChange).Where("id = ?", id))
}

func oneProject(q *gorm.DB) (p models.Project, err error) {
	err = q.Take(&p).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		err = models.Errorf(models.CodeNotFound, "there is no such project")
	}
	return p, err
}

package store

import (
	"context"
	"strings"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/models"
)

// SaveContext creates or updates the context of a kind and key. Above models.MaxContexts it deletes
// the ones not seen for longest.
func (s *Store) SaveContext(
	ctx context.Context, projectID int64, actor models.Actor, seen models.SeenContext,
) (saved models.EvaluationContext, created bool, err error) {
	// With the project locked, two requests with the same new context do not both find none.
	saved, err = apply(ctx, s.inProject, projectID, actor, seen, func(c *change) (models.EvaluationContext, error) {
		before, err := one[models.EvaluationContext](c.tx.Clauses(forUpdate).
			Where("project_id = ? AND kind = ? AND targeting_key = ?", projectID, seen.Kind, seen.TargetingKey), "context")
		if created = models.CodeOf(err) == models.CodeNotFound; created {
			return c.createContext(seen)
		}
		if err != nil {
			return before, err
		}
		return c.mergeContext(before, seen)
	})
	return saved, created, err
}

func (c *change) createContext(seen models.SeenContext) (models.EvaluationContext, error) {
	now := c.now()
	e, err := models.EvaluationContext{
		ProjectID: c.project.ID, Kind: seen.Kind, TargetingKey: seen.TargetingKey, FirstSeenAt: now, LastSeenAt: now,
	}.Merge(seen, now)
	if err != nil {
		return e, err
	}
	c.create(&e)
	details := map[string]any{"kind": e.Kind, "targetingKey": e.TargetingKey, "name": e.Name, "attributes": e.Attributes}
	c.audit("context.created", "context", e.ID, details)
	dropped, err := all[models.EvaluationContext](c.tx.Clauses(forUpdate).Where("project_id = ?", c.project.ID).
		Order("last_seen_at DESC, id DESC").Offset(models.MaxContexts))
	for _, d := range dropped {
		c.deleteContext(d, map[string]any{"reason": "the project has more contexts than it keeps"})
	}
	return e, err
}

func (c *change) mergeContext(before models.EvaluationContext, seen models.SeenContext) (models.EvaluationContext, error) {
	e, err := before.Merge(seen, c.now())
	if err != nil {
		return e, err
	}
	c.update(&e, "Name", "Attributes", "LastSeenAt")
	changes := mapDiff(map[string]any{"name": before.Name, "attributes": before.Attributes},
		map[string]any{"name": e.Name, "attributes": e.Attributes})
	if len(changes) > 0 { // that it was seen again is not a change
		changes["kind"], changes["targetingKey"] = e.Kind, e.TargetingKey
		c.audit("context.updated", "context", e.ID, changes)
	}
	return e, nil
}

// ListContexts returns a page of the project's contexts that pass the filter, newest first.
func (s *Store) ListContexts(
	ctx context.Context, projectID int64, filter models.ContextFilter, page models.Page,
) ([]models.EvaluationContext, error) {
	return reading(ctx, s, func(tx *gorm.DB) ([]models.EvaluationContext, error) {
		q := whereSet(tx, "kind", string(filter.Kind))
		if filter.Search != "" {
			pattern := "%" + likeEscaper.Replace(filter.Search) + "%"
			q = q.Where(`(targeting_key ILIKE ? OR name ILIKE ?
				OR EXISTS (SELECT FROM jsonb_each_text(attributes) AS a (name, value) WHERE a.value ILIKE ?))`, pattern, pattern, pattern)
		}
		return all[models.EvaluationContext](pageOf(q, "contexts", projectID, page))
	})
}

// likeEscaper makes a text match itself in LIKE.
var likeEscaper = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// Context reads one context.
func (s *Store) Context(ctx context.Context, projectID, id int64) (models.EvaluationContext, error) {
	return reading(ctx, s, func(tx *gorm.DB) (models.EvaluationContext, error) {
		return contextByID(tx, projectID, id)
	})
}

// DeleteContext deletes a context. It comes back when it evaluates flags again.
func (s *Store) DeleteContext(ctx context.Context, projectID int64, actor models.Actor, id int64) error {
	return s.edit(ctx, projectID, actor, func(c *change) error {
		e, err := contextByID(c.tx.Clauses(forUpdate), projectID, id)
		if err == nil {
			c.deleteContext(e, map[string]any{})
		}
		return err
	})
}

func (c *change) deleteContext(e models.EvaluationContext, details map[string]any) {
	c.exec("DELETE FROM contexts WHERE id = ?", e.ID)
	details["kind"], details["targetingKey"] = e.Kind, e.TargetingKey
	c.audit("context.deleted", "context", e.ID, details)
}

func contextByID(tx *gorm.DB, projectID, id int64) (models.EvaluationContext, error) {
	return one[models.EvaluationContext](tx.Where("project_id = ? AND id = ?", projectID, id), "context %d", id)
}

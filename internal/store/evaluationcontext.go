package store

import (
	"context"
	"strings"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/models"
)

// SaveContext creates a context, or merges it into the one that the project has of the
// same kind and key. When there are more than models.MaxContexts it deletes the ones
// not seen for longest.
func (s *Store) SaveContext(ctx context.Context, projectID int64, actor models.Actor, seen models.SeenContext) (c models.EvaluationContext, created bool, err error) {
	if err := seen.Validate(); err != nil {
		return models.EvaluationContext{}, false, err
	}
	err = s.write(ctx, func(tx *gorm.DB) error {
		// Without the lock, two requests with the same new context would both find none.
		if _, err := lockProject(tx, projectID); err != nil {
			return err
		}
		before, err := one[models.EvaluationContext](tx.Clauses(forUpdate).
			Where("project_id = ? AND kind = ? AND targeting_key = ?", projectID, seen.Kind, seen.TargetingKey), "context")
		switch created = models.CodeOf(err) == models.CodeNotFound; {
		case created:
			c, err = createContext(tx, projectID, actor, seen)
		case err == nil:
			c, err = mergeContext(tx, actor, before, seen)
		}
		return err
	})
	return c, created, err
}

func createContext(tx *gorm.DB, projectID int64, actor models.Actor, seen models.SeenContext) (models.EvaluationContext, error) {
	now := tx.NowFunc()
	c, err := models.EvaluationContext{
		ProjectID: projectID, Kind: seen.Kind, TargetingKey: seen.TargetingKey, FirstSeenAt: now, LastSeenAt: now,
	}.Merge(seen, now)
	if err != nil {
		return c, err
	}
	if err := tx.Create(&c).Error; err != nil {
		return c, err
	}
	details := map[string]any{"kind": c.Kind, "targetingKey": c.TargetingKey, "name": c.Name, "attributes": c.Attributes}
	if err := audit(tx, projectID, actor, actionContextCreated, entityContext, c.ID, details); err != nil {
		return c, err
	}
	return c, dropContexts(tx, projectID, actor)
}

func mergeContext(tx *gorm.DB, actor models.Actor, before models.EvaluationContext, seen models.SeenContext) (models.EvaluationContext, error) {
	c, err := before.Merge(seen, tx.NowFunc())
	if err != nil {
		return c, err
	}
	if err := tx.Model(&c).Select("Name", "Attributes", "LastSeenAt").Updates(&c).Error; err != nil {
		return c, err
	}
	changes := contextDiff(before, c)
	if len(changes) == 0 {
		return c, nil // that it was seen is not a change to the project
	}
	changes["kind"], changes["targetingKey"] = c.Kind, c.TargetingKey
	return c, audit(tx, c.ProjectID, actor, actionContextUpdated, entityContext, c.ID, changes)
}

func contextDiff(before, after models.EvaluationContext) diff {
	d := diff{}
	note(d, "name", before.Name, after.Name)
	note(d, "attributes", before.Attributes, after.Attributes)
	return d
}

// dropContexts deletes the contexts that a project has beyond models.MaxContexts, with
// an audit entry for each.
func dropContexts(tx *gorm.DB, projectID int64, actor models.Actor) error {
	dropped, err := all[models.EvaluationContext](tx.Clauses(forUpdate).Where("project_id = ?", projectID).
		Order("last_seen_at DESC, id DESC").Offset(models.MaxContexts))
	if err != nil {
		return err
	}
	for _, c := range dropped {
		if err := deleteContext(tx, actor, c, "the project has more contexts than it keeps"); err != nil {
			return err
		}
	}
	return nil
}

// ListContexts returns a page of the project's contexts that pass the filter,
// newest first.
func (s *Store) ListContexts(ctx context.Context, projectID int64, filter models.ContextFilter, page models.Page) (contexts []models.EvaluationContext, err error) {
	err = s.read(ctx, func(tx *gorm.DB) error {
		q := tx
		if filter.Kind != "" {
			q = q.Where("kind = ?", filter.Kind)
		}
		if filter.Search != "" {
			pattern := "%" + likeEscaper.Replace(filter.Search) + "%"
			q = q.Where(`(targeting_key ILIKE ? OR name ILIKE ?
				OR EXISTS (SELECT FROM jsonb_each_text(attributes) AS a (name, value) WHERE a.value ILIKE ?))`, pattern, pattern, pattern)
		}
		contexts, err = all[models.EvaluationContext](pageOf(q, "contexts", projectID, page))
		return err
	})
	return contexts, err
}

// likeEscaper makes a text match itself in LIKE.
var likeEscaper = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// Context reads one context.
func (s *Store) Context(ctx context.Context, projectID, id int64) (models.EvaluationContext, error) {
	return reading(ctx, s, func(tx *gorm.DB) (models.EvaluationContext, error) {
		return contextByID(tx, projectID, id)
	})
}

// DeleteContext forgets a context. It comes back when it evaluates flags again.
func (s *Store) DeleteContext(ctx context.Context, projectID int64, actor models.Actor, id int64) error {
	return s.write(ctx, func(tx *gorm.DB) error {
		c, err := contextByID(tx.Clauses(forUpdate), projectID, id)
		if err != nil {
			return err
		}
		return deleteContext(tx, actor, c, "")
	})
}

func deleteContext(tx *gorm.DB, actor models.Actor, c models.EvaluationContext, reason string) error {
	if err := tx.Where("id = ?", c.ID).Delete(&models.EvaluationContext{}).Error; err != nil {
		return err
	}
	details := map[string]any{"kind": c.Kind, "targetingKey": c.TargetingKey}
	if reason != "" {
		details["reason"] = reason
	}
	return audit(tx, c.ProjectID, actor, actionContextDeleted, entityContext, c.ID, details)
}

func contextByID(tx *gorm.DB, projectID, id int64) (models.EvaluationContext, error) {
	return one[models.EvaluationContext](tx.Where("project_id = ? AND id = ?", projectID, id), "context %d", id)
}

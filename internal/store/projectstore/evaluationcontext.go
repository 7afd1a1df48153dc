package projectstore

import (
	"context"
	"encoding/json"
	"log/slog"
	"maps"
	"slices"
	"time"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/base/every"
	"github.com/waft-ota/waft/internal/base/gather"
	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/unit"
	"github.com/waft-ota/waft/models"
)

// SaveContext creates or changes the context with the kind and key, and pins it. It refuses to pin more contexts than
// the project's quota allows.
func (s *Projects) SaveContext(
	ctx context.Context, projectID int64, actor models.Actor, seen models.SeenContext,
) (saved models.EvaluationContext, created bool, err error) {
	saved, err = unit.Apply(ctx, s.units.Edit, projectID, actor, seen, func(c *unit.Change) (models.EvaluationContext, error) {
		c.Alone(unit.Contexts) // two requests for the same new context must not both create it
		before, err := pg.One[models.EvaluationContext](c.Tx.Clauses(pg.ForUpdate).
			Where("project_id = ? AND kind = ? AND targeting_key = ?", projectID, seen.Kind, seen.TargetingKey), "context")
		created = models.CodeOf(err) == models.CodeNotFound
		if err != nil && !created {
			return before, err
		}
		if !before.Pinned {
			if err := mayPin(c); err != nil {
				return before, err
			}
		}
		if created {
			return createContext(c, seen)
		}
		return mergeContext(c, before, seen)
	})
	return saved, created, err
}

// mayPin returns CodeQuotaExceeded if the project may not pin another context.
func mayPin(c *unit.Change) error {
	var pinned int64
	if err := c.Tx.Raw("SELECT count(*) FROM contexts WHERE project_id = ? AND pinned", c.Project.ID).Scan(&pinned).Error; err != nil {
		return err
	}
	return c.Quotas.Check(models.QuotaContexts, "manually created contexts of the project", pinned, 1)
}

func createContext(c *unit.Change, seen models.SeenContext) (models.EvaluationContext, error) {
	now := c.Now()
	e, err := models.EvaluationContext{
		ProjectID: c.Project.ID, Kind: seen.Kind, TargetingKey: seen.TargetingKey, FirstSeenAt: now, LastSeenAt: now, Pinned: true,
	}.Merge(seen, now)
	if err != nil {
		return e, err
	}
	c.Create(&e)
	c.Audit("context.created", "context", e.ID, map[string]any{
		"kind": e.Kind, "targetingKey": e.TargetingKey, "name": e.Name, "attributes": e.Attributes,
	})
	evictContexts(c)
	return e, nil
}

func mergeContext(c *unit.Change, before models.EvaluationContext, seen models.SeenContext) (models.EvaluationContext, error) {
	e, err := before.Merge(seen, c.Now())
	if err != nil {
		return e, err
	}
	e.Pinned = true
	c.Update(&e, "Name", "Attributes", "LastSeenAt", "Pinned")
	changes := unit.MapDiff(map[string]any{"name": before.Name, "attributes": before.Attributes, "pinned": before.Pinned},
		map[string]any{"name": e.Name, "attributes": e.Attributes, "pinned": e.Pinned})
	if len(changes) > 0 { // seeing the context again does not count as a change
		changes["kind"], changes["targetingKey"] = e.Kind, e.TargetingKey
		c.Audit("context.updated", "context", e.ID, changes)
	}
	return e, nil
}

// evictContexts deletes the recorded contexts above the quota, the least recently seen ones first. Like the recording
// of contexts, it does not write audit entries.
func evictContexts(c *unit.Change) {
	limit, bound := c.Quotas[models.QuotaContexts]
	if !bound {
		return
	}
	c.Exec(`DELETE FROM contexts WHERE id IN (
		SELECT id FROM contexts WHERE project_id = ? AND NOT pinned ORDER BY last_seen_at, id
		LIMIT greatest(0, (SELECT count(*) FROM contexts WHERE project_id = ?) - ?))`, c.Project.ID, c.Project.ID, limit)
}

var contextList = pg.List{
	Table: "contexts", Owner: "project_id",
	Sorts: map[string]pg.SortBy{
		"evaluationCount": pg.ByNumber("contexts.evaluation_count"), "firstSeenAt": pg.ByTime("contexts.first_seen_at"),
		"kind": pg.ByText("contexts.kind"), "lastSeenAt": pg.ByTime("contexts.last_seen_at"), "name": pg.ByText("left(contexts.name, 100)"),
		"targetingKey": pg.ByText("left(contexts.targeting_key, 100)"),
	},
	Matches: `EXISTS (SELECT FROM (SELECT ?::bigint, lower(?)) AS searched (project, text)
		WHERE strpos(lower(contexts.targeting_key), searched.text) > 0 OR strpos(lower(contexts.name), searched.text) > 0
		OR EXISTS (SELECT FROM jsonb_each_text(contexts.attributes) AS attribute WHERE strpos(lower(attribute.value), searched.text) > 0))`,
	Texts: []string{"contexts.targeting_key", "contexts.name"},
}

// ListContexts returns a page of the project's contexts that pass the filter, newest first.
func (s *Projects) ListContexts(
	ctx context.Context, projectID int64, filter models.ContextFilter, page models.Page,
) ([]models.EvaluationContext, error) {
	return pg.Reading(ctx, s.db.Read, func(tx *gorm.DB) ([]models.EvaluationContext, error) {
		q := pg.WhereSet(tx, "kind", string(filter.Kind))
		return pg.Rows[models.EvaluationContext](q, contextList, projectID, page)
	})
}

// Context returns one context.
func (s *Projects) Context(ctx context.Context, projectID, id int64) (models.EvaluationContext, error) {
	return pg.Reading(ctx, s.db.Read, func(tx *gorm.DB) (models.EvaluationContext, error) {
		return contextByID(tx, projectID, id)
	})
}

// DeleteContext deletes a context. The context is recorded again when it evaluates flags.
func (s *Projects) DeleteContext(ctx context.Context, projectID int64, actor models.Actor, id int64) error {
	return s.units.Edit(ctx, projectID, actor, func(c *unit.Change) error {
		e, err := contextByID(c.Tx.Clauses(pg.ForUpdate), projectID, id)
		if err == nil {
			c.Match(id, e)
			c.Exec("DELETE FROM contexts WHERE id = ?", e.ID)
			c.Audit("context.deleted", "context", e.ID, map[string]any{"kind": e.Kind, "targetingKey": e.TargetingKey})
		}
		return err
	})
}

func contextByID(tx *gorm.DB, projectID, id int64) (models.EvaluationContext, error) {
	return pg.One[models.EvaluationContext](tx.Where("project_id = ? AND id = ?", projectID, id), "context %d", id)
}

const (
	// recordInterval is how long contexts that evaluate flags are collected before they are recorded.
	recordInterval = 2 * time.Second
	// recordBound is the maximum number of contexts that may wait. Other contexts are recorded when they evaluate flags
	// again.
	recordBound = 5000
)

// contextKey identifies a context.
type contextKey struct {
	projectID    int64
	kind         models.ContextKind
	targetingKey string
}

// ContextRecorder records the contexts that flags are evaluated for, once per recordInterval and in bounded memory. A
// crash loses the waiting contexts; they are recorded when they evaluate flags again.
type ContextRecorder struct {
	projects *Projects
	log      *slog.Logger
	waiting  *gather.Map[contextKey, models.EvaluatedContext]
}

// NewContextRecorder returns a recorder, which works while Run runs.
func NewContextRecorder(projects *Projects, log *slog.Logger) *ContextRecorder {
	return &ContextRecorder{projects: projects, log: log, waiting: gather.New[contextKey](recordBound, models.EvaluatedContext.Plus)}
}

// Evaluated adds a context to the waiting contexts. It does not block.
func (r *ContextRecorder) Evaluated(c models.EvaluatedContext) {
	r.waiting.Add(contextKey{c.ProjectID, c.Kind, c.TargetingKey}, c)
}

// Run records waiting contexts until ctx ends, and once more at the end. It retries after failures.
func (r *ContextRecorder) Run(ctx context.Context) error {
	return every.RunLast(ctx, recordInterval, unit.RelayTimeout, r.record)
}

// record records the waiting contexts. It finishes even if ctx ends.
func (r *ContextRecorder) record(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), unit.RelayTimeout)
	defer cancel()
	byProject := map[int64]map[contextKey]models.EvaluatedContext{}
	for key, c := range r.waiting.Take() {
		if byProject[c.ProjectID] == nil {
			byProject[c.ProjectID] = map[contextKey]models.EvaluatedContext{}
		}
		byProject[c.ProjectID][key] = c
	}
	for projectID, contexts := range byProject {
		err := r.projects.RecordContexts(ctx, projectID, slices.Collect(maps.Values(contexts)))
		switch {
		case err == nil:
		case models.CodeOf(err) == models.CodeUnavailable:
			r.waiting.GiveBack(contexts)
		case models.CodeOf(err) != models.CodeNotFound: // the project was deleted
			r.log.Warn("contexts that evaluated flags could not be recorded", "contexts", len(contexts), "error", err)
		}
	}
}

// recordContexts merges a JSON array of models.EvaluatedContext. A context whose device was erased after it was seen
// stays deleted. A pinned context keeps its attributes, and so does a context that would become too large.
const recordContexts = `
	INSERT INTO contexts AS known
		(project_id, kind, targeting_key, name, attributes, first_seen_at, last_seen_at, evaluation_count, pinned)
	SELECT @project, seen.kind, seen.targeting_key, seen.name, coalesce(seen.attributes, '{}'), seen.seen_at, seen.seen_at,
		seen.evaluations, false
	FROM (SELECT * FROM jsonb_to_recordset(CAST(@contexts AS jsonb)) AS listed ("Kind" text, "TargetingKey" text, "Name" text,
			"Attributes" jsonb, "SeenAt" timestamptz, "Evaluations" bigint))
		AS seen (kind, targeting_key, name, attributes, seen_at, evaluations)
	WHERE NOT EXISTS (
		SELECT FROM device_erasures AS erased WHERE erased.project_id = @project AND erased.erased_at >= seen.seen_at
			AND jsonb_exists(erased.identities, lower(seen.targeting_key)))
	ON CONFLICT ON CONSTRAINT contexts_key_key DO UPDATE SET
		name = CASE WHEN known.pinned OR excluded.name = '' THEN known.name ELSE excluded.name END,
		attributes = CASE
			WHEN NOT known.pinned AND octet_length((known.attributes || excluded.attributes)::text) <= @bytes
				AND (SELECT count(*) FROM jsonb_object_keys(known.attributes || excluded.attributes)) <= @most
			THEN known.attributes || excluded.attributes ELSE known.attributes END,
		last_seen_at = greatest(known.last_seen_at, excluded.last_seen_at),
		evaluation_count = known.evaluation_count + excluded.evaluation_count`

// RecordContexts merges contexts that evaluated flags into the project's contexts. Each may be in the list at most
// once. For pinned contexts, it only records that they were seen. Above the quota, it deletes the least recently seen
// recorded contexts. It does not write audit entries.
func (s *Projects) RecordContexts(ctx context.Context, projectID int64, contexts []models.EvaluatedContext) error {
	list, err := json.Marshal(contexts)
	if err != nil {
		return err
	}
	return s.units.Edit(ctx, projectID, models.Actor{}, func(c *unit.Change) error {
		c.Alone(unit.Contexts) // because SaveContext and EraseDevice read before they write
		c.Exec(recordContexts, map[string]any{
			"project": projectID, "contexts": string(list), "bytes": models.MaxContextAttributeBytes, "most": models.MaxContextAttributes,
		})
		evictContexts(c)
		return nil
	})
}

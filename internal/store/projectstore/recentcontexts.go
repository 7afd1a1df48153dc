package projectstore

import (
	"context"
	"time"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/models"
)

// sampledContexts is a query for the IDs of a random but stable sample of the recent contexts of a project.
const sampledContexts = `SELECT id FROM contexts WHERE project_id = @project AND last_seen_at >= @since
	ORDER BY hashint8(id), id LIMIT @most`

// RecentContexts returns a sample of the contexts that were seen within models.RecentContextDays before now, each with
// only the named attributes.
func (s *Projects) RecentContexts(ctx context.Context, projectID int64, attributes []string, now time.Time) (models.RecentContexts, error) {
	return pg.Reading(ctx, s.db.Read, func(tx *gorm.DB) (recent models.RecentContexts, err error) {
		in := sampleOf(projectID, now)
		in["names"] = pg.ArrayOf(attributes)
		err = tx.Raw("SELECT count(*) FROM contexts WHERE project_id = @project AND last_seen_at >= @since", in).Scan(&recent.Total).Error
		if err != nil {
			return recent, err
		}
		err = tx.Raw(`SELECT id, kind, targeting_key, (
				SELECT coalesce(jsonb_object_agg(name, value), '{}') FROM jsonb_each(attributes) AS a (name, value)
				WHERE name = ANY (CAST(@names AS text[]))
			) AS attributes FROM contexts WHERE id IN (`+sampledContexts+`)`, in).Scan(&recent.List).Error
		return recent, err
	})
}

// ContextAttributes returns the attributes of the recent contexts with their most frequent values, the most frequent
// attribute first. It reads a sample of the contexts, and omits values of more than 100 bytes.
func (s *Projects) ContextAttributes(ctx context.Context, projectID int64, now time.Time) ([]models.ContextAttribute, error) {
	return pg.Reading(ctx, s.db.Read, func(tx *gorm.DB) (all []models.ContextAttribute, err error) {
		err = tx.Raw(`WITH seen AS (
				SELECT a.name, a.value, count(*) AS contexts
				FROM contexts, jsonb_each(contexts.attributes) AS a (name, value)
				WHERE contexts.id IN (`+sampledContexts+`) GROUP BY a.name, a.value
			), named AS (
				SELECT name, CAST(sum(seen.contexts) AS bigint) AS total FROM seen GROUP BY name ORDER BY total DESC, name LIMIT @names
			)
			SELECT name, total AS contexts, coalesce((
				SELECT jsonb_agg(value ORDER BY frequent.contexts DESC, value) FROM (
					SELECT value, seen.contexts FROM seen WHERE seen.name = named.name
						AND jsonb_typeof(value) IN ('string', 'number', 'boolean') AND octet_length(CAST(value AS text)) <= 100
					ORDER BY seen.contexts DESC, value LIMIT @values
				) AS frequent
			), '[]') AS "values" FROM named ORDER BY total DESC, name`, sampleOf(projectID, now)).Scan(&all).Error
		return all, err
	})
}

// sampleOf returns the parameters of sampledContexts and of the limits of lists.
func sampleOf(projectID int64, now time.Time) map[string]any {
	return map[string]any{
		"project": projectID, "since": now.AddDate(0, 0, -models.RecentContextDays), "most": models.MaxSampledContexts,
		"names": models.MaxContextAttributeNames, "values": models.MaxContextAttributeValues,
	}
}

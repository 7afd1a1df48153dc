package unit

import (
	"cmp"
	"encoding/json"
	"strconv"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/models"
)

// namedRecord is a record that audit entries are about.
type namedRecord struct {
	Kind, ID, Name, Platform, RuntimeVersion string
	// Lives is false for a deleted or revoked record whose row is kept.
	Lives bool
}

// namedRecordsSQL reads the records with the given kinds and IDs, with their current names.
const namedRecordsSQL = `
	WITH wanted AS MATERIALIZED (SELECT * FROM jsonb_to_recordset(?::jsonb) AS r (kind text, id bigint, project bigint))
	SELECT w.kind, w.id::text AS id, found.* FROM wanted AS w CROSS JOIN LATERAL (
		SELECT release_message, platform, runtime_version, deleted_at IS NULL FROM releases AS t
			WHERE w.kind = 'release' AND t.project_id = w.project AND t.id = w.id
		UNION ALL SELECT coalesce((SELECT release_message FROM releases WHERE releases.id = t.update_id), ''), platform, runtime_version, true FROM rollout_executions AS t
			WHERE w.kind = 'rollout' AND t.project_id = w.project AND t.id = w.id
		UNION ALL SELECT message, platform, runtime_version, true FROM builds AS t
			WHERE w.kind = 'build' AND t.project_id = w.project AND t.id = w.id
		UNION ALL SELECT coalesce((SELECT release_message FROM releases WHERE releases.project_id = t.project_id
				AND releases.update_uuid = CASE WHEN pg_input_is_valid(t.update_uuid, 'uuid') THEN t.update_uuid::uuid END), ''),
			platform, runtime_version, true FROM incidents AS t
			WHERE w.kind = 'incident' AND t.project_id = w.project AND t.id = w.id
		UNION ALL SELECT coalesce(nullif(error_name, ''), message), '', '', true FROM error_group_statuses AS t
			WHERE w.kind = 'error_group' AND t.project_id = w.project AND t.id = w.id
		UNION ALL SELECT name, '', '', deleted_at IS NULL FROM branches AS t
			WHERE w.kind = 'branch' AND t.project_id = w.project AND t.id = w.id
		UNION ALL SELECT name, '', '', true FROM channels AS t
			WHERE w.kind = 'channel' AND t.project_id = w.project AND t.id = w.id
		UNION ALL SELECT key, '', '', true FROM flags AS t
			WHERE w.kind = 'flag' AND t.project_id = w.project AND t.id = w.id
		UNION ALL SELECT key, '', '', true FROM segments AS t
			WHERE w.kind = 'segment' AND t.project_id = w.project AND t.id = w.id
		UNION ALL SELECT name, '', '', true FROM rollout_policies AS t
			WHERE w.kind = 'policy' AND t.project_id = w.project AND t.id = w.id
		UNION ALL SELECT url, '', '', true FROM webhooks AS t
			WHERE w.kind = 'webhook' AND t.project_id = w.project AND t.id = w.id
		UNION ALL SELECT summary, '', '', true FROM approvals AS t
			WHERE w.kind = 'approval' AND t.project_id = w.project AND t.id = w.id
		UNION ALL SELECT name, '', '', revoked_at IS NULL FROM api_keys AS t
			WHERE w.kind = 'api_key' AND t.project_id = w.project AND t.id = w.id
		UNION ALL SELECT targeting_key, '', '', true FROM contexts AS t
			WHERE w.kind = 'context' AND t.project_id = w.project AND t.id = w.id
		UNION ALL SELECT user_id, '', '', true FROM user_overrides AS t
			WHERE w.kind = 'user_override' AND t.project_id = w.project AND t.id = w.id
	) AS found (name, platform, runtime_version, lives)`

// LoadSubjects fills in the subjects of a project's audit entries with one query.
func LoadSubjects(tx *gorm.DB, projectID int64, entries []models.AuditEntry) error {
	type wanted struct {
		Kind    string `json:"kind"`
		ID      int64  `json:"id"`
		Project int64  `json:"project"`
	}
	var want []wanted
	seen := map[wanted]bool{}
	for i := range entries {
		s := entries[i].Recorded()
		entries[i].Subject = s
		id, err := strconv.ParseInt(s.ID, 10, 64)
		if w := (wanted{s.Kind, id, projectID}); err == nil && !seen[w] {
			seen[w] = true
			want = append(want, w)
		}
	}
	if len(want) == 0 {
		return nil
	}
	raw, err := json.Marshal(want)
	if err != nil {
		return err
	}
	records, err := pg.All[namedRecord](tx.Raw(namedRecordsSQL, string(raw)))
	if err != nil {
		return err
	}
	type key struct{ kind, id string }
	found := map[key]namedRecord{}
	for _, r := range records {
		found[key{r.Kind, r.ID}] = r
	}
	for i := range entries {
		s := &entries[i].Subject
		r, ok := found[key{s.Kind, s.ID}]
		if !ok {
			continue
		}
		s.Exists = r.Lives
		if r.Kind == "webhook" {
			r.Name = models.Webhook{URL: r.Name}.MaskedURL() // a URL may contain a secret
		}
		s.Name = cmp.Or(r.Name, s.Name)
		if r.Platform != "" {
			s.Platform, s.RuntimeVersion = r.Platform, r.RuntimeVersion
		}
	}
	return nil
}

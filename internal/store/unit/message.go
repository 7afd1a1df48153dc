package unit

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/models"
)

// NewMessageID is an SQL expression that creates a globally unique webhook-id.
const NewMessageID = `'msg_' || replace(gen_random_uuid()::text, '-', '')`

// writtenEntry is an audit entry together with the parts of its webhook message.
type writtenEntry struct {
	models.AuditEntry
	models.MessageBody
}

// auditBatch is the number of entries that one statement writes.
const auditBatch = 1000

// writeEntriesSQL writes audit entries in one round trip. For each active webhook of their projects that subscribes to
// an entry, it also writes the delivery and the outbox message that starts the delivery. It waits for a webhook or
// project that is being deleted, and skips it. See docs/adr/0010. The projects are also passed as an array so that
// Postgres uses the index of webhooks.
const writeEntriesSQL = `
	WITH given (
		id, project_id, action, actor_type, actor_id, actor_name, entity_type, entity_id, details, request_id, created_at, head, tail
	) AS MATERIALIZED (
		SELECT nextval('waft_ids'), g.* FROM jsonb_to_recordset(?::jsonb) AS g (
			"ProjectID" bigint, "Action" text, "ActorType" text, "ActorID" text, "ActorName" text, "EntityType" text, "EntityID" text,
			"Details" jsonb, "RequestID" text, "CreatedAt" timestamptz, "Head" text, "Tail" text)
	), written AS (
		INSERT INTO audit_log (id, project_id, action, actor_type, actor_id, actor_name, entity_type, entity_id, details, request_id, created_at)
		SELECT id, project_id, action, actor_type, actor_id, actor_name, entity_type, entity_id, details, request_id, created_at FROM given
	), due AS MATERIALIZED (
		SELECT nextval('waft_ids') AS id, w.project_id, w.id AS webhook_id, p.slug, ` + NewMessageID + ` AS message_id, g.action AS event,
			g.head || g.id || ',"projectSlug":' || to_json(p.slug) || g.tail AS body, NULL::bigint AS redelivery_of, g.created_at
		FROM given AS g
			JOIN webhooks AS w ON w.project_id = g.project_id AND w.project_id = ANY (?::bigint[]) AND w.is_active
				AND (w.events @> '"*"' OR w.events @> to_jsonb(g.action))
			JOIN projects AS p ON p.id = w.project_id
		FOR KEY SHARE OF w, p
	), ` + DeliverDueSQL

// DeliverDueSQL is the end of a statement whose part "due" contains the deliveries to create.
const DeliverDueSQL = `delivered AS (
		INSERT INTO webhook_deliveries
			(id, project_id, webhook_id, message_id, event, body, status, attempts, next_attempt_at, workflow_id, redelivery_of, created_at)
		SELECT id, project_id, webhook_id, message_id, event, body, 'pending', '[]', created_at, 'webhook/' || slug || '/' || id, redelivery_of, created_at
		FROM due
	), promised AS (
		INSERT INTO outbox (project_id, kind, priority, payload)
		SELECT project_id, ?, 1, jsonb_build_object('deliveryId', id, 'projectId', project_id, 'workflowId', 'webhook/' || slug || '/' || id,
			'project', slug, 'webhookId', webhook_id, 'event', event) FROM due
		RETURNING id
	)
	SELECT pg_notify(?, '') FROM promised`

// RecordAudit records audit entries, each in the log of its project. It also writes messages to the webhooks that
// subscribe to them.
func (c *Change) RecordAudit(entries ...models.AuditEntry) {
	for batch := range slices.Chunk(entries, auditBatch) {
		c.Do(func() error { return c.writeEntries(batch) })
	}
}

func (c *Change) writeEntries(entries []models.AuditEntry) error {
	written, projects := make([]writtenEntry, len(entries)), make([]string, len(entries))
	for i, e := range entries {
		message, err := models.AuditMessage(e)
		if err != nil {
			return err
		}
		written[i], projects[i] = writtenEntry{e, message}, strconv.FormatInt(e.ProjectID, 10)
	}
	raw, err := json.Marshal(written)
	if err != nil {
		return err
	}
	return c.Tx.Exec(writeEntriesSQL, string(raw), pg.ArrayOf(slices.Compact(projects)),
		models.OutboxWebhookDeliver, models.NotifyOutbox).Error
}

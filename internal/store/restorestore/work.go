package restorestore

import (
	"github.com/waft-ota/waft/models"
)

// startWork writes outbox messages that start, in the empty Temporal, the work that is not of a rollout, an approval or a
// scheduled change. A worker that starts the same work twice has no effect.
func (s *settling) startWork() error {
	// The outbox of the backup may wait for a next attempt that the old server had planned.
	s.Exec("UPDATE outbox SET attempts = 0, not_before = now(), last_error = ''")
	// Nothing failed while the installation was lost, and what failed before the backup gets all its time again.
	s.Exec("UPDATE webhooks SET failing_since = NULL WHERE failing_since IS NOT NULL")
	s.Exec("UPDATE approvals SET failures = 0, failing_since = NULL WHERE failing_since IS NOT NULL AND ended_at IS NULL")
	s.report.Deliveries = s.counted(`INSERT INTO outbox (project_id, kind, priority, payload)
		SELECT d.project_id, ?, 1, jsonb_build_object('deliveryId', d.id, 'projectId', d.project_id, 'workflowId', d.workflow_id,
			'project', p.slug, 'webhookId', d.webhook_id, 'event', d.event)
		FROM webhook_deliveries AS d JOIN projects AS p ON p.id = d.project_id WHERE d.status = ? ORDER BY d.id`,
		models.OutboxWebhookDeliver, models.DeliveryPending)
	s.report.Mails = s.counted(`INSERT INTO outbox (project_id, kind, payload)
		SELECT m.project_id, @kind, jsonb_build_object('mailId', m.id, 'workflowId', 'mail/' || gen_random_uuid())
		FROM mails AS m WHERE m.kind = @invitation AND m.sent_at IS NULL AND m.created_at > @since AND NOT EXISTS (
			SELECT FROM outbox AS o WHERE o.kind = @kind AND (o.payload->>'mailId')::bigint = m.id)`,
		map[string]any{
			"kind": models.OutboxMailSend, "invitation": models.MailInvitation, "since": s.BackedUpAt.Add(-models.MailLife),
		})
	s.Exec(`INSERT INTO outbox (project_id, kind, payload)
		SELECT p.id, ?, jsonb_build_object('projectId', p.id, 'workflowId', 'files/' || p.slug || '/' || p.id,
			'summary', p.slug || ': compressed variants of files')
		FROM projects AS p WHERE EXISTS (SELECT FROM blobs AS b WHERE b.project_id = p.id AND b.variants = 'pending')`,
		models.OutboxFilesCompress)
	return s.Err
}

package restorestore

import (
	"time"

	"github.com/waft-ota/waft/models"
)

// nearBackup is how long before the backup a change of an API key is listed. Such keys help people to remember what they
// did to keys in these hours and after the backup.
const nearBackup = 24 * time.Hour

// endAccess ends all sessions, even sessions of terminals, and everything that lets somebody sign in once: it may have been
// used or revoked after the backup.
func (s *settling) endAccess() error {
	s.report.Sessions = s.counted("DELETE FROM sessions")
	for _, table := range []string{"terminal_logins", "password_resets", "setup_link"} {
		s.Exec("DELETE FROM " + table)
	}
	return s.Err
}

// listKeys lists the API keys that were created or revoked shortly before the backup. It leaves out keys of CI jobs, which
// expire within minutes.
func (s *settling) listKeys() error {
	since := s.BackedUpAt.Add(-nearBackup)
	s.scan(&s.report.Keys, `SELECT p.slug AS project, k.name, k.prefix, k.role, k.created_at, k.revoked_at
		FROM api_keys AS k JOIN projects AS p ON p.id = k.project_id
		WHERE k.publisher_id IS NULL AND (k.created_at >= ? OR k.revoked_at >= ?) ORDER BY p.slug, k.id`, since, since)
	return s.Err
}

// forgetSecrets removes the secrets that only the WAFT_SECRET_KEY of the backup decrypts: the server does not start with
// such secrets (docs/operations/secrets.md).
func (s *settling) forgetSecrets() error {
	if !s.SecretKeyLost {
		return nil
	}
	s.scan(&s.report.SigningKeys, `SELECT p.slug FROM code_signing_keys AS k JOIN projects AS p ON p.id = k.project_id ORDER BY p.slug`)
	s.scan(&s.report.Webhooks, `SELECT p.slug AS project, w.url FROM webhooks AS w JOIN projects AS p ON p.id = w.project_id
		ORDER BY p.slug, w.id`)
	for i := range s.report.Webhooks {
		s.report.Webhooks[i].URL = models.Webhook{URL: s.report.Webhooks[i].URL}.MaskedURL()
	}
	for _, statement := range []string{
		"DELETE FROM webhook_deliveries", "DELETE FROM webhooks", "DELETE FROM code_signing_keys", "DELETE FROM idempotency_keys",
		"UPDATE projects SET hash_ids = false, sealed_hash_key = ''",
	} {
		s.Exec(statement)
	}
	return s.Err
}

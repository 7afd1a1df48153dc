package accountstore

import (
	"context"
	"errors"
	"strconv"
	"time"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/unit"
	"github.com/waft-ota/waft/models"
)

var (
	errPublisherGone = models.Errorf(models.CodeNotFound, "the trusted publisher no longer exists")
	errExchanged     = models.Errorf(models.CodeUnauthenticated, "this ID token was already exchanged; request a new one from the CI system")
)

// ExchangeToken creates a short-lived key of a trusted publisher in exchange for an ID token. It returns not_found if
// the publisher was removed, unauthenticated if the token was exchanged before, and rate_limited if the publisher has
// too many valid keys. It returns already_exists if another key has the prefix of t.
func (s *Accounts) ExchangeToken(
	ctx context.Context, requestID string, projectID int64, e models.TokenExchange, t models.APIKeyToken,
) (k models.APIKey, err error) {
	err = s.units.Edit(ctx, projectID, models.Actor{}, func(c *unit.Change) error {
		// A change of the publishers may have to revoke this key, so it must wait until the key exists.
		p, err := pg.OneOr[models.TrustedPublisher](
			c.Tx.Clauses(pg.ForChange).Where("project_id = ? AND id = ?", projectID, e.PublisherID), errPublisherGone)
		if err != nil {
			return err
		}
		used := c.Tx.Exec("INSERT INTO exchanged_tokens (digest, expires_at) SELECT ?::bytea, ?::timestamptz ON CONFLICT DO NOTHING",
			e.Digest, e.ExpiresAt)
		if used.Error != nil || used.RowsAffected == 0 {
			return errors.Join(used.Error, unit.Refusal(used.Error == nil, errExchanged))
		}
		if err := checkPublisherKeys(c.Tx, p.ID, c.Now()); err != nil {
			return err
		}
		k = models.APIKey{
			ID: c.NextID(), ProjectID: projectID, Name: e.Claims.JobName(e.Issuer), Role: p.Role, Prefix: t.Prefix, SecretHash: t.Hash(),
			ExpiresAt: new(c.Now().Add(models.PublisherKeyLife)), CreatedAt: c.Now(), PublisherID: &p.ID, Channels: p.Channels,
			MadeBy: p.MadeBy,
		}
		c.Actor = models.Actor{Type: models.ActorAPIKey, ID: strconv.FormatInt(k.ID, 10), Name: k.Name, RequestID: requestID}
		c.Create(&k)
		c.Audit("api_key.created", "api_key", k.ID, map[string]any{
			"name": k.Name, "role": k.Role, "prefix": k.Prefix, "channels": k.Channels, "expiresAt": k.ExpiresAt,
			"publisherId": p.ID, "claims": e.Claims.Audited(),
		})
		return nil
	})
	return k, err
}

// checkPublisherKeys returns rate_limited if the publisher has the maximum number of valid keys.
func checkPublisherKeys(tx *gorm.DB, publisherID int64, now time.Time) error {
	working, err := pg.All[models.APIKey](tx.Select("expires_at").
		Where("publisher_id = ? AND revoked_at IS NULL AND expires_at > ?", publisherID, now).
		Order("expires_at").Limit(models.MaxPublisherKeys))
	if err != nil || len(working) < models.MaxPublisherKeys {
		return err
	}
	return &models.Error{
		Code: models.CodeRateLimited, RetryAfter: working[0].ExpiresAt.Sub(now).Round(time.Second) + time.Second,
		Message: "this trusted publisher has too many valid keys; use one key for a whole job, or revoke some keys",
	}
}

// DeleteShortLived deletes up to limit keys of trusted publishers that expired before keysBefore, and up to limit
// records of ID tokens that expired before tokensBefore. It returns the larger of the two numbers of deleted rows.
func (s *Accounts) DeleteShortLived(ctx context.Context, keysBefore, tokensBefore time.Time, limit int) (deleted int64, err error) {
	err = s.db.InTx(ctx, func(tx *gorm.DB) error {
		deleted = 0
		for statement, before := range map[string]time.Time{
			`DELETE FROM api_keys WHERE id IN (SELECT id FROM api_keys WHERE publisher_id IS NOT NULL AND expires_at < ?
				ORDER BY expires_at LIMIT ? FOR UPDATE SKIP LOCKED)`: keysBefore,
			`DELETE FROM exchanged_tokens WHERE digest IN (SELECT digest FROM exchanged_tokens WHERE expires_at < ?
				ORDER BY expires_at LIMIT ? FOR UPDATE SKIP LOCKED)`: tokensBefore,
		} {
			done := tx.Exec(statement, before, limit)
			if done.Error != nil {
				return done.Error
			}
			deleted = max(deleted, done.RowsAffected)
		}
		return nil
	})
	return deleted, err
}

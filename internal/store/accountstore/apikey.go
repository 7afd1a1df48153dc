package accountstore

import (
	"context"
	"strconv"
	"time"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/unit"
	"github.com/waft-ota/waft/models"
)

// touchInterval is the resolution of a key's last use: even a busy key is written at most once per interval.
const touchInterval = time.Minute

// CreateAPIKey stores a key of the project under the hash of its secret. It returns already_exists if another key has
// the same prefix. The caller's transaction stays usable, so the caller can try again with another token.
func (s *Accounts) CreateAPIKey(
	ctx context.Context, projectID int64, actor models.Actor, n models.NewAPIKey, t models.APIKeyToken,
) (k models.APIKey, err error) {
	if err := n.Validate(s.db.Clock()); err != nil {
		return k, err
	}
	err = s.units.Edit(ctx, projectID, actor, func(c *unit.Change) error {
		c.MakeRoom(models.QuotaAPIKeys)
		k = models.APIKey{
			ProjectID: projectID, Name: n.Name, Role: n.Role, Prefix: t.Prefix, SecretHash: t.Hash(), CreatedAt: c.Now(),
		}
		if n.ExpiresAt != nil {
			k.ExpiresAt = new(n.ExpiresAt.UTC().Truncate(time.Millisecond))
		}
		if k.MadeBy, err = makerOf(c.Tx, projectID, actor); err != nil {
			return err
		}
		c.Create(&k)
		c.Audit("api_key.created", "api_key", k.ID, map[string]any{"name": k.Name, "role": k.Role, "prefix": k.Prefix})
		return nil
	})
	return k, err
}

var apiKeyList = pg.List{
	Table: "api_keys", Owner: "project_id",
	Sorts: map[string]pg.SortBy{
		"createdAt": pg.ByTime("api_keys.created_at"), "expiresAt": pg.ByMaybeTime("api_keys.expires_at"),
		"lastUsedAt": pg.ByMaybeTime("api_keys.last_used_at"), "name": pg.ByText("api_keys.name"), "role": pg.ByText("api_keys.role"),
	},
	Matches: "search_words(project_id, '{}', name, prefix) @@ search_query(?, ?)",
	Texts:   []string{"api_keys.name"},
}

// ListAPIKeys returns a page of the project's keys that are not revoked, newest first: either the keys that callers
// created or the valid short-lived keys.
func (s *Accounts) ListAPIKeys(ctx context.Context, projectID int64, f models.APIKeyFilter, page models.Page) ([]models.APIKey, error) {
	now := s.db.Clock()
	return pg.Reading(ctx, s.db.Read, func(tx *gorm.DB) ([]models.APIKey, error) {
		q := tx.Where("revoked_at IS NULL AND publisher_id IS NULL")
		if f.ShortLived {
			q = tx.Where("revoked_at IS NULL AND publisher_id IS NOT NULL AND expires_at > ?", now)
		}
		if f.MadeBy != 0 {
			q = q.Where("made_by = ?", f.MadeBy)
		}
		return pg.Rows[models.APIKey](q, apiKeyList, projectID, page)
	})
}

// RevokeAPIKey ends a key permanently and notifies all API processes. If the key is already revoked, it returns
// not_found.
func (s *Accounts) RevokeAPIKey(ctx context.Context, projectID int64, actor models.Actor, id int64) error {
	return s.units.Edit(ctx, projectID, actor, func(c *unit.Change) error {
		k, err := pg.One[models.APIKey](c.Tx.Clauses(pg.ForUpdate).
			Where("project_id = ? AND id = ? AND revoked_at IS NULL", projectID, id), "API key %d", id)
		if err != nil {
			return err
		}
		revokeKey(c, k)
		return nil
	})
}

// RevokeAPIKeysOf revokes all keys of the project that the user created and returns their number. The user may have
// left the project.
func (s *Accounts) RevokeAPIKeysOf(ctx context.Context, projectID int64, actor models.Actor, userID int64) (revoked int, err error) {
	err = s.units.Edit(ctx, projectID, actor, func(c *unit.Change) error {
		keys, err := pg.All[models.APIKey](c.Tx.Clauses(pg.ForUpdate).
			Where("project_id = ? AND made_by = ? AND revoked_at IS NULL", projectID, userID).Order("id"))
		if err != nil {
			return err
		}
		for _, k := range keys {
			revokeKey(c, k)
		}
		revoked = len(keys)
		return nil
	})
	return revoked, err
}

// revokeKey ends a key and notifies all API processes.
func revokeKey(c *unit.Change, k models.APIKey) {
	k.RevokedAt = new(c.Now())
	c.Update(&k, "RevokedAt")
	c.Notify(models.NotifyAPIKeyRevoked, k.ID)
	c.Audit("api_key.revoked", "api_key", k.ID, map[string]any{"name": k.Name, "prefix": k.Prefix})
}

// APIKeyByPrefix returns the key with the given prefix, in any state: see models.APIKey.Usable.
func (s *Accounts) APIKeyByPrefix(ctx context.Context, prefix string) (models.APIKey, error) {
	return pg.Reading(ctx, s.db.ReadOne, func(db *gorm.DB) (models.APIKey, error) {
		return pg.OneOr[models.APIKey](db.Where("prefix = ?", prefix), models.Errorf(models.CodeNotFound, "this API key does not exist"))
	})
}

// APIKey returns a key of the project, in any state.
func (s *Accounts) APIKey(ctx context.Context, projectID, id int64) (models.APIKey, error) {
	return pg.Reading(ctx, s.db.ReadOne, func(db *gorm.DB) (models.APIKey, error) {
		return pg.One[models.APIKey](db.Where("project_id = ? AND id = ?", projectID, id), "API key %d", id)
	})
}

// makerOf returns the ID of the user who counts as the creator of a key that the actor creates. It is the actor itself
// or, if the actor is an API key, the user who created that key.
func makerOf(tx *gorm.DB, projectID int64, actor models.Actor) (*int64, error) {
	if actor.Type != models.ActorUser {
		return unit.KeyMaker(tx, projectID, actor)
	}
	id, err := strconv.ParseInt(actor.ID, 10, 64)
	return &id, err
}

// TouchAPIKey records that the key was used at the given time. It writes at most once per minute.
func (s *Accounts) TouchAPIKey(ctx context.Context, id int64, at time.Time) error {
	at = at.UTC().Truncate(time.Millisecond)
	return s.db.Exec(ctx, "UPDATE api_keys SET last_used_at = ? WHERE id = ? AND (last_used_at IS NULL OR last_used_at <= ?)",
		at, id, at.Add(-touchInterval))
}

// RootKeyHash returns the hash of the root key that the installation generated. If the installation does not have a
// root key yet, it stores offered as the hash, and created is true.
func (s *Accounts) RootKeyHash(ctx context.Context, offered []byte) (hash []byte, created bool, err error) {
	err = s.db.InTx(ctx, func(tx *gorm.DB) error {
		// VALUES (?) does not work: right after a parenthesis, GORM expands bytes to a list.
		inserted := tx.Exec("INSERT INTO root_key (secret_hash) SELECT ?::bytea ON CONFLICT DO NOTHING", offered)
		if inserted.Error != nil {
			return inserted.Error
		}
		created = inserted.RowsAffected == 1
		return tx.Raw("SELECT secret_hash FROM root_key").Row().Scan(&hash)
	})
	return hash, created, err
}

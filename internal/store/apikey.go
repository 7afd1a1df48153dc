package store

import (
	"context"
	"errors"
	"time"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/models"
)

// touchInterval is the resolution of a key's last use: a busy key costs one write in
// that time.
const touchInterval = time.Minute

// CreateAPIKey stores a key of the project under the hash of its secret.
func (s *Store) CreateAPIKey(ctx context.Context, projectID int64, actor models.Actor, n models.NewAPIKey, t models.APIKeyToken) (models.APIKey, error) {
	if err := n.Validate(s.clock()); err != nil {
		return models.APIKey{}, err
	}
	var k models.APIKey
	err := s.write(ctx, func(tx *gorm.DB) error {
		k = models.APIKey{
			ProjectID: projectID, Name: n.Name, Role: n.Role, Prefix: t.Prefix, SecretHash: t.Hash(), CreatedAt: tx.NowFunc(),
		}
		if n.ExpiresAt != nil {
			expires := n.ExpiresAt.UTC().Truncate(time.Millisecond)
			k.ExpiresAt = &expires
		}
		if err := tx.Create(&k).Error; err != nil {
			return err
		}
		details := map[string]any{"name": k.Name, "role": k.Role, "prefix": k.Prefix}
		return audit(tx, projectID, actor, actionKeyCreated, entityKey, k.ID, details)
	})
	return k, err
}

// ListAPIKeys returns a page of the project's keys that are not revoked, newest
// first.
func (s *Store) ListAPIKeys(ctx context.Context, projectID int64, page models.Page) ([]models.APIKey, error) {
	return reading(ctx, s, func(tx *gorm.DB) ([]models.APIKey, error) {
		return all[models.APIKey](pageOf(tx.Where("revoked_at IS NULL"), "api_keys", projectID, page))
	})
}

// RevokeAPIKey ends a key for good; a key that is revoked already is not found.
func (s *Store) RevokeAPIKey(ctx context.Context, projectID int64, actor models.Actor, id int64) error {
	return s.write(ctx, func(tx *gorm.DB) error {
		k, err := one[models.APIKey](tx.Clauses(forUpdate).
			Where("project_id = ? AND id = ? AND revoked_at IS NULL", projectID, id), "API key %d", id)
		if err != nil {
			return err
		}
		if err := tx.Model(&k).Update("revoked_at", tx.NowFunc()).Error; err != nil {
			return err
		}
		details := map[string]any{"name": k.Name, "prefix": k.Prefix}
		return audit(tx, projectID, actor, actionKeyRevoked, entityKey, k.ID, details)
	})
}

// APIKeyByPrefix returns the key with the given public prefix, whatever its state:
// see models.APIKey.Usable.
func (s *Store) APIKeyByPrefix(ctx context.Context, prefix string) (k models.APIKey, err error) {
	err = s.readOne(ctx, func(db *gorm.DB) error {
		k = models.APIKey{} // what Take finds there, it adds to the conditions
		err := db.Where("prefix = ?", prefix).Take(&k).Error
		if errors.Is(err, gorm.ErrRecordNotFound) {
			return models.Errorf(models.CodeNotFound, "there is no such API key")
		}
		return err
	})
	return k, err
}

// TouchAPIKey notes that the key was used at the given time, at most once a
// minute.
func (s *Store) TouchAPIKey(ctx context.Context, id int64, at time.Time) error {
	at = at.UTC().Truncate(time.Millisecond)
	return s.write(ctx, func(tx *gorm.DB) error {
		return tx.Model(&models.APIKey{}).
			Where("id = ? AND (last_used_at IS NULL OR last_used_at <= ?)", id, at.Add(-touchInterval)).
			Update("last_used_at", at).Error
	})
}

package unit

import (
	"context"
	"errors"
	"fmt"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/store/pg"
)

// SealedColumn is a column with encrypted values.
type SealedColumn struct{ table, column string }

var (
	// WebhookSecretColumn contains the secrets that sign webhook messages.
	WebhookSecretColumn = SealedColumn{"webhooks", "sealed_secret"}
	// PreviousSecretColumn contains the previous secrets of webhooks, or '' for none.
	PreviousSecretColumn = SealedColumn{"webhooks", "sealed_previous_secret"}
	// SigningKeyColumn contains the keys that sign manifests.
	SigningKeyColumn = SealedColumn{"code_signing_keys", "sealed_private_key"}
	// HashKeyColumn contains the keys with which device IDs and networks are hashed.
	HashKeyColumn = SealedColumn{"projects", "sealed_hash_key"}

	sealedColumns = []SealedColumn{WebhookSecretColumn, PreviousSecretColumn, SigningKeyColumn, HashKeyColumn}
)

// purpose returns a string that ties an encrypted value to its row.
func (c SealedColumn) purpose(id int64) string { return fmt.Sprintf("%s.%s/%d", c.table, c.column, id) }

var errNoSecrets = errors.New("the store was opened without a secret key")

// Seal encrypts a secret for a column of the row with the ID.
func (s *Units) Seal(c SealedColumn, id int64, secret []byte) (string, error) {
	if s.secrets == nil {
		return "", errNoSecrets
	}
	return s.secrets.Seal(c.purpose(id), secret), nil
}

// Unseal decrypts a value that Seal encrypted for the same column and row.
func (s *Units) Unseal(c SealedColumn, id int64, sealed string) ([]byte, error) {
	if s.secrets == nil {
		return nil, errNoSecrets
	}
	secret, err := s.secrets.Open(c.purpose(id), sealed)
	if err != nil {
		return nil, fmt.Errorf("%s of row %d of %s: %w", c.column, id, c.table, err)
	}
	return secret, nil
}

// ResealSecrets encrypts again every secret that is not encrypted under the current key, and returns their number. If one
// of them cannot be decrypted, the old key is missing: then ResealSecrets fails and no secret is changed. A project
// whose hash key was emptied because WAFT_SECRET_KEY was lost gets a new hash key. Several processes may call
// ResealSecrets at the same time.
func (s *Units) ResealSecrets(ctx context.Context) (resealed int, err error) {
	if s.secrets == nil {
		return 0, errNoSecrets
	}
	err = s.db.InTx(ctx, func(tx *gorm.DB) error {
		resealed = 0
		for _, c := range sealedColumns {
			n, err := s.resealColumn(tx, c)
			if err != nil {
				return err
			}
			resealed += n
		}
		return nil
	})
	return resealed, err
}

func (s *Units) resealColumn(tx *gorm.DB, c SealedColumn) (int, error) {
	var rows []struct {
		ID     int64
		Sealed string
	}
	err := tx.Table(c.table).Select("id, "+c.column+" AS sealed").Where("NOT starts_with("+c.column+", ?)", s.secrets.Prefix()).
		Where("? OR "+c.column+" <> ''", c != PreviousSecretColumn).Order("id").Clauses(pg.ForUpdate).Find(&rows).Error
	if err != nil {
		return 0, err
	}
	for _, row := range rows {
		secret, err := NewHashKey(), error(nil)
		if c != HashKeyColumn || row.Sealed != "" {
			secret, err = s.Unseal(c, row.ID, row.Sealed)
		}
		if err != nil {
			return 0, err
		}
		err = tx.Table(c.table).Where("id = ?", row.ID).Update(c.column, s.secrets.Seal(c.purpose(row.ID), secret)).Error
		if err != nil {
			return 0, err
		}
	}
	return len(rows), nil
}

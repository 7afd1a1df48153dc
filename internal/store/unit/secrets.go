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
	// WebhookSecretColumn has what signs messages to webhooks.
	WebhookSecretColumn = SealedColumn{"webhooks", "sealed_secret"}
	// PreviousSecretColumn has what signed messages before; it is '' without one.
	PreviousSecretColumn = SealedColumn{"webhooks", "sealed_previous_secret"}
	// SigningKeyColumn has what signs manifests.
	SigningKeyColumn = SealedColumn{"code_signing_keys", "sealed_private_key"}
	// HashKeyColumn has what devices and networks are hashed with.
	HashKeyColumn = SealedColumn{"projects", "sealed_hash_key"}

	sealedColumns = []SealedColumn{WebhookSecretColumn, PreviousSecretColumn, SigningKeyColumn, HashKeyColumn}
)

// purpose ties an encrypted value to its row.
func (c SealedColumn) purpose(id int64) string { return fmt.Sprintf("%s.%s/%d", c.table, c.column, id) }

var errNoSecrets = errors.New("the store was opened without a secret key")

// Seal encrypts a secret for a column of the row with the id.
func (s *Units) Seal(c SealedColumn, id int64, secret []byte) (string, error) {
	if s.secrets == nil {
		return "", errNoSecrets
	}
	return s.secrets.Seal(c.purpose(id), secret), nil
}

// Unseal decrypts what Seal encrypted for the same column and row.
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

// ResealSecrets encrypts under the current key every secret that is stored under another
// one, and returns how many there were. When one of them cannot be read it fails and
// changes nothing: then the key that it was stored under is missing. A project whose hash
// key was emptied, because WAFT_SECRET_KEY was lost, gets a new one. Several processes may
// call it at once.
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

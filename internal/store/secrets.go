package store

import (
	"context"
	"errors"
	"fmt"

	"gorm.io/gorm"
)

// sealedColumn is a column with encrypted values.
type sealedColumn struct{ table, column string }

var (
	webhookSecret = sealedColumn{"webhooks", "sealed_secret"}
	// previousSecret is '' without one.
	previousSecret = sealedColumn{"webhooks", "sealed_previous_secret"}
	signingKey     = sealedColumn{"code_signing_keys", "sealed_private_key"}
	hashKey        = sealedColumn{"projects", "sealed_hash_key"}

	sealedColumns = []sealedColumn{webhookSecret, previousSecret, signingKey, hashKey}
)

// purpose ties an encrypted value to its row.
func (c sealedColumn) purpose(id int64) string { return fmt.Sprintf("%s.%s/%d", c.table, c.column, id) }

var errNoSecrets = errors.New("the store was opened without a secret key")

func (s *Units) seal(c sealedColumn, id int64, secret []byte) (string, error) {
	if s.secrets == nil {
		return "", errNoSecrets
	}
	return s.secrets.Seal(c.purpose(id), secret), nil
}

func (s *Units) unseal(c sealedColumn, id int64, sealed string) ([]byte, error) {
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
	err = s.db.inTx(ctx, func(tx *gorm.DB) error {
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

func (s *Units) resealColumn(tx *gorm.DB, c sealedColumn) (int, error) {
	var rows []struct {
		ID     int64
		Sealed string
	}
	err := tx.Table(c.table).Select("id, "+c.column+" AS sealed").Where("NOT starts_with("+c.column+", ?)", s.secrets.Prefix()).
		Where("? OR "+c.column+" <> ''", c != previousSecret).Order("id").Clauses(forUpdate).Find(&rows).Error
	if err != nil {
		return 0, err
	}
	for _, row := range rows {
		secret, err := newHashKey(), error(nil)
		if c != hashKey || row.Sealed != "" {
			secret, err = s.unseal(c, row.ID, row.Sealed)
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

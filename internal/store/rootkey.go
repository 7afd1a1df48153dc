package store

import (
	"context"

	"gorm.io/gorm"
)

// RootKeyHash returns the hash of the root key that the installation made for
// itself. When it has none yet, offered becomes it and created is true.
func (s *Store) RootKeyHash(ctx context.Context, offered []byte) (hash []byte, created bool, err error) {
	err = s.write(ctx, func(tx *gorm.DB) error {
		// Not VALUES (?): right after a parenthesis GORM takes bytes for a list.
		inserted := tx.Exec("INSERT INTO root_key (secret_hash) SELECT ?::bytea ON CONFLICT DO NOTHING", offered)
		if inserted.Error != nil {
			return inserted.Error
		}
		created = inserted.RowsAffected == 1
		return tx.Raw("SELECT secret_hash FROM root_key").Row().Scan(&hash)
	})
	return hash, created, err
}

package store

import (
	"context"
	"errors"

	"gorm.io/gorm"
)

// outerKey finds the transaction that a context carries.
type outerKey struct{}

// within returns a context in which every read and write of the Store is part of
// tx. It must be used by one goroutine at a time.
func within(ctx context.Context, tx *gorm.DB) context.Context {
	return context.WithValue(ctx, outerKey{}, tx)
}

// outerOf is the transaction that ctx carries, nil when it carries none.
func outerOf(ctx context.Context) *gorm.DB {
	tx, _ := ctx.Value(outerKey{}).(*gorm.DB)
	return tx
}

// nested runs fn within tx and rolls back to where it began when fn fails.
func nested(tx *gorm.DB, fn func(tx *gorm.DB) error) error {
	const savepoint = "nested"
	if err := tx.SavePoint(savepoint).Error; err != nil {
		return err
	}
	err := fn(tx)
	if err != nil {
		if undone := tx.RollbackTo(savepoint).Error; undone != nil {
			return errors.Join(err, undone)
		}
	}
	// Released in both cases: an outer savepoint has the same name.
	if released := tx.Exec("RELEASE SAVEPOINT " + savepoint).Error; err == nil {
		err = released
	}
	return err
}

package restorestore

import (
	"context"
	"errors"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/store/pg"
)

// SettleDatabase settles the database at databaseURL as Settle does, before a server uses it.
func SettleDatabase(ctx context.Context, databaseURL string, facts Facts) (report Report, err error) {
	db, err := pg.Open(ctx, databaseURL, pg.Config{})
	if err != nil {
		return report, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return pg.Reading(ctx, db.InTx, func(tx *gorm.DB) (Report, error) { return Settle(ctx, tx, facts) })
}

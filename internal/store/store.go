// Package store keeps Waft's records in Postgres. It joins its packages: pg runs queries and transactions, unit has the unit of
// work, and each other one keeps the records of a noun.
package store

import (
	"context"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/waft-ota/waft/internal/base/secrets"
	"github.com/waft-ota/waft/internal/store/accountstore"
	"github.com/waft-ota/waft/internal/store/filestore"
	"github.com/waft-ota/waft/internal/store/flagstore"
	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/projectstore"
	"github.com/waft-ota/waft/internal/store/releasestore"
	"github.com/waft-ota/waft/internal/store/snapshotstore"
	"github.com/waft-ota/waft/internal/store/unit"
	"github.com/waft-ota/waft/internal/store/webhookstore"
	"github.com/waft-ota/waft/models"
)

// Store reads and writes Postgres. It is safe for concurrent use. It has the methods of all nouns, so that a caller that needs
// several has one value.
type Store struct {
	*pg.DB
	*unit.Units
	*accountstore.Accounts
	*filestore.Files
	*releasestore.Releases
	*flagstore.Flags
	*projectstore.Projects
	*snapshotstore.SnapshotReader
	*webhookstore.Webhooks
}

// config is what the options set.
type config struct {
	db    pg.Config
	units unit.Config
}

// Option changes how a Store is opened.
type Option func(*config)

// WithNow replaces the clock that stamps records and releases.
func WithNow(now func() time.Time) Option { return func(c *config) { c.db.Now = now } }

// WithLog sets the log for what no caller sees, such as a lost connection.
func WithLog(log *slog.Logger) Option { return func(c *config) { c.db.Log = log } }

// WithTracer traces every statement that is sent to Postgres.
func WithTracer(tracer pgx.QueryTracer) Option { return func(c *config) { c.db.Tracer = tracer } }

// WithSecrets sets the box that encrypts secrets. Records with secrets need it.
func WithSecrets(box *secrets.Box) Option { return func(c *config) { c.units.Secrets = box } }

// WithQuotas bounds what each project may have; without it nothing is bound.
func WithQuotas(quotas models.Quotas) Option { return func(c *config) { c.units.Quotas = quotas } }

// WithApprovalLife sets how long calls wait for approvals; models.ApprovalLife without it.
func WithApprovalLife(life time.Duration) Option {
	return func(c *config) { c.units.ApprovalLife = life }
}

// Open connects a pool to the Postgres at databaseURL. It does not migrate: see Migrate.
func Open(ctx context.Context, databaseURL string, options ...Option) (*Store, error) {
	var c config
	for _, option := range options {
		option(&c)
	}
	db, err := pg.Open(ctx, databaseURL, c.db)
	if err != nil {
		return nil, err
	}
	units := unit.New(db, c.units)
	releases := releasestore.New(db, units)
	projects := projectstore.New(db, units)
	return &Store{
		DB: db, Units: units, Accounts: accountstore.New(db, units), Files: filestore.New(db, units), Releases: releases,
		Flags: flagstore.New(db, units), Projects: projects, SnapshotReader: snapshotstore.New(db, units, projects, releases),
		Webhooks: webhookstore.New(db, units),
	}, nil
}

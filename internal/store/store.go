// Package store keeps Waft's records in Postgres. It combines its subpackages: pg runs queries and transactions, unit
// has the unit of work, and each of the others stores one kind of record.
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

// Store reads and writes Postgres. It is safe for concurrent use. It has the methods of all subpackages, so that a
// caller that needs several of them has one value.
type Store struct {
	*pg.DB
	*unit.Units
	*accountstore.Accounts
	*accountstore.Terminals
	*filestore.Files
	*releasestore.Releases
	*flagstore.Flags
	*projectstore.Projects
	*snapshotstore.SnapshotReader
	*webhookstore.Webhooks
}

// config holds the values that the options set.
type config struct {
	db    pg.Config
	units unit.Config
}

// Option configures a Store.
type Option func(*config)

// WithNow returns an option that replaces the clock used for records and releases.
func WithNow(now func() time.Time) Option { return func(c *config) { c.db.Now = now } }

// WithLog returns an option that sets the log for events that callers cannot see, such as a lost connection.
func WithLog(log *slog.Logger) Option { return func(c *config) { c.db.Log = log } }

// WithTracer returns an option that traces every statement sent to Postgres.
func WithTracer(tracer pgx.QueryTracer) Option { return func(c *config) { c.db.Tracer = tracer } }

// WithSecrets returns an option that sets the box that encrypts secrets. It is required to store records with secrets.
func WithSecrets(box *secrets.Box) Option { return func(c *config) { c.units.Secrets = box } }

// WithQuotas returns an option that limits the number of records of each project. Without it, records are not limited.
func WithQuotas(quotas models.Quotas) Option { return func(c *config) { c.units.Quotas = quotas } }

// WithApprovalLife returns an option that sets how long calls wait for approvals. The default is models.ApprovalLife.
func WithApprovalLife(life time.Duration) Option {
	return func(c *config) { c.units.ApprovalLife = life }
}

// Open connects a pool to the Postgres server at databaseURL. It does not migrate the database: see Migrate.
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
		DB: db, Units: units, Accounts: accountstore.New(db, units), Terminals: accountstore.NewTerminals(db, units),
		Files: filestore.New(db, units), Releases: releases,
		Flags: flagstore.New(db, units), Projects: projects, SnapshotReader: snapshotstore.New(db, units, projects, releases),
		Webhooks: webhookstore.New(db, units),
	}, nil
}

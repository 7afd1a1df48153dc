// Package store keeps Waft's records in Postgres. GORM maps rows to package models; the
// SQL files in migrations define the schema.
//
// Every change is one transaction that also writes its audit entry, its outbox messages
// and, when devices could notice, the project's next snapshot version: see change. Such a
// transaction locks the project's row first, so that the changes of one project happen
// one after the other and need no other lock.
//
// For everything that a caller can correct or should wait for, methods return errors of
// package models; errors.go makes them from those of Postgres.
package store

import (
	"context"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/waft-ota/waft/internal/base/secrets"
	"github.com/waft-ota/waft/models"
)

// Store reads and writes Postgres. It is safe for concurrent use. It has the methods of all nouns, so that a caller that needs
// several has one value.
type Store struct {
	*DB
	*Units
	*Accounts
	*Files
	*Releases
	*Flags
	*Projects
	*SnapshotReader
	*Webhooks
}

// config is what the options set.
type config struct {
	db    dbConfig
	units unitConfig
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
	db, err := openDB(ctx, databaseURL, c.db)
	if err != nil {
		return nil, err
	}
	units := newUnits(db, c.units)
	releases := newReleases(db, units)
	projects := newProjects(db, units)
	return &Store{
		DB: db, Units: units, Accounts: newAccounts(db, units), Files: newFiles(db, units), Releases: releases,
		Flags: newFlags(db, units), Projects: projects, SnapshotReader: newSnapshotReader(db, units, projects, releases),
		Webhooks: newWebhooks(db, units),
	}, nil
}

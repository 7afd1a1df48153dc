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
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/stdlib"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"

	"github.com/waft-ota/waft/internal/base/secrets"
	"github.com/waft-ota/waft/models"
)

// Limits of the connection pool of one process.
const (
	maxOpenConns   = 20
	maxIdleConns   = 10
	maxIdleTime    = 5 * time.Minute
	connectTimeout = 5 * time.Second
	// Postgres ends an idle transaction, whose process has stopped, after this time. No
	// working transaction is idle that long: see relayTimeout.
	idleTransactionLimit = 60 * time.Second
)

// Store reads and writes Postgres. It is safe for concurrent use.
type Store struct {
	db     *gorm.DB
	pool   *sql.DB
	config *pgx.ConnConfig
	now    func() time.Time
	log    *slog.Logger
	// secrets is nil when the store was opened without a key.
	secrets *secrets.Box
	quotas  models.Quotas
	// approvalLife is how long a call waits for approvals.
	approvalLife time.Duration
}

// Option changes how a Store is opened.
type Option func(*Store)

// WithNow replaces the clock that stamps records and releases.
func WithNow(now func() time.Time) Option { return func(s *Store) { s.now = now } }

// WithLog sets the log for what no caller sees, such as a lost connection.
func WithLog(log *slog.Logger) Option { return func(s *Store) { s.log = log } }

// WithQuotas bounds what each project may have; without it nothing is bound.
func WithQuotas(quotas models.Quotas) Option { return func(s *Store) { s.quotas = quotas } }

// WithApprovalLife sets how long calls wait for approvals; models.ApprovalLife without it.
func WithApprovalLife(life time.Duration) Option { return func(s *Store) { s.approvalLife = life } }

// WithTracer traces every statement that is sent to Postgres.
func WithTracer(tracer pgx.QueryTracer) Option {
	return func(s *Store) { s.config.Tracer = tracer }
}

// Open connects a pool to the Postgres at databaseURL. It does not migrate: see Migrate.
func Open(ctx context.Context, databaseURL string, options ...Option) (*Store, error) {
	config, err := connConfig(databaseURL)
	if err != nil {
		return nil, err
	}
	s := &Store{config: config, now: time.Now, log: slog.New(slog.DiscardHandler), approvalLife: models.ApprovalLife}
	for _, option := range options {
		option(s)
	}
	s.pool = stdlib.OpenDB(*config, stdlib.OptionAfterConnect(scanTimesInUTC))
	s.pool.SetMaxOpenConns(maxOpenConns)
	s.pool.SetMaxIdleConns(maxIdleConns)
	s.pool.SetConnMaxIdleTime(maxIdleTime)
	s.db, err = gorm.Open(postgres.New(postgres.Config{Conn: s.pool}), &gorm.Config{
		TranslateError:         true,
		NowFunc:                s.clock,
		SkipDefaultTransaction: true, // read and write begin their own
		DisableAutomaticPing:   true,
		Logger:                 logger.Discard, // errors are returned, and logged by who handles them
	})
	if err == nil {
		err = s.Ping(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, s.pool.Close())
	}
	return s, nil
}

// Close ends every connection.
func (s *Store) Close() error { return s.pool.Close() }

// Ping reports an unavailable error unless Postgres answers.
func (s *Store) Ping(ctx context.Context) error { return translate(s.pool.PingContext(ctx)) }

// clock returns the time for records: UTC, in the milliseconds that the API shows.
func (s *Store) clock() time.Time { return s.now().UTC().Truncate(time.Millisecond) }

// connConfig parses databaseURL. Its error never holds the password.
func connConfig(databaseURL string) (*pgx.ConnConfig, error) {
	config, err := pgx.ParseConfig(databaseURL)
	if err != nil {
		return nil, fmt.Errorf("the Postgres URL cannot be used: %w", err)
	}
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = connectTimeout
	}
	for name, value := range map[string]string{
		"application_name":                    "waft",
		"idle_in_transaction_session_timeout": strconv.FormatInt(idleTransactionLimit.Milliseconds(), 10),
	} {
		if config.RuntimeParams[name] == "" {
			config.RuntimeParams[name] = value
		}
	}
	return config, nil
}

// Addresses returns the addresses, host:port, of the servers that a Postgres URL names.
func Addresses(databaseURL string) (all []string, err error) {
	config, err := connConfig(databaseURL)
	if err != nil {
		return nil, err
	}
	add := func(host string, port uint16) {
		if address := net.JoinHostPort(host, strconv.Itoa(int(port))); !strings.HasPrefix(host, "/") && !slices.Contains(all, address) {
			all = append(all, address) // a socket in a folder has no address
		}
	}
	add(config.Host, config.Port)
	for _, other := range config.Fallbacks {
		add(other.Host, other.Port)
	}
	return all, nil
}

// scanTimesInUTC makes times from the database independent of the process's time zone.
func scanTimesInUTC(_ context.Context, conn *pgx.Conn) error {
	conn.TypeMap().RegisterType(&pgtype.Type{
		Name:  "timestamptz",
		OID:   pgtype.TimestamptzOID,
		Codec: &pgtype.TimestamptzCodec{ScanLocation: time.UTC},
	})
	return nil
}

// Package pg runs queries and transactions in Postgres. It also keeps the database schema, which the SQL files in
// migrations define. GORM maps rows to package models.
//
// If a caller can correct a problem or should retry, the error is one of package models. errors.go creates these errors
// from errors of Postgres.
package pg

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
)

// Limits of the connection pool of one process.
const (
	maxOpenConns   = 20
	maxIdleConns   = 10
	maxIdleTime    = 5 * time.Minute
	connectTimeout = 5 * time.Second
	// IdleTransactionLimit is the time after which Postgres ends an idle transaction, because its process has stopped.
	// A working transaction is never idle for that long: see unit.RelayTimeout.
	IdleTransactionLimit = 60 * time.Second
)

// DB runs queries and transactions in Postgres. It is safe for concurrent use.
type DB struct {
	gorm *gorm.DB
	pool *sql.DB
	now  func() time.Time
	log  *slog.Logger
	// listener receives notifications.
	listener *listener
}

// Config configures a DB. The zero value is usable.
type Config struct {
	// Now returns the time for records. The default is time.Now.
	Now func() time.Time
	// Log records events that callers cannot see, such as a lost connection.
	Log *slog.Logger
	// Tracer traces every statement that is sent to Postgres.
	Tracer pgx.QueryTracer
}

// Open connects a pool to the Postgres server at databaseURL. It does not migrate the database: see Migrate.
func Open(ctx context.Context, databaseURL string, c Config) (*DB, error) {
	config, err := connConfig(databaseURL)
	if err != nil {
		return nil, err
	}
	if c.Tracer != nil {
		config.Tracer = c.Tracer
	}
	s := &DB{now: c.Now, log: c.Log}
	if s.now == nil {
		s.now = time.Now
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	s.listener = newListener(config, s.log)
	s.pool = stdlib.OpenDB(*config, stdlib.OptionAfterConnect(scanTimesInUTC))
	s.pool.SetMaxOpenConns(maxOpenConns)
	s.pool.SetMaxIdleConns(maxIdleConns)
	s.pool.SetConnMaxIdleTime(maxIdleTime)
	s.gorm, err = gorm.Open(postgres.New(postgres.Config{Conn: s.pool}), &gorm.Config{
		TranslateError:         true,
		NowFunc:                s.Clock,
		SkipDefaultTransaction: true, // Read and InTx begin their own transactions
		DisableAutomaticPing:   true,
		Logger:                 logger.Discard, // errors are returned to callers, which log them
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
func (s *DB) Close() error {
	s.listener.close()
	return s.pool.Close()
}

// Ping returns an unavailable error if Postgres does not respond.
func (s *DB) Ping(ctx context.Context) error { return Translate(s.pool.PingContext(ctx)) }

// CheckWritable returns an unavailable error if Postgres does not respond, or refuses changes, as a standby does.
func (s *DB) CheckWritable(ctx context.Context) error {
	var readOnly bool
	err := s.pool.QueryRowContext(ctx, "SELECT current_setting('transaction_read_only')::boolean").Scan(&readOnly)
	if err == nil && readOnly {
		err = unavailable(errors.New("it is read-only"))
	}
	return Translate(err)
}

// Clock returns the time for records: UTC, with the millisecond precision that the API shows.
func (s *DB) Clock() time.Time { return s.now().UTC().Truncate(time.Millisecond) }

// connConfig parses databaseURL. Its error never contains the password.
func connConfig(databaseURL string) (*pgx.ConnConfig, error) {
	config, err := pgx.ParseConfig(databaseURL)
	if err != nil {
		return nil, fmt.Errorf("the Postgres URL is invalid: %w", err)
	}
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = connectTimeout
	}
	for name, value := range map[string]string{
		"application_name":                    "waft",
		"idle_in_transaction_session_timeout": strconv.FormatInt(IdleTransactionLimit.Milliseconds(), 10),
	} {
		if config.RuntimeParams[name] == "" {
			config.RuntimeParams[name] = value
		}
	}
	return config, nil
}

// Addresses returns the addresses, host:port, of the servers in a Postgres URL.
func Addresses(databaseURL string) (all []string, err error) {
	config, err := connConfig(databaseURL)
	if err != nil {
		return nil, err
	}
	add := func(host string, port uint16) {
		if address := net.JoinHostPort(host, strconv.Itoa(int(port))); !strings.HasPrefix(host, "/") && !slices.Contains(all, address) {
			all = append(all, address) // a socket in a folder does not have an address
		}
	}
	add(config.Host, config.Port)
	for _, other := range config.Fallbacks {
		add(other.Host, other.Port)
	}
	return all, nil
}

// scanTimesInUTC sets the time zone of scanned times to UTC, so that they do not depend on the process's time zone.
func scanTimesInUTC(_ context.Context, conn *pgx.Conn) error {
	conn.TypeMap().RegisterType(&pgtype.Type{
		Name:  "timestamptz",
		OID:   pgtype.TimestamptzOID,
		Codec: &pgtype.TimestamptzCodec{ScanLocation: time.UTC},
	})
	return nil
}

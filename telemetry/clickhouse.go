package telemetry

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"

	"github.com/waft-ota/waft/models"
)

const dialTimeout = 5 * time.Second

// ClickHouse stores and queries telemetry in one ClickHouse database. It is safe
// for concurrent use.
type ClickHouse struct {
	conn driver.Conn
	// exactRows is how many rows an answer may read to be exact.
	exactRows uint64
}

// Open makes a connection pool for a URL like http://user:password@host:8123/db
// (or https, the HTTP interface) or clickhouse://user:password@host:9000/db (the
// native protocol). It connects at first use, so ClickHouse may be away.
func Open(_ context.Context, clickHouseURL string) (*ClickHouse, error) {
	options, err := parseURL(clickHouseURL)
	if err != nil {
		return nil, err
	}
	conn, err := clickhouse.Open(options)
	if err != nil {
		return nil, fmt.Errorf("open ClickHouse: %w", err)
	}
	return &ClickHouse{conn: conn, exactRows: exactRows}, nil
}

// Close ends the pool's connections.
func (c *ClickHouse) Close() error {
	if err := c.conn.Close(); err != nil {
		return fmt.Errorf("close ClickHouse: %w", err)
	}
	return nil
}

// Ping reports whether ClickHouse answers, as a models Unavailable error when it
// does not.
func (c *ClickHouse) Ping(ctx context.Context) error {
	if err := c.conn.Ping(ctx); err != nil {
		return models.Unavailable("ClickHouse", err)
	}
	return nil
}

func parseURL(clickHouseURL string) (*clickhouse.Options, error) {
	// The driver wants to be told twice that https is over TLS.
	if u, err := url.Parse(clickHouseURL); err == nil && u.Scheme == "https" && !u.Query().Has("secure") {
		query := u.Query()
		query.Set("secure", "true")
		u.RawQuery = query.Encode()
		clickHouseURL = u.String()
	}
	options, err := clickhouse.ParseDSN(clickHouseURL)
	if err != nil {
		// ParseDSN leaves credentials out of its errors.
		return nil, fmt.Errorf("bad ClickHouse URL: %w", err)
	}
	if options.Auth.Database == "" {
		options.Auth.Database = "default"
	}
	if options.DialTimeout == 0 {
		options.DialTimeout = dialTimeout
	}
	return options, nil
}

// queryError tells a refusal by ClickHouse, which is a fault of ours, from an
// outage, which a caller may wait out.
func queryError(what string, err error) error {
	var refusal *clickhouse.Exception
	if errors.As(err, &refusal) {
		return fmt.Errorf("%s: %w", what, err)
	}
	return models.Unavailable("ClickHouse", fmt.Errorf("%s: %w", what, err))
}

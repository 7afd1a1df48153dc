// Package telemetry stores and queries what devices report: the ClickHouse schema, the
// inserts, and the queries, which answer with models summaries. Package ingest holds the
// log from which reports are inserted.
package telemetry

import (
	"context"
	"fmt"
	"maps"
	"net/url"
	"sync"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"

	"github.com/waft-ota/waft/internal/base/keyed"
)

const dialTimeout = 5 * time.Second

// ClickHouse stores and queries telemetry in one ClickHouse database: it has the methods of each of its parts, which are about
// one subject each. It is safe for concurrent use.
type ClickHouse struct {
	*database
	Writer
	HealthQueries
	DeviceQueries
	ErrorQueries
	EventQueries
	FlagQueries
	StreamQueries
	UsageQueries
	Eraser
}

// database is what the parts of a ClickHouse share: its connections, and the limits of its queries.
type database struct {
	conn driver.Conn
	// url is where to connect.
	url string
	// turns are those of interactive queries, nil for others.
	turns *keyed.Turns[int64]
	// cluster names the cluster whose shards hold the tables; "" for a single server.
	cluster string
	// exactRows and exactReports are how many rows an answer may read to be exact.
	exactRows, exactReports uint64
	// exactErrors is the same for error groups.
	exactErrors uint64
	// sampledDevices is how many devices a sample has.
	sampledDevices uint64
	// inserted are the []clickhouse.ColumnNameAndType of insert statements.
	inserted sync.Map
}

// Open makes a connection pool for a URL like http://user:password@host:8123/db
// (or https, the HTTP interface) or clickhouse://user:password@host:9000/db (the
// native protocol). It connects at first use, so ClickHouse may be away.
func Open(_ context.Context, clickHouseURL string) (*ClickHouse, error) {
	return open(clickHouseURL, "", nil)
}

// OpenCluster is Open for the tables that MigrateCluster made on the cluster of the
// given name.
func OpenCluster(_ context.Context, clickHouseURL, cluster string) (*ClickHouse, error) {
	return open(clickHouseURL, cluster, nil)
}

// open makes a pool whose queries are interactive if they have turns.
func open(clickHouseURL, cluster string, turns *keyed.Turns[int64]) (*ClickHouse, error) {
	options, err := parseURL(clickHouseURL)
	if err != nil {
		return nil, err
	}
	if options.Settings == nil {
		options.Settings = clickhouse.Settings{}
	}
	if cluster != "" {
		maps.Copy(options.Settings, clusterSettings)
	}
	if turns != nil {
		maps.Copy(options.Settings, interactiveSettings)
		options.MaxOpenConns = interactiveTogether
	}
	conn, err := clickhouse.Open(options)
	if err != nil {
		return nil, fmt.Errorf("open ClickHouse: %w", err)
	}
	db := &database{
		conn: conn, url: clickHouseURL, cluster: cluster, turns: turns, exactRows: exactRows, exactReports: exactReports,
		exactErrors: exactErrors, sampledDevices: exactRows,
	}
	return &ClickHouse{
		database: db, Writer: Writer{db}, HealthQueries: HealthQueries{db}, DeviceQueries: DeviceQueries{db}, ErrorQueries: ErrorQueries{db},
		EventQueries: EventQueries{db}, FlagQueries: FlagQueries{db}, StreamQueries: StreamQueries{db}, UsageQueries: UsageQueries{db},
		Eraser: Eraser{db},
	}, nil
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
		return queryError("ping", err)
	}
	return nil
}

// Addresses returns the addresses, most with a port, of the servers that a ClickHouse URL names.
func Addresses(clickHouseURL string) ([]string, error) {
	options, err := parseURL(clickHouseURL)
	if err != nil {
		return nil, err
	}
	return options.Addr, nil
}

func parseURL(clickHouseURL string) (*clickhouse.Options, error) {
	// The driver uses TLS only with this parameter, even for https.
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

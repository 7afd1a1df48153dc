// Package telemetry stores and queries the reports of devices. It contains the ClickHouse schema, the inserts, and
// the queries, which return summaries of package models. Package ingest contains the log from which reports are
// inserted.
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

	"github.com/waft-ota/waft/internal/base/cache"
	"github.com/waft-ota/waft/internal/base/keyed"
)

const dialTimeout = 5 * time.Second

// ClickHouse stores and queries telemetry in one ClickHouse database. It combines the methods of its parts, and each
// part covers one subject. It is safe for concurrent use.
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

// database is shared by the parts of a ClickHouse: the connections and the limits of queries.
type database struct {
	conn driver.Conn
	// url is the URL of the database.
	url string
	// turns limits concurrent interactive queries. It is nil if the queries are not interactive.
	turns *keyed.Turns[int64]
	// pulse ends interactive queries while ClickHouse hangs.
	pulse pulse
	// cluster is the name of the cluster whose shards hold the tables, or "" for a single server.
	cluster string
	// exactRows and exactReports are the maximum numbers of rows that an exact query may read.
	exactRows, exactReports uint64
	// exactErrors is the same for queries about error groups.
	exactErrors uint64
	// sampledDevices is the number of devices in a sample.
	sampledDevices uint64
	// sizes holds the number of devices of each project, and reports the number of reports of each release. A query is exact if they
	// are low. Results are correct with old numbers too.
	sizes   *cache.Recent[int64, uint64]
	reports *cache.Recent[hashKey, map[string]uint64]
	// inserted holds the []clickhouse.ColumnNameAndType of insert statements.
	inserted sync.Map
}

// Open returns a connection pool for a URL like http://user:password@host:8123/db (or https, the HTTP interface) or
// clickhouse://user:password@host:9000/db (the native protocol). It connects when it is first used, so ClickHouse may
// be unavailable when Open is called.
func Open(_ context.Context, clickHouseURL string) (*ClickHouse, error) {
	return open(clickHouseURL, "", nil)
}

// OpenCluster returns a connection pool like Open, for the tables that MigrateCluster created on the cluster with the
// given name.
func OpenCluster(_ context.Context, clickHouseURL, cluster string) (*ClickHouse, error) {
	return open(clickHouseURL, cluster, nil)
}

// open returns a pool. Its queries are interactive if turns is not nil.
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
		options.MaxOpenConns = interactiveConns
	}
	conn, err := clickhouse.Open(options)
	if err != nil {
		return nil, fmt.Errorf("open ClickHouse: %w", err)
	}
	db := &database{
		conn: conn, url: clickHouseURL, cluster: cluster, turns: turns, exactRows: exactRows, exactReports: exactReports,
		exactErrors: exactErrors, sampledDevices: exactRows, pulse: pulse{ping: conn.Ping},
		sizes:   cache.NewRecent[int64, uint64](maxRecentStreams, sizesAge, streamsTimeout),
		reports: cache.NewRecent[hashKey, map[string]uint64](maxRecentStreams, sizesAge, streamsTimeout),
	}
	return &ClickHouse{
		database: db, Writer: Writer{db}, HealthQueries: HealthQueries{db}, DeviceQueries: DeviceQueries{db}, ErrorQueries: ErrorQueries{db},
		EventQueries: EventQueries{db}, FlagQueries: FlagQueries{db}, StreamQueries: StreamQueries{db}, UsageQueries: UsageQueries{db},
		Eraser: Eraser{db},
	}, nil
}

// Close closes the pool's connections.
func (c *ClickHouse) Close() error {
	if err := c.conn.Close(); err != nil {
		return fmt.Errorf("close ClickHouse: %w", err)
	}
	return nil
}

// Ping checks that ClickHouse responds. It returns a models.Unavailable error if it does not.
func (c *ClickHouse) Ping(ctx context.Context) error {
	if err := c.conn.Ping(ctx); err != nil {
		return queryError("ping", err)
	}
	return nil
}

// Addresses returns the addresses, usually with a port, of the servers in a ClickHouse URL.
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
		// ParseDSN omits credentials from its errors.
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

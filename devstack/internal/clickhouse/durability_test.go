package clickhouse_test

import (
	"syscall"
	"testing"
	"time"

	clickhousego "github.com/ClickHouse/clickhouse-go/v2"
	"github.com/stretchr/testify/require"
)

func TestAcknowledgedRowsSurviveKill(t *testing.T) {
	t.Parallel()
	dir, address := t.TempDir(), freeAddress()
	server, err := launch(dir, address)
	require.NoError(t, err)
	conn := connect(t, address, database)
	for _, statement := range []string{
		`CREATE TABLE events (id UInt64, kind LowCardinality(String)) ENGINE = MergeTree ORDER BY id
			SETTINGS non_replicated_deduplication_window = 100`,
		`CREATE TABLE counts (kind LowCardinality(String), n UInt64) ENGINE = SummingMergeTree ORDER BY kind
			SETTINGS non_replicated_deduplication_window = 100`,
		"CREATE MATERIALIZED VIEW counting TO counts AS SELECT kind, count() AS n FROM events GROUP BY kind",
	} {
		require.NoError(t, conn.Exec(t.Context(), statement))
	}
	send := func(token string, rows int) {
		ctx := clickhousego.Context(t.Context(), clickhousego.WithSettings(clickhousego.Settings{
			"insert_deduplication_token":                         token,
			"deduplicate_blocks_in_dependent_materialized_views": 1,
		}))
		batch, err := conn.PrepareBatch(ctx, "INSERT INTO events (id, kind)")
		require.NoError(t, err)
		for i := range rows {
			require.NoError(t, batch.Append(uint64(i), "crash"))
		}
		require.NoError(t, batch.Send())
	}
	requireCounts := func(want uint64) {
		var events, counts uint64
		require.NoError(t, conn.QueryRow(t.Context(), "SELECT count() FROM events").Scan(&events))
		require.NoError(t, conn.QueryRow(t.Context(), "SELECT sum(n) FROM counts").Scan(&counts))
		require.Equal(t, []uint64{want, want}, []uint64{events, counts})
	}

	send("node-1/0-1000", 1000)
	send("node-1/0-1000", 1000)
	requireCounts(1000)
	send("node-1/1000-1500", 500)

	require.NoError(t, syscall.Kill(server.Pid, syscall.SIGKILL))
	<-server.Done()
	server, err = launch(dir, address)
	require.NoError(t, err)
	defer server.Stop(syscall.SIGTERM, 10*time.Second)

	requireCounts(1500)
	// The token is remembered across the restart too.
	send("node-1/1000-1500", 500)
	requireCounts(1500)
}

func TestDefaultDatabaseIsKept(t *testing.T) {
	t.Parallel()
	dir, address := t.TempDir(), freeAddress()
	server, err := launch(dir, address)
	require.NoError(t, err)
	conn := connect(t, address, "default")
	require.NoError(t, conn.Exec(t.Context(), "CREATE TABLE t (id UInt64) ENGINE = MergeTree ORDER BY id"))
	require.NoError(t, conn.Exec(t.Context(), "INSERT INTO t VALUES (7)"))

	server.Stop(syscall.SIGTERM, 10*time.Second)
	server, err = launch(dir, address)
	require.NoError(t, err)
	defer server.Stop(syscall.SIGTERM, 10*time.Second)
	var id uint64
	require.NoError(t, conn.QueryRow(t.Context(), "SELECT id FROM t").Scan(&id))
	require.Equal(t, uint64(7), id)
}

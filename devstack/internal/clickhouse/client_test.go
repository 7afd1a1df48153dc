package clickhouse_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	clickhousego "github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/devstack/internal/clickhouse"
)

const everyType = `CREATE TABLE everything (
	s String, lc LowCardinality(String),
	u8 UInt8, u16 UInt16, u32 UInt32, u64 UInt64, i64 Int64, f64 Float64,
	at DateTime64(3, 'UTC'), day Date, id UUID,
	list Array(String), labels Map(String, String),
	maybe Nullable(String), number Nullable(UInt32), flag Bool
) ENGINE = MergeTree ORDER BY u64`

type row struct {
	S, LC  string
	U8     uint8
	U16    uint16
	U32    uint32
	U64    uint64
	I64    int64
	F64    float64
	At     time.Time
	Day    time.Time
	ID     uuid.UUID
	List   []string
	Labels map[string]string
	Maybe  *string
	Number *uint32
	Flag   bool
}

func (r *row) values() []any {
	return []any{r.S, r.LC, r.U8, r.U16, r.U32, r.U64, r.I64, r.F64, r.At, r.Day, r.ID, r.List, r.Labels, r.Maybe, r.Number, r.Flag}
}

func (r *row) pointers() []any {
	return []any{
		&r.S, &r.LC, &r.U8, &r.U16, &r.U32, &r.U64, &r.I64, &r.F64, &r.At, &r.Day, &r.ID,
		&r.List, &r.Labels, &r.Maybe, &r.Number, &r.Flag,
	}
}

func numbered(i int) row {
	r := row{
		S: fmt.Sprintf("text %d with 'quotes' and \n lines \x00 ü", i), LC: fmt.Sprint("kind", i%7),
		U8: uint8(i), U16: uint16(i), U32: uint32(i), U64: uint64(i), I64: -int64(i), F64: float64(i) / 3,
		At:  time.UnixMilli(1_700_000_000_123 + int64(i)).UTC(),
		Day: time.Date(2026, 1, 1+i%28, 0, 0, 0, 0, time.UTC),
		ID:  uuid.NewSHA1(uuid.NameSpaceOID, fmt.Append(nil, i)), List: []string{}, Labels: map[string]string{},
		Flag: i%2 == 0,
	}
	if i%3 == 0 {
		text, number := fmt.Sprint("some", i), uint32(i)
		r.Maybe, r.Number = &text, &number
		r.List, r.Labels = []string{"a", strconv.Itoa(i)}, map[string]string{"k": strconv.Itoa(i)}
	}
	return r
}

func TestBatchOfEveryType(t *testing.T) {
	t.Parallel()
	compressions := map[string]clickhousego.CompressionMethod{
		"none": clickhousego.CompressionNone, "gzip": clickhousego.CompressionGZIP,
		"lz4": clickhousego.CompressionLZ4, "zstd": clickhousego.CompressionZSTD,
	}
	for name, method := range compressions {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			conn := open(t, func(o *clickhousego.Options) {
				o.Compression = &clickhousego.Compression{Method: method, Level: 3}
			})
			require.NoError(t, conn.Exec(t.Context(), everyType))

			count := 100_000
			if name != "none" {
				count = 3_000
			}
			batch, err := conn.PrepareBatch(t.Context(), "INSERT INTO everything")
			require.NoError(t, err)
			for i := range count {
				r := numbered(i)
				require.NoError(t, batch.Append(r.values()...))
			}
			require.NoError(t, batch.Send())

			rows, err := conn.Query(t.Context(), "SELECT * FROM everything ORDER BY u64")
			require.NoError(t, err)
			seen := 0
			for ; rows.Next(); seen++ {
				var got row
				require.NoError(t, rows.Scan(got.pointers()...))
				require.Equal(t, numbered(seen), got)
			}
			require.NoError(t, rows.Err())
			require.Equal(t, count, seen)
		})
	}
}

func TestColumnsNamedAndOrdered(t *testing.T) {
	t.Parallel()
	conn := open(t)
	require.NoError(t, conn.Exec(t.Context(), "CREATE TABLE `values` (a UInt8, `format` String, c UInt8 DEFAULT 9) ENGINE = Memory"))

	batch, err := conn.PrepareBatch(t.Context(), "INSERT INTO `values` (`format`, a) VALUES")
	require.NoError(t, err)
	require.NoError(t, batch.Append("x", uint8(1)))
	require.NoError(t, batch.Send())

	var a, c uint8
	var format string
	require.NoError(t, conn.QueryRow(t.Context(), "SELECT a, format, c FROM `values`").Scan(&a, &format, &c))
	require.Equal(t, []any{uint8(1), "x", uint8(9)}, []any{a, format, c})
}

func TestBoundParameters(t *testing.T) {
	t.Parallel()
	conn := open(t)
	text := "it's \\ a\ttab, a\nline and \"quotes\""

	t.Run("Named", func(t *testing.T) {
		t.Parallel()
		var got string
		var n uint64
		require.NoError(t, conn.QueryRow(t.Context(), "SELECT {text:String}, {n:UInt64} + 1",
			clickhousego.Named("text", text), clickhousego.Named("n", "41")).Scan(&got, &n))
		require.Equal(t, text, got)
		require.Equal(t, uint64(42), n)
	})
	t.Run("Context", func(t *testing.T) {
		t.Parallel()
		ctx := clickhousego.Context(t.Context(), clickhousego.WithParameters(clickhousego.Parameters{
			"list": "['a','b']", "id": "61f0c404-5cb3-11e7-907b-a6006ad3dba0", "table": "one", "at": "2026-01-02 03:04:05.678",
		}))
		var list []string
		var id uuid.UUID
		var at time.Time
		require.NoError(t, conn.QueryRow(ctx,
			"SELECT {list:Array(String)}, {id:UUID}, {at:DateTime64(3, 'UTC')} FROM system.{table:Identifier}").Scan(&list, &id, &at))
		require.Equal(t, []string{"a", "b"}, list)
		require.Equal(t, "61f0c404-5cb3-11e7-907b-a6006ad3dba0", id.String())
		require.Equal(t, time.Date(2026, 1, 2, 3, 4, 5, 678e6, time.UTC), at)
	})
	t.Run("Positional", func(t *testing.T) {
		t.Parallel()
		var got string
		require.NoError(t, conn.QueryRow(t.Context(), "SELECT ?", text).Scan(&got))
		require.Equal(t, text, got)
	})
	t.Run("DoNotLeak", func(t *testing.T) {
		t.Parallel()
		err := conn.QueryRow(t.Context(), "SELECT {never:String}").Err()
		requireCode(t, err, 456)
	})
}

func TestExecInsertsInlineRows(t *testing.T) {
	t.Parallel()
	conn := open(t)
	require.NoError(t, conn.Exec(t.Context(), "CREATE TABLE t (id UInt32, s String) ENGINE = MergeTree ORDER BY id"))
	require.NoError(t, conn.Exec(t.Context(), "INSERT INTO t (id, s) VALUES (?, ?)", 1, "a;b"))
	require.NoError(t, conn.Exec(t.Context(), "INSERT INTO t SELECT number + 2, 'x' FROM numbers(3)"))

	// Far more than the engine reads of a statement.
	rows := make([]string, 40_000)
	for i := range rows {
		rows[i] = fmt.Sprintf("(%d, 'row; %d')", i+100, i)
	}
	require.NoError(t, conn.Exec(t.Context(), "INSERT INTO t VALUES "+strings.Join(rows, ", ")+";"))

	var count, last uint64
	require.NoError(t, conn.QueryRow(t.Context(), "SELECT count(), toUInt64(max(id)) FROM t").Scan(&count, &last))
	require.Equal(t, []uint64{40_004, 40_099}, []uint64{count, last})
}

func TestStandardInterface(t *testing.T) {
	t.Parallel()
	open(t)
	db := clickhousego.OpenDB(&clickhousego.Options{
		Addr: []string{shared}, Protocol: clickhousego.HTTP,
		Auth: clickhousego.Auth{Database: "test_teststandardinterface", Username: clickhouse.User, Password: password},
	})
	defer db.Close()
	_, err := db.ExecContext(t.Context(), "CREATE TABLE t (id Int64, applied Bool, at DateTime DEFAULT now()) ENGINE = MergeTree ORDER BY id")
	require.NoError(t, err)

	tx, err := db.BeginTx(t.Context(), nil)
	require.NoError(t, err)
	_, err = tx.ExecContext(t.Context(), "INSERT INTO t (id, applied) VALUES ($1, $2)", 20260101, true)
	require.NoError(t, err)
	require.NoError(t, tx.Commit())

	var id int64
	var applied bool
	require.NoError(t, db.QueryRowContext(t.Context(), "SELECT id, applied FROM t WHERE id = $1", 20260101).Scan(&id, &applied))
	require.True(t, applied)
	require.ErrorIs(t, db.QueryRowContext(t.Context(), "SELECT id FROM t WHERE id = 1").Scan(&id), sql.ErrNoRows)
}

func TestErrorsAreExceptions(t *testing.T) {
	t.Parallel()
	conn := open(t)
	require.NoError(t, conn.Exec(t.Context(), "CREATE TABLE t (id UInt32) ENGINE = MergeTree ORDER BY id"))

	for statement, code := range map[string]int32{
		"SELECT * FROM nothing": 60,
		"SELEC 1":               62,
		"SELECT 1; SELECT 2":    62,
		"SELECT nope FROM t":    47,
		"CREATE TABLE t (id UInt32) ENGINE = Memory": 57,
		"SELECT 1 SETTINGS no_such_setting = 1":      115,
		"SELECT throwIf(1)":                          395,
		"INSERT INTO t VALUES ('x')":                 6,
	} {
		t.Run(statement, func(t *testing.T) {
			t.Parallel()
			requireCode(t, conn.Exec(t.Context(), statement), code)
		})
	}
	_, err := conn.PrepareBatch(t.Context(), "INSERT INTO nothing")
	requireCode(t, err, 60)

	missing := connect(t, shared, "no_such_database")
	requireCode(t, missing.Ping(t.Context()), 81)
}

func TestSettingsAreEachRequestsOwn(t *testing.T) {
	t.Parallel()
	conn := open(t)
	ctx := clickhousego.Context(t.Context(), clickhousego.WithSettings(clickhousego.Settings{
		"max_block_size": 1234, "log_comment": "it's",
	}))
	var size uint64
	var comment string
	const ask = "SELECT toUInt64(getSetting('max_block_size')), getSetting('log_comment')"
	require.NoError(t, conn.QueryRow(ctx, ask).Scan(&size, &comment))
	require.Equal(t, uint64(1234), size)
	require.Equal(t, "it's", comment)

	// A session's own changes end with the request.
	require.NoError(t, conn.Exec(t.Context(), "SET max_block_size = 77"))
	require.NoError(t, conn.Exec(t.Context(), "USE system"))
	for range 20 {
		require.NoError(t, conn.QueryRow(t.Context(), ask).Scan(&size, &comment))
		require.Equal(t, uint64(65409), size)
		require.NotEqual(t, "it's", comment)
	}

	ctx = clickhousego.Context(t.Context(), clickhousego.WithSettings(clickhousego.Settings{"no_such_setting": 1}))
	requireCode(t, conn.QueryRow(ctx, "SELECT 1").Err(), 115)
}

func TestEmptyResults(t *testing.T) {
	t.Parallel()
	conn := open(t)
	rows, err := conn.Query(t.Context(), "SELECT number FROM numbers(5) WHERE number > 9")
	require.NoError(t, err)
	require.False(t, rows.Next())
	require.NoError(t, rows.Err())

	var n uint64
	require.Error(t, conn.QueryRow(t.Context(), "SELECT number FROM numbers(5) WHERE number > 9").Scan(&n))
}

func TestQueriesRunSideBySide(t *testing.T) {
	t.Parallel()
	conn := open(t, func(o *clickhousego.Options) { o.MaxOpenConns, o.MaxIdleConns = 40, 40 })
	require.NoError(t, conn.Exec(t.Context(), "CREATE TABLE t (who UInt32, n UInt32) ENGINE = MergeTree ORDER BY who"))

	var group sync.WaitGroup
	for who := range 40 {
		group.Go(func() {
			for n := range 5 {
				batch, err := conn.PrepareBatch(t.Context(), "INSERT INTO t")
				if err == nil {
					err = errors.Join(batch.Append(uint32(who), uint32(n)), batch.Send())
				}
				var count uint64
				if err == nil {
					err = conn.QueryRow(t.Context(), "SELECT count() FROM t WHERE who = {who:UInt32}",
						clickhousego.Named("who", strconv.Itoa(who))).Scan(&count)
				}
				if err != nil || count != uint64(n+1) {
					t.Errorf("writer %d, round %d: %d rows, %v", who, n, count, err)
				}
			}
		})
	}
	group.Wait()
}

func TestGivenUpQueriesEnd(t *testing.T) {
	t.Parallel()

	t.Run("that run", func(t *testing.T) {
		conn := open(t)
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		const queries = 5
		for range queries {
			go func() { ended <- conn.Exec(ctx, endless) }()
		}
		require.Eventually(t, func() bool { return running(t, conn) == queries }, time.Minute, 10*time.Millisecond)
		cancel()
		for range queries {
			require.ErrorIs(t, <-ended, context.Canceled)
		}
		require.Eventually(t, func() bool { return running(t, conn) == 0 }, time.Minute, 10*time.Millisecond)
	})

	t.Run("that the engine has not begun", func(t *testing.T) {
		conn := open(t)
		// The engine reads a long statement for some milliseconds before it begins it.
		long := endless + " AND number NOT IN (" + strings.Repeat("1, ", 80_000) + "1)"
		for n := range 20 {
			ctx, cancel := context.WithTimeout(t.Context(), time.Duration(2*n)*time.Millisecond)
			require.ErrorIs(t, conn.Exec(ctx, long), context.DeadlineExceeded)
			cancel()
		}
		require.Eventually(t, func() bool { return running(t, conn) == 0 }, time.Minute, 10*time.Millisecond)
	})
}

const endless = "SELECT count() FROM system.numbers WHERE NOT ignore('given up')"

// running returns how many of the endless queries run in the database of the connection.
func running(t *testing.T, conn driver.Conn) int {
	t.Helper()
	var count uint64
	require.NoError(t, conn.QueryRow(t.Context(), `SELECT count() FROM system.processes
		WHERE current_database = currentDatabase() AND startsWith(query, {query:String})`, clickhousego.Named("query", endless)).Scan(&count))
	return int(count)
}

func requireCode(t *testing.T, err error, code int32) {
	t.Helper()
	var exception *clickhousego.Exception
	require.ErrorAs(t, err, &exception)
	require.Equal(t, code, exception.Code, exception.Message)
}

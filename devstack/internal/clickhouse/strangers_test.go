package clickhouse_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	clickhousego "github.com/ClickHouse/clickhouse-go/v2"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/devstack/internal/clickhouse"
)

// asked sends a request to the shared server, with the password unless change removes it, and returns the response.
func asked(t *testing.T, method string, query url.Values, statement string, change func(*http.Request)) (status int, answer string) {
	t.Helper()
	var body io.Reader = http.NoBody
	if statement != "" {
		body = strings.NewReader(statement)
	}
	req, err := http.NewRequestWithContext(t.Context(), method, "http://"+shared+"/?"+query.Encode(), body)
	require.NoError(t, err)
	req.SetBasicAuth(clickhouse.User, password)
	if change != nil {
		change(req)
	}
	res, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	return res.StatusCode, string(text)
}

func TestStrangersAreRefused(t *testing.T) {
	t.Parallel()
	header := func(name, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(name, value) }
	}
	for name, change := range map[string]func(*http.Request){
		"no password":             func(r *http.Request) { r.Header.Del("Authorization") },
		"a wrong password":        func(r *http.Request) { r.SetBasicAuth(clickhouse.User, "guessed") },
		"another user":            func(r *http.Request) { r.SetBasicAuth("admin", password) },
		"a wrong key":             header("X-ClickHouse-Key", "guessed"),
		"DNS rebinding":           func(r *http.Request) { r.Host = "evil.example" + shared[strings.LastIndex(shared, ":"):] },
		"a page":                  header("Origin", "https://evil.example"),
		"a page of a file":        header("Origin", "null"),
		"a page on the machine":   header("Origin", "http://"+shared),
		"an image":                header("Sec-Fetch-Site", "cross-site"),
		"an image of a neighbour": header("Sec-Fetch-Site", "same-site"),
	} {
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			status, answer := asked(t, method, url.Values{"query": {"SELECT 1"}}, "", change)
			require.Equal(t, http.StatusForbidden, status, "%s %s: %s", method, name, answer)
		}
	}
	for _, change := range []func(*http.Request){
		nil,
		func(r *http.Request) { r.Header.Del("Authorization"); r.Header.Set("X-ClickHouse-Key", password) },
		func(r *http.Request) {
			r.Header.Del("Authorization")
			r.URL.RawQuery += "&" + url.Values{"user": {clickhouse.User}, "password": {password}}.Encode()
		},
		func(r *http.Request) { r.Host = "localhost:8124" },
	} {
		status, answer := asked(t, http.MethodGet, url.Values{"query": {"SELECT 1"}}, "", change)
		require.Equal(t, "200 1\n", fmt.Sprint(status, " ", answer))
	}
	// A page must not even learn that the server is there.
	status, _ := asked(t, http.MethodGet, nil, "", func(r *http.Request) { r.URL.Path = "/ping"; r.Header.Set("Origin", "https://evil.example") })
	require.Equal(t, http.StatusForbidden, status)
}

func TestGetOnlyReads(t *testing.T) {
	t.Parallel()
	const write = "CREATE TABLE default.by_get (x UInt8) ENGINE = Memory"
	for _, method := range []string{http.MethodGet, http.MethodHead} {
		for _, readOnly := range []string{"", "0", "1", "2", "false"} {
			query := url.Values{"query": {write}}
			if readOnly != "" {
				query.Set("readonly", readOnly)
			}
			status, answer := asked(t, method, query, "", nil)
			require.Equal(t, http.StatusInternalServerError, status, "%s with readonly=%s: %s", method, readOnly, answer)
			if method == http.MethodGet {
				require.Contains(t, answer, "READONLY")
			}
		}
	}
	for _, escape := range []string{write + " SETTINGS readonly = 0", "SET readonly = 0", "DROP DATABASE waft"} {
		_, answer := asked(t, http.MethodGet, url.Values{"query": {escape}}, "", nil)
		require.Contains(t, answer, "READONLY", escape)
	}
	for _, method := range []string{http.MethodPut, http.MethodDelete, http.MethodOptions} {
		status, _ := asked(t, method, url.Values{"query": {write}}, "", nil)
		require.Equal(t, http.StatusMethodNotAllowed, status, method)
	}
	// Neither the refusals nor the setting stay behind.
	for range 20 {
		status, answer := asked(t, http.MethodPost, nil, "SELECT count(), getSetting('readonly') FROM system.tables WHERE name = 'by_get'", nil)
		require.Equal(t, "200 0\t0\n", fmt.Sprint(status, " ", answer))
		status, answer = asked(t, http.MethodGet, url.Values{"query": {"SELECT getSetting('readonly')"}, "max_block_size": {"1234"}}, "", nil)
		require.Equal(t, "200 2\n", fmt.Sprint(status, " ", answer))
		status, answer = asked(t, http.MethodGet, url.Values{"query": {"SELECT getSetting('max_block_size'), currentDatabase()"}}, "", nil)
		require.Equal(t, "200 65409\tdefault\n", fmt.Sprint(status, " ", answer))
	}
}

// A client with the password reaches the tables of the data folder, but not another file, a
// program or another server.
func TestStatementsStayInTheFolder(t *testing.T) {
	t.Parallel()
	outside := t.TempDir()
	secret := filepath.Join(outside, "secret.csv")
	require.NoError(t, os.WriteFile(secret, []byte("hidden\n"), 0o600))
	var calls atomic.Int64
	server := httptest.NewUnstartedServer(http.NotFoundHandler())
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			calls.Add(1)
		}
	}
	server.Start()
	defer server.Close()
	place := strings.NewReplacer("OUT", outside, "SECRET", secret, "SERVER", server.URL, "PORT", server.Listener.Addr().String())
	status, answer := asked(t, http.MethodPost, nil, "CREATE TABLE default.kept (x String) ENGINE = MergeTree ORDER BY x", nil)
	require.Equal(t, http.StatusOK, status, answer)

	for _, statement := range []string{
		"INSERT INTO FUNCTION file('OUT/new.csv', 'CSV', 'x String') SELECT 'a'",
		"SELECT * FROM file('SECRET', 'LineAsString')",
		"SELECT file('SECRET')",
		"SELECT `file` /* a comment */ ('SECRET')",
		"SELECT `\\x66ile`('SECRET')",
		"SELECT \"f\\x69le\" -- a comment\n('SECRET')",
		"SELECT $a$'$a$, file('SECRET')",
		"SELECT FILE\u00a0('SECRET')",
		"SELECT 'a' INTO OUTFILE 'OUT/new.csv'",
		"SELECT 'a' into/**/outfile 'OUT/new.csv'",
		"INSERT INTO default.kept FROM INFILE 'SECRET' FORMAT LineAsString",
		"INSERT INTO default.kept SELECT * FROM file('SECRET', 'LineAsString')",
		"INSERT INTO default.kept VALUES (file('SECRET'))",
		"INSERT INTO default.kept VALUES (concat('a', file('SECRET')))",
		"INSERT INTO default.kept FORMAT values ('a'), (`\\x66ile`('SECRET'))",
		"INSERT INTO default.kept SETTINGS input_format_values_interpret_expressions = 1, input_format_values_deduce_templates_of_expressions = 1 VALUES (file('SECRET'))",
		"SELECT * FROM `SECRET`",
		"CREATE TABLE default.reached ENGINE = File(CSV, 'SECRET')",
		"CREATE TABLE default.reached (x String) ENGINE = EmbeddedRocksDB(0, 'OUT/rocks') PRIMARY KEY x",
		"CREATE TABLE default.reached (x String) ENGINE = FileLog('OUT', 'CSV')",
		"CREATE TABLE default.reached (x String) ENGINE = Executable('x.sh', 'CSV')",
		"CREATE TABLE default.reached (x String) ENGINE /**/ Executable('x.sh', 'CSV')",
		"CREATE TABLE default.reached (x String) ENGINE = `Executable`('x.sh', 'CSV')",
		"CREATE TABLE default.reached (x String) ENGINE = URL('SERVER', 'CSV')",
		"CREATE TABLE default.reached (x String) ENGINE = MergeTree ORDER BY x SETTINGS disk = disk(type = local, path = 'OUT/disk/')",
		"CREATE TABLE default.reached (x String) ENGINE = MergeTree ORDER BY x SETTINGS disk = disk(type = object_storage, object_storage_type = local, path = 'OUT/disk/')",
		"CREATE DATABASE reached ENGINE = Filesystem('OUT')",
		"CREATE DATABASE reached ENGINE = SQLite('OUT/new.db')",
		"CREATE DATABASE reached ENGINE = DataLakeCatalog('SERVER') SETTINGS catalog_type = 'rest', warehouse = 'a' SETTINGS allow_database_iceberg = 1",
		"CREATE DATABASE fine PARALLEL WITH CREATE DATABASE reached ENGINE = Filesystem('OUT')",
		"CREATE DICTIONARY default.reached (x String) PRIMARY KEY x SOURCE(EXECUTABLE(command 'touch OUT/new' format 'CSV')) LAYOUT(COMPLEX_KEY_DIRECT())",
		"CREATE DICTIONARY default.reached (x String) PRIMARY KEY x SOURCE(HTTP(url 'SERVER' format 'CSV')) LAYOUT(COMPLEX_KEY_DIRECT())",
		"SELECT * FROM url('SERVER', 'LineAsString')",
		"INSERT INTO FUNCTION url('SERVER', 'CSV', 'x String') SELECT 'a'",
		"SELECT * FROM s3('SERVER/bucket/key', 'LineAsString')",
		"SELECT * FROM remote('PORT', system.one)",
		"SELECT * FROM mysql('PORT', 'a', 'b', 'c', 'd')",
		"SELECT * FROM postgresql('PORT', 'a', 'b', 'c', 'd')",
		"SELECT * FROM sqlite('OUT/new.db', 'x')",
		"SELECT * FROM mongodb('PORT', 'a', 'b', 'c', 'd', 'x String')",
		"SELECT * FROM redis('PORT', 'x', 'x String')",
		"SELECT * FROM hdfs('hdfs://PORT/x', 'CSV', 'x String')",
		"SELECT * FROM azureBlobStorage('SERVER', 'a', 'b', 'c', 'ZA==', 'CSV')",
		"SELECT * FROM deltaLakeLocal('OUT')",
		"SELECT * FROM filesystem('OUT')",
		"SELECT * FROM iceberg('SERVER/bucket/key')",
		"SELECT * FROM arrowFlight('PORT', 'x')",
		"SELECT * FROM ytsaurus('SERVER', 'x', 'y', 'x String')",
		"SELECT * FROM jdbc('jdbc:sqlite:OUT/new.db', 'x', 'y')",
		"SELECT * FROM prometheusQuery('SERVER', 'x', now())",
		"SELECT * FROM executable('x.sh', 'CSV', 'x String')",
		"SELECT * FROM icebergLocal('OUT')",
		"SELECT 1 FORMAT Template SETTINGS format_template_resultset = 'SECRET'",
		"SELECT 1 FORMAT Protobuf SETTINGS format_schema = 'SECRET:x'",
		"BACKUP TABLE default.kept TO File('OUT/backup')",
		"ATTACH TABLE default.reached FROM 'OUT' (x String) ENGINE = MergeTree ORDER BY x",
		"SYSTEM SHUTDOWN",
		"CREATE USER stranger",
		"GRANT FILE ON *.* TO default",
	} {
		statement = place.Replace(statement)
		status, answer := asked(t, http.MethodPost, nil, statement, nil)
		require.NotEqual(t, http.StatusOK, status, "%s: %s", statement, answer)
		require.NotContains(t, answer, "hidden", statement)
	}
	status, answer = asked(t, http.MethodPost, url.Values{"format_template_resultset": {secret}}, "SELECT 1 FORMAT Template", nil)
	require.Equal(t, http.StatusInternalServerError, status, answer)

	left, err := os.ReadDir(outside)
	require.NoError(t, err)
	require.Len(t, left, 1, "only the secret")
	require.Zero(t, calls.Load(), "the engine connects to no other server")
	_, answer = asked(t, http.MethodPost, nil, "SELECT count() FROM default.kept", nil)
	require.Equal(t, "0\n", answer)
}

// Rows are not statements: any text in them is stored.
func TestRowsMaySayAnything(t *testing.T) {
	t.Parallel()
	conn := open(t)
	require.NoError(t, conn.Exec(t.Context(), "CREATE TABLE t (s String) ENGINE = MergeTree ORDER BY s"))
	texts := []string{"INTO OUTFILE 'x'", "cannot open file('x')", `a \"b" (c)`}
	for _, text := range texts {
		require.NoError(t, conn.Exec(t.Context(), "INSERT INTO t VALUES (?)", text))
	}
	batch, err := conn.PrepareBatch(t.Context(), "INSERT INTO t")
	require.NoError(t, err)
	for _, text := range texts {
		require.NoError(t, batch.Append(text))
	}
	require.NoError(t, batch.Send())
	for _, text := range texts {
		var count uint64
		require.NoError(t, conn.QueryRow(t.Context(), "SELECT count() FROM t WHERE s = {text:String}", clickhousego.Named("text", text)).Scan(&count))
		require.Equal(t, uint64(2), count, text)
	}
}

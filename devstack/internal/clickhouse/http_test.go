package clickhouse_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPlainHTTP(t *testing.T) {
	t.Parallel()
	db := "plain_http"
	ask := func(query, body string, headers ...string) (int, string, http.Header) {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+shared+"/"+query, strings.NewReader(body))
		require.NoError(t, err)
		req.SetBasicAuth("default", password)
		for i := 0; i < len(headers); i += 2 {
			req.Header.Set(headers[i], headers[i+1])
		}
		res, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		defer res.Body.Close()
		answer, err := io.ReadAll(res.Body)
		require.NoError(t, err)
		return res.StatusCode, string(answer), res.Header
	}
	ok := func(want, query, body string, headers ...string) {
		t.Helper()
		status, answer, _ := ask(query, body, headers...)
		require.Equal(t, 200, status, answer)
		require.Equal(t, want, answer)
	}
	in := func(query string) string {
		return "?" + url.Values{"database": {db}, "query": {query}}.Encode()
	}

	ok("", "", "CREATE DATABASE "+db)
	ok("", in("CREATE TABLE t (id UInt32, s String) ENGINE = MergeTree ORDER BY id"), "")
	ok("1\n", "?query=SELECT+1", "")
	ok("Ok.\n", "ping", "")
	ok("1\ta\\tb\n", "", "SELECT 1, 'a\tb'", "X-ClickHouse-User", "default", "X-ClickHouse-Key", password)
	ok("{\"a\":1}\n", "?default_format=JSONEachRow", "SELECT 1 AS a")
	ok("1\n", "?default_format=JSON", "SELECT 1 FORMAT CSV -- a comment; with a semicolon")
	ok("2\n", in("SELECT 1 +"), "1;")
	ok("", in("INSERT INTO t FORMAT CSV"), "1,a\n2,\"b,c\"\n")
	ok("", in("INSERT INTO t (id, s) VALUES"), "(3, 'd'), (4, concat('e', 'f'))")
	ok("", "?database="+db, "INSERT INTO t FORMAT JSONEachRow\n{\"id\": 5, \"s\": \"g\"}\n{\"id\": 6}")
	ok("1\ta\n2\tb,c\n3\td\n4\tef\n5\tg\n6\t\n", "", "SELECT * FROM t ORDER BY id", "X-ClickHouse-Database", db)
	ok("5\n", "?param_id=5&database="+db, "SELECT id FROM t WHERE id = {id:UInt32}")

	var zipped bytes.Buffer
	writer := gzip.NewWriter(&zipped)
	_, err := io.WriteString(writer, "7\tzipped\n")
	require.NoError(t, err)
	require.NoError(t, writer.Close())
	ok("", in("INSERT INTO t FORMAT TabSeparated"), zipped.String(), "Content-Encoding", "gzip")
	ok("zipped\n", in("SELECT s FROM t WHERE id = 7"), "")

	status, answer, header := ask(in("SELECT * FROM nothing"), "")
	require.Equal(t, 404, status)
	require.Equal(t, "60", header.Get("X-ClickHouse-Exception-Code"))
	require.Contains(t, answer, "UNKNOWN_TABLE")

	status, answer, _ = ask("?query=SELECT+1", "x", "Content-Encoding", "snappy")
	require.Equal(t, 500, status)
	require.Contains(t, answer, "snappy")
}

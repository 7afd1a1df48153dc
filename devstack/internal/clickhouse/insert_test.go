package clickhouse

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParseInsert(t *testing.T) {
	t.Parallel()
	for sql, want := range map[string]string{
		"INSERT INTO t FORMAT Native":                                                  "INSERT INTO t|Native|",
		"insert into table `a.b`.`c d` (x, `y)`) format CSV\n1,2":                      "insert into table `a.b`.`c d` (x, `y)`)|CSV|1,2",
		"INSERT INTO db.values (a) VALUES (1), ('FORMAT x')":                           "INSERT INTO db.values (a)|Values| (1), ('FORMAT x')",
		"/* FORMAT */ INSERT INTO t -- VALUES\n SETTINGS a='FORMAT', b=1 FORMAT TSV 1": "/* FORMAT */ INSERT INTO t|TSV|1",
		"INSERT INTO format VALUES(1)":                                                 "INSERT INTO format|Values|(1)",
		"INSERT INTO t (* EXCEPT(b)) FORMAT Native":                                    "INSERT INTO t (* EXCEPT(b))|Native|",
	} {
		in, ok := parseInsert(sql)
		require.True(t, ok, sql)
		require.Equal(t, want, strings.Join([]string{in.target, in.format, in.inline(sql)}, "|"))
	}

	for _, sql := range []string{
		"", "INSERT", "INSERT INTO t SELECT 1 FORMAT Native", "INSERT INTO t (a) SELECT 'VALUES'",
		"INSERT INTO t FROM INFILE 'x' FORMAT CSV", "INSERT INTO FUNCTION file('x') VALUES (1)",
		"SELECT 1 FORMAT JSON", "INSERT INTO t (SELECT 1)", "INSERT INTO t WITH 1 AS x SELECT x", "INSERT INTO t FORMAT",
	} {
		_, ok := parseInsert(sql)
		require.False(t, ok, sql)
	}
}

func TestInsertKeepsItsSettings(t *testing.T) {
	t.Parallel()
	in, ok := parseInsert("INSERT INTO t (a) SETTINGS async_insert = 1, insert_deduplication_token = 'x' VALUES")
	require.True(t, ok)
	require.Equal(t,
		`INSERT INTO t (a) FROM INFILE '/it\'s' COMPRESSION 'none' SETTINGS async_insert = 1, insert_deduplication_token = 'x'  FORMAT Values`,
		in.from("/it's"))
}

func TestSeveralStatements(t *testing.T) {
	t.Parallel()
	for sql, want := range map[string]bool{
		"SELECT 1": false, "SELECT 1;": false, "SELECT 1; -- done": false, "SELECT ';'; ;": false,
		"SELECT 1; SELECT 2": true, "SELECT 1; /* x */ SELECT 2": true,
	} {
		require.Equal(t, want, severalStatements(sql), sql)
	}
}

func TestMarksSession(t *testing.T) {
	t.Parallel()
	for sql, want := range map[string]bool{
		"SET a = 1": true, "use x": true, "CREATE TEMPORARY TABLE t (a Int8)": true,
		"CREATE OR REPLACE TEMPORARY TABLE t (a Int8)": true, "CREATE TABLE t (a Int8)": false, "SELECT 1": false,
	} {
		require.Equal(t, want, changesSession(sql), sql)
	}
}

// The scanner must come to an end and stay within the statement, whatever it
// is given.
func FuzzParseInsert(f *testing.F) {
	f.Add("INSERT INTO t (a, `b`) SETTINGS x = 'y' FORMAT CSV\n1")
	f.Add("INSERT INTO t VALUES (1, 'it''s \\'')")
	f.Add("/* -- # '\"`")
	f.Fuzz(func(t *testing.T, sql string) {
		if in, ok := parseInsert(sql); ok {
			require.True(t, strings.HasPrefix(sql, in.target))
			require.True(t, strings.HasSuffix(sql, in.inline(sql)))
		}
		severalStatements(sql)
		changesSession(sql)
	})
}

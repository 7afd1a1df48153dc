package enginetest

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// prepared holds the databases that PreparedClickHouse created in this process.
var prepared struct {
	sync.Mutex
	// free holds the databases that no test uses at the moment.
	free []preparedDatabase
}

type preparedDatabase struct {
	server, name string
	filled       []string // tables into which prepare wrote rows
}

// PreparedClickHouse returns the URL of a database with the tables that prepare created and the rows that prepare
// wrote. When the test ends, all other rows are deleted and another test can use the database, because creating the
// tables takes half a second. A test must therefore not change tables or the rows that prepare wrote.
//
// A process must always pass the same prepare, and must call DropPrepared at its end.
func PreparedClickHouse(t testing.TB, prepare func(clickHouseURL string) error) string {
	t.Helper()
	database, found := takePrepared()
	if !found {
		server, name := address(t, "CLICKHOUSE_URL"), databaseName()
		execClickHouse(t, server, `CREATE DATABASE `+name)
		require.NoError(t, prepare(withDatabase(t, server, name)))
		database = preparedDatabase{server, name, filledTables(t, server, name)}
	}
	t.Cleanup(func() {
		for _, table := range filledTables(t, database.server, database.name) {
			if !slices.Contains(database.filled, table) {
				execClickHouse(t, database.server, `TRUNCATE TABLE `+database.name+`.`+table)
			}
		}
		prepared.Lock()
		defer prepared.Unlock()
		prepared.free = append(prepared.free, database)
	})
	return withDatabase(t, database.server, database.name)
}

func takePrepared() (database preparedDatabase, found bool) {
	prepared.Lock()
	defer prepared.Unlock()
	last := len(prepared.free) - 1
	if last < 0 {
		return preparedDatabase{}, false
	}
	database, prepared.free = prepared.free[last], prepared.free[:last]
	return database, true
}

// DropPrepared drops the databases that PreparedClickHouse created and that tests no longer use.
func DropPrepared() error {
	for {
		database, found := takePrepared()
		if !found {
			return nil
		}
		if _, err := askClickHouse(database.server, `DROP DATABASE IF EXISTS `+database.name); err != nil {
			return err
		}
	}
}

// filledTables returns the tables of a database that have rows.
func filledTables(t testing.TB, server, name string) []string {
	t.Helper()
	text, err := askClickHouse(server, `SELECT name FROM system.tables WHERE database = '`+name+`' AND total_rows > 0`)
	require.NoError(t, err)
	return strings.Fields(text)
}

func execClickHouse(t testing.TB, server, statement string) {
	t.Helper()
	_, err := askClickHouse(server, statement)
	require.NoError(t, err)
}

// askClickHouse runs one statement and returns its rows, tab-separated.
func askClickHouse(server, statement string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), setupTimeout)
	defer cancel()
	u, err := url.Parse(server)
	if err != nil {
		return "", err
	}
	u.Path = "/"
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, u.String(), strings.NewReader(statement))
	if err != nil {
		return "", err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", fmt.Errorf("ClickHouse at CLICKHOUSE_URL is not reachable: %w", err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		return "", fmt.Errorf("read the response of ClickHouse to %q: %w", statement, err)
	}
	if res.StatusCode != http.StatusOK {
		return "", fmt.Errorf("ClickHouse refused %q: %s %s", statement, res.Status, text)
	}
	return string(text), nil
}

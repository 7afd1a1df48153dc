package enginetest

import (
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMain(m *testing.M) {
	code := m.Run()
	if err := DropPrepared(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(code)
}

func TestADatabaseIsHandedOnAsItWasAtFirst(t *testing.T) {
	t.Parallel()
	server := address(t, "CLICKHOUSE_URL")
	use := func(t *testing.T) string {
		t.Helper()
		return PreparedClickHouse(t, func(clickHouseURL string) error {
			name := clickHouseURL[len(withDatabase(t, server, "")):]
			execClickHouse(t, server, `CREATE TABLE `+name+`.versions (id Int64) ENGINE = MergeTree ORDER BY id`)
			execClickHouse(t, server, `CREATE TABLE `+name+`.things (id Int64) ENGINE = MergeTree ORDER BY id`)
			execClickHouse(t, server, `INSERT INTO `+name+`.versions VALUES (1)`)
			return nil
		})
	}
	var first string
	t.Run("rows are written", func(t *testing.T) {
		first = use(t)
		execClickHouse(t, server, `INSERT INTO `+first[len(withDatabase(t, server, "")):]+`.things VALUES (1), (2)`)
	})
	t.Run("they are gone", func(t *testing.T) {
		url := use(t)
		require.Equal(t, first, url)
		require.Equal(t, []string{"versions"}, filledTables(t, server, url[len(withDatabase(t, server, "")):]))
	})
}

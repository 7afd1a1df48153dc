package config

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAMigrationNeedsNoKey(t *testing.T) {
	t.Parallel()
	vars := valid()
	for _, name := range []string{"WAFT_ROOT_KEY", "WAFT_SECRET_KEY", "WAFT_ASSET_BUCKET_URL", "WAFT_DATA_DIR"} {
		delete(vars, name)
	}
	c, err := MigrationFromMap(vars)
	require.NoError(t, err)
	require.Equal(t, vars["DATABASE_URL"], c.DatabaseURL)
	_, err = FromMap(vars)
	require.ErrorContains(t, err, "WAFT_SECRET_KEY is required")

	_, err = MigrationFromMap(map[string]string{"WAFT_LOG_LEVEL": "loud"})
	for _, name := range []string{"DATABASE_URL is required", "CLICKHOUSE_URL is required", "TEMPORAL_ADDRESS is required", "WAFT_LOG_LEVEL"} {
		require.ErrorContains(t, err, name)
	}
}

package config

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A restore looks into Temporal, and a backup does not.
func TestOnlyARestoreNeedsTemporal(t *testing.T) {
	t.Parallel()
	vars := valid()
	for _, name := range []string{"WAFT_ROOT_KEY", "WAFT_DATA_DIR"} {
		delete(vars, name)
	}
	_, err := RestoreFromMap(vars)
	require.NoError(t, err)
	delete(vars, "TEMPORAL_ADDRESS")
	_, err = BackupFromMap(vars)
	require.NoError(t, err)
	_, err = RestoreFromMap(vars)
	require.ErrorContains(t, err, "TEMPORAL_ADDRESS is required")
	delete(vars, "WAFT_SECRET_KEY")
	_, err = RestoreFromMap(vars)
	require.ErrorContains(t, err, "WAFT_SECRET_KEY is required")
}

package config

import (
	"os"
	"slices"

	"github.com/caarlos0/env/v11"
)

// needsOfBackup are the variables that are required to back up. A restore requires TEMPORAL_ADDRESS, too.
var needsOfBackup = []string{"DATABASE_URL", "CLICKHOUSE_URL", "WAFT_SECRET_KEY", "WAFT_ASSET_BUCKET_URL"}

// BackupFromEnv returns the settings of `waftd backup` in the environment. The error names every invalid variable.
func BackupFromEnv() (Config, error) { return BackupFromMap(env.ToMap(os.Environ())) }

// BackupFromMap returns the settings of `waftd backup` in the given variables. The error names every invalid variable.
func BackupFromMap(vars map[string]string) (Config, error) {
	return read(vars, func(v Variable) bool { return slices.Contains(needsOfBackup, v.Name) })
}

// RestoreFromEnv returns the settings of `waftd restore` in the environment. The error names every invalid variable.
func RestoreFromEnv() (Config, error) { return RestoreFromMap(env.ToMap(os.Environ())) }

// RestoreFromMap returns the settings of `waftd restore` in the given variables. The error names every invalid variable.
func RestoreFromMap(vars map[string]string) (Config, error) {
	return read(vars, func(v Variable) bool { return v.Name == "TEMPORAL_ADDRESS" || slices.Contains(needsOfBackup, v.Name) })
}

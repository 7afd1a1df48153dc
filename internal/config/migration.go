package config

import (
	"os"
	"slices"

	"github.com/caarlos0/env/v11"
)

// needsOfMigration are the variables without which the databases cannot be migrated.
var needsOfMigration = []string{"DATABASE_URL", "CLICKHOUSE_URL", "TEMPORAL_ADDRESS"}

// MigrationFromEnv reads the environment of `waftd migrate`, which needs no key, no bucket and
// no folder.
func MigrationFromEnv() (Config, error) { return MigrationFromMap(env.ToMap(os.Environ())) }

// MigrationFromMap reads the given variables for `waftd migrate`. The error names every bad one.
func MigrationFromMap(vars map[string]string) (Config, error) {
	return read(vars, func(v Variable) bool { return slices.Contains(needsOfMigration, v.Name) })
}

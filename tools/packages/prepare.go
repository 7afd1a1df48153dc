package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// prepared is the folder of the files that prepare writes. .goreleaser.yaml names them.
const prepared = "build/package-files"

// prepare writes the completions of the CLI, the newest migrations of both databases, and the script that compares these with the
// migrations of the installed version.
func prepare(ctx context.Context, root string) error {
	folder := filepath.Join(root, prepared)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	write := func(name string, content []byte, mode fs.FileMode) error {
		return os.WriteFile(filepath.Join(folder, name), content, mode)
	}
	for _, shell := range []string{"bash", "zsh", "fish"} {
		cmd := exec.CommandContext(ctx, "go", "run", "./cmd/waft", "completion", shell)
		cmd.Dir, cmd.Stderr = root, os.Stderr
		script, err := cmd.Output()
		if err != nil {
			return fmt.Errorf("%s: %w", cmd, err)
		}
		if err := write("waft."+shell, script, 0o644); err != nil {
			return err
		}
	}
	postgres, err := newestMigration(os.DirFS(filepath.Join(root, "internal/store/pg/migrations")))
	if err != nil {
		return fmt.Errorf("the migrations of Postgres: %w", err)
	}
	clickHouse, err := newestMigration(os.DirFS(filepath.Join(root, "telemetry/schema")))
	if err != nil {
		return fmt.Errorf("the migrations of ClickHouse: %w", err)
	}
	if err := write("schema", fmt.Appendln(nil, postgres, clickHouse), 0o644); err != nil {
		return err
	}
	preinst, err := os.ReadFile(filepath.Join(root, "deploy/debian/preinst"))
	if err != nil {
		return err
	}
	numbers := strings.NewReplacer("@POSTGRES@", strconv.Itoa(postgres), "@CLICKHOUSE@", strconv.Itoa(clickHouse))
	return write("preinst", []byte(numbers.Replace(string(preinst))), 0o755)
}

var migration = regexp.MustCompile(`^(\d+)_\w+\.sql$`)

// newestMigration returns the highest number at the beginning of a migration's name in the folder.
func newestMigration(folder fs.FS) (newest int, err error) {
	entries, err := fs.ReadDir(folder, ".")
	if err != nil {
		return 0, err
	}
	for _, entry := range entries {
		found := migration.FindStringSubmatch(entry.Name())
		if found == nil {
			continue
		}
		n, err := strconv.Atoi(found[1])
		if err != nil {
			return 0, err
		}
		newest = max(newest, n)
	}
	if newest == 0 {
		return 0, fs.ErrNotExist
	}
	return newest, nil
}

package postgres

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/waft-ota/waft/devstack/internal/modules"
)

// binaries returns the folder with bin, lib and share, complete.
func binaries() (string, error) {
	pkg, err := modules.Find("Postgres")
	if err != nil {
		return "", err
	}
	if err := link(pkg); err != nil {
		return "", fmt.Errorf("prepare Postgres's libraries in %s: %w", pkg, err)
	}
	return filepath.Join(pkg, "native"), nil
}

// link creates the symbolic links that the package lists. A package cannot
// carry links; its own install script would make them, but npm may be told
// not to run those.
func link(pkg string) error {
	data, err := os.ReadFile(filepath.Join(pkg, "native", "pg-symlinks.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var links []struct{ Source, Target string }
	if err := json.Unmarshal(data, &links); err != nil {
		return err
	}

	for _, l := range links {
		target := filepath.Join(pkg, filepath.FromSlash(l.Target))
		if _, err := os.Lstat(target); err == nil {
			continue
		}
		to, err := filepath.Rel(filepath.Dir(l.Target), l.Source)
		if err != nil {
			return err
		}
		// Another devstack may be doing the same right now.
		if err := os.Symlink(to, target); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	return nil
}

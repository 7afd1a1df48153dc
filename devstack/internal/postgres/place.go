package postgres

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/waft-ota/waft/devstack/internal/process"
)

// shelter holds what a Postgres under another user needs and cannot reach in
// the caller's folders.
const shelter = "/var/tmp"

// place is where Postgres's files are and whom it runs as.
type place struct {
	native   string
	data     string
	identity *process.Identity
}

// locate decides the place for the stack in dir.
func locate(ctx context.Context, dir string) (place, error) {
	native, err := binaries()
	if err != nil {
		return place{}, err
	}
	id, err := identity(ctx, native)
	if err != nil {
		return place{}, err
	}
	p := place{native: native, data: filepath.Join(dir, "postgres"), identity: id}
	if id == nil || id.Namespace {
		return p, nil
	}
	return p.sheltered(dir)
}

// sheltered moves the place to where a user other than the caller can reach
// it: without a namespace, files below the caller's home are closed to it.
func (p place) sheltered(dir string) (place, error) {
	p.data = filepath.Join(shelterOf(dir), "postgres")
	if err := ownedFolder(filepath.Dir(p.data)); err != nil {
		return place{}, err
	}
	if err := os.MkdirAll(p.data, 0o700); err != nil {
		return place{}, err
	}
	if err := os.Chown(p.data, p.identity.UID, p.identity.GID); err != nil {
		return place{}, err
	}

	if reachable(filepath.Join(p.native, "bin", "postgres")) {
		return p, nil
	}
	home := filepath.Join(shelter, "waft-postgres-"+digest(p.native))
	if err := ownedFolder(home); err != nil {
		return place{}, err
	}
	copied := filepath.Join(home, "native")
	if _, err := os.Stat(copied); err != nil {
		tmp, err := os.MkdirTemp(home, "copy-")
		if err != nil {
			return place{}, err
		}
		defer func() { _ = os.RemoveAll(tmp) }()
		if err := copyTree(p.native, tmp); err != nil {
			return place{}, fmt.Errorf("copy Postgres to %s: %w", home, err)
		}
		// Another devstack may have been faster; its copy is as good.
		if err := os.Rename(tmp, copied); err != nil && !isDir(copied) {
			return place{}, err
		}
	}
	p.native = copied
	return p, nil
}

// shelterOf returns the folder for the sheltered data of the stack in dir.
func shelterOf(dir string) string {
	return filepath.Join(shelter, "waft-data-"+digest(dir))
}

func digest(path string) string {
	return fmt.Sprintf("%x", sha256.Sum256([]byte(path)))[:12]
}

// ownedFolder makes a folder that others may pass through and only the caller
// may write to. One that somebody else put there first is not trusted.
func ownedFolder(path string) error {
	if err := os.Mkdir(path, 0o755); err == nil {
		return os.Chmod(path, 0o755)
	}
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	if !info.IsDir() || !ownedByCaller(info) || info.Mode().Perm()&0o022 != 0 {
		return fmt.Errorf("%s belongs to somebody else: remove it", path)
	}
	return nil
}

// reachable says whether any user may run the program.
func reachable(program string) bool {
	info, err := os.Stat(program)
	if err != nil || info.Mode().Perm()&0o005 != 0o005 {
		return false
	}
	for dir := filepath.Dir(program); ; dir = filepath.Dir(dir) {
		info, err := os.Stat(dir)
		if err != nil || info.Mode().Perm()&0o001 == 0 {
			return false
		}
		if filepath.Dir(dir) == dir {
			return true
		}
	}
}

func copyTree(from, to string) error {
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		return err
	}
	return filepath.WalkDir(to, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.Type()&fs.ModeSymlink != 0 {
			return err
		}
		mode := fs.FileMode(0o755)
		if info, err := entry.Info(); err == nil && !entry.IsDir() && info.Mode().Perm()&0o100 == 0 {
			mode = 0o644
		}
		return os.Chmod(path, mode)
	})
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

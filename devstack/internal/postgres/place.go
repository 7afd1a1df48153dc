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

// publicFolder holds the files of a Postgres that runs as another user, which cannot
// reach the caller's folders.
const publicFolder = "/var/tmp"

// place is where Postgres's files are and the user that it runs as.
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
	return p.public(dir)
}

// public moves the place to where a user other than the caller can reach it: without
// a user namespace, that user cannot read files below the caller's home.
func (p place) public(dir string) (place, error) {
	p.data = filepath.Join(publicFolderOf(dir), "postgres")
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
	home := filepath.Join(publicFolder, "waft-postgres-"+digest(p.native))
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
		// Another devstack may have made the same copy meanwhile.
		if err := os.Rename(tmp, copied); err != nil && !isDir(copied) {
			return place{}, err
		}
	}
	p.native = copied
	return p, nil
}

// publicFolderOf returns the folder for the public data of the stack in dir.
func publicFolderOf(dir string) string {
	return filepath.Join(publicFolder, "waft-data-"+digest(dir))
}

func digest(path string) string {
	return fmt.Sprintf("%x", sha256.Sum256([]byte(path)))[:12]
}

// ownedFolder makes a folder that others may enter and only the caller may write to. It
// refuses one that another user owns.
func ownedFolder(path string) error {
	if err := os.Mkdir(path, 0o755); err == nil {
		return os.Chmod(path, 0o755)
	}
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	if !info.IsDir() || !ownedByCaller(info) || info.Mode().Perm()&0o022 != 0 {
		return fmt.Errorf("%s belongs to another user: remove it", path)
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

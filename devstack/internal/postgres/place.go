package postgres

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"

	"github.com/waft-ota/waft/devstack/internal/modules"
	"github.com/waft-ota/waft/devstack/internal/process"
)

// publicFolder is for the files of a Postgres that runs as another user, which cannot
// read the caller's folders.
const publicFolder = "/var/tmp"

// place has the folders of Postgres's files and the user that Postgres runs as.
type place struct {
	native   string
	data     string
	identity *process.Identity
}

func locate(ctx context.Context, dir string) (place, error) {
	pkg, err := modules.Find("Postgres")
	if err != nil {
		return place{}, err
	}
	if err := link(pkg); err != nil {
		return place{}, fmt.Errorf("prepare Postgres's libraries in %s: %w", pkg, err)
	}
	native := filepath.Join(pkg, "native")
	id, err := identity(ctx, native)
	if err != nil {
		return place{}, err
	}
	if id == nil || id.Namespace {
		return place{native, filepath.Join(dir, "postgres"), id}, nil
	}
	return publicPlace(ctx, dir, native, id)
}

// Prepared completes the installed package, which an image then has for a user who may not write to it.
func Prepared() error {
	pkg, err := modules.Find("Postgres")
	if err != nil {
		return err
	}
	return link(pkg)
}

// link creates the symbolic links that the package lists. npm packages cannot contain
// links, and npm may be configured not to run the package's script that makes them.
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
		to, err := filepath.Rel(filepath.Dir(l.Target), l.Source)
		if err != nil {
			return err
		}
		err = os.Symlink(to, filepath.Join(pkg, filepath.FromSlash(l.Target)))
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	return nil
}

// publicPlace returns the place for a user who, without a user namespace, cannot read files
// below the caller's home: a data folder and a copy of the binaries in publicFolder.
func publicPlace(ctx context.Context, dir, native string, id *process.Identity) (place, error) {
	home := filepath.Join(publicFolder, "waft-postgres-"+digest(native))
	p := place{filepath.Join(home, "native"), filepath.Join(publicFolderOf(dir), "postgres"), id}
	if err := errors.Join(ownedFolder(home), ownedFolder(publicFolderOf(dir))); err != nil {
		return place{}, err
	}
	if err := errors.Join(os.MkdirAll(p.data, 0o700), os.Chown(p.data, id.UID, id.GID)); err != nil {
		return place{}, err
	}
	if _, err := os.Stat(p.native); err == nil {
		return p, nil
	}
	tmp, err := os.MkdirTemp(home, "copy-")
	if err != nil {
		return place{}, err
	}
	defer func() { _ = os.RemoveAll(tmp) }()
	if err := os.CopyFS(tmp, os.DirFS(native)); err != nil {
		return place{}, fmt.Errorf("copy Postgres to %s: %w", home, err)
	}
	// The copy has modes by the caller's umask.
	if err := exec.CommandContext(ctx, "chmod", "-R", "a+rX", tmp).Run(); err != nil {
		return place{}, fmt.Errorf("make %s readable: %w", tmp, err)
	}
	// Another devstack may have created the same copy at the same time.
	if err := os.Rename(tmp, p.native); err != nil && !errors.Is(err, fs.ErrExist) {
		return place{}, err
	}
	return p, nil
}

func publicFolderOf(dir string) string {
	return filepath.Join(publicFolder, "waft-data-"+digest(dir))
}

func digest(path string) string {
	return fmt.Sprintf("%x", sha256.Sum256([]byte(path)))[:12]
}

// ownedFolder makes a folder that others may enter and only the caller may write to. An
// existing folder of another user is an error.
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

func ownedByCaller(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}

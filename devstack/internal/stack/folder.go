package stack

import (
	"os"
	"path/filepath"
	"syscall"

	"github.com/waft-ota/waft/devstack/internal/postgres"
)

// execPrefix begins the names of exec's folders.
const execPrefix = "waft-exec-"

// claimFolder makes a fresh temporary folder, marked as in use until release
// or until this process ends. Folders whose owner was killed are removed.
func claimFolder(config *Config) (release func(), err error) {
	// Remove leftovers first: in memory they take the space that this one needs.
	for _, scratch := range []string{memory, os.TempDir()} {
		sweepFolders(scratch)
	}
	dir, err := os.MkdirTemp(config.scratch(), execPrefix)
	if err != nil {
		return nil, err
	}
	// The mark is locked before it gets its name, so that no sweep finds it unlocked.
	mark := filepath.Join(dir, "owner")
	owner, err := lockFile(mark+".new", syscall.LOCK_EX)
	if err != nil {
		return nil, err
	}
	if err := os.Rename(mark+".new", mark); err != nil {
		owner.Close()
		return nil, err
	}
	config.Dir = dir
	return func() { owner.Close() }, nil
}

// sweepFolders removes the folders in scratch whose owner has ended. A folder that
// cannot be removed stays until the next sweep.
func sweepFolders(scratch string) {
	marks, err := filepath.Glob(filepath.Join(scratch, execPrefix+"*", "owner"))
	if err != nil {
		return
	}
	for _, mark := range marks {
		owner, err := lockFile(mark, syscall.LOCK_EX|syscall.LOCK_NB)
		if err != nil {
			continue
		}
		dir := filepath.Dir(mark)
		if postgres.Evict(dir) == nil && postgres.Remove(dir) == nil {
			_ = os.RemoveAll(dir)
		}
		owner.Close()
	}
}

// lockFile opens the file and locks it until it is closed.
func lockFile(path string, how int) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(file.Fd()), how); err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

package stack

import (
	"os"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/waft-ota/waft/devstack/internal/postgres"
)

const (
	// execPrefix begins the names of exec's folders.
	execPrefix = "waft-exec-"
	// memory is the folder whose files Linux keeps in memory.
	memory = "/dev/shm"
	// memoryNeeded is the space in bytes that must be free there. The whole test suite writes less
	// than a fifth of it.
	memoryNeeded = 8 << 30
)

// privateFolder makes a folder, or an existing one, accessible to the caller only: it has
// keys, passwords and logs.
func privateFolder(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	return os.Chmod(dir, 0o700)
}

// scratch returns where exec's folders are made: in memory, because tests create and drop
// thousands of files, which takes some disks a millisecond each. It is the temporary folder
// when there is too little memory, when the data must be durable, or when TMPDIR is set.
func (c Config) scratch() string {
	if c.Durable || os.Getenv("TMPDIR") != "" {
		return os.TempDir()
	}
	var free unix.Statfs_t
	if unix.Access(memory, unix.W_OK) == nil && unix.Statfs(memory, &free) == nil &&
		free.Bavail*uint64(free.Bsize) >= memoryNeeded {
		return memory
	}
	return os.TempDir()
}

// claimFolder makes a temporary folder, marked as in use until release or until this
// process ends. It removes the folders of ended processes.
func claimFolder(config *Config) (release func(), err error) {
	// Leftovers in memory take the space that this folder needs.
	for _, scratch := range []string{memory, os.TempDir()} {
		sweepFolders(scratch)
	}
	dir, err := os.MkdirTemp(config.scratch(), execPrefix)
	if err != nil {
		return nil, err
	}
	// The mark is locked before it gets its name, so that it is never unlocked in a sweep.
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
	marks, _ := filepath.Glob(filepath.Join(scratch, execPrefix+"*", "owner")) // the pattern is valid
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

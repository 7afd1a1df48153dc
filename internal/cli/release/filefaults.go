package release

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
)

func errDiskFull(dir string) error {
	return fmt.Errorf("the disk of %s is full: delete files on it, then publish again", dir)
}

// diskFull returns a sentence for an error of a full disk, and other errors as they are.
func diskFull(err error, dir string) error {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return errDiskFull(dir)
	}
	return err
}

// explainRead returns a sentence for a file of the export that cannot be read, and other errors as they are.
func explainRead(err error, dir string) error {
	var at *fs.PathError
	switch {
	case !errors.As(err, &at):
		return err
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%s cannot be read: allow it with `chmod -R u+rX %s`, or export again as this user", at.Path, dir)
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s was deleted while the export was read: export again, and publish when the export has ended", at.Path)
	}
	return diskFull(err, dir)
}

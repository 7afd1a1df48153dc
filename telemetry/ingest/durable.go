package ingest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// makeDir makes a folder, durably when its parent is there.
func makeDir(dir string) error {
	if _, err := os.Stat(dir); err == nil {
		return nil
	}
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return fmt.Errorf("make folder: %w", err)
	}
	return syncDir(filepath.Dir(dir))
}

// replaceFile writes the content to path so that after a crash the file has either the old
// or the new content; nil means that the new one is on the disk.
func replaceFile(path string, content []byte) error {
	next := path + ".next"
	f, err := os.OpenFile(next, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o640)
	if err != nil {
		return fmt.Errorf("write file: %w", err)
	}
	_, err = f.Write(content)
	if err == nil {
		err = f.Sync()
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("write file: %w", err)
	}
	if err := os.Rename(next, path); err != nil {
		return fmt.Errorf("replace file: %w", err)
	}
	return syncDir(filepath.Dir(path))
}

// syncDir makes the folder's list of files durable: without it a power failure may lose a
// synced file whose name is new.
func syncDir(dir string) error {
	f, err := os.Open(dir)
	if err == nil {
		err = errors.Join(f.Sync(), f.Close())
	}
	if err != nil {
		return fmt.Errorf("sync folder: %w", err)
	}
	return nil
}

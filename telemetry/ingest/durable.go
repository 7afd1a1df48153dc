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

// replaceFile puts a file with this content at path so that, whenever the machine
// stops, either the old or the new content is there; nil means that the new one
// is on the disk.
func replaceFile(path string, content []byte) error {
	next := path + ".next"
	if err := writeSynced(next, content); err != nil {
		return err
	}
	if err := os.Rename(next, path); err != nil {
		return fmt.Errorf("replace file: %w", err)
	}
	return syncDir(filepath.Dir(path))
}

func writeSynced(path string, content []byte) (err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o640)
	if err != nil {
		return fmt.Errorf("write file: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if _, err := f.Write(content); err != nil {
		return fmt.Errorf("write file: %w", err)
	}
	if err := f.Sync(); err != nil {
		return fmt.Errorf("sync file: %w", err)
	}
	return nil
}

// syncDir makes the folder's list of files durable: a synced file whose name is
// not is still lost with the power.
func syncDir(dir string) (err error) {
	f, err := os.Open(dir)
	if err != nil {
		return fmt.Errorf("sync folder: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if err := f.Sync(); err != nil {
		return fmt.Errorf("sync folder: %w", err)
	}
	return nil
}

package archive

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Prune deletes the backups that were made first until keep are left, and the contents that no backup lists. It deletes nothing if keep
// is 0, or if the list of a backup that stays is damaged. The caller holds the lock of the folder.
func (f Folder) Prune(keep int) error {
	all, err := f.List()
	if err != nil || keep <= 0 || len(all) <= keep {
		return err
	}
	// By their names, not by TakenAt: the newest backup may be of a database that was recovered to an earlier moment.
	slices.SortFunc(all, func(a, b Backup) int { return strings.Compare(a.Name, b.Name) })
	listed := map[string]bool{}
	for _, b := range all[len(all)-keep:] {
		for file, err := range b.EachFile() {
			if err != nil {
				return fmt.Errorf("older backups were not deleted, because %s is damaged: %w", b.Name, err)
			}
			listed[file.SHA256] = true
		}
	}
	for _, b := range all[:len(all)-keep] {
		// Renamed first, so that an interrupted deletion does not leave what looks like a backup.
		gone := filepath.Join(f.dir, unfinished+b.Name)
		if err := os.Rename(b.dir, gone); err != nil {
			return fmt.Errorf("delete the backup %s: %w", b.Name, err)
		}
		if err := os.RemoveAll(gone); err != nil {
			return fmt.Errorf("delete the backup %s: %w", b.Name, err)
		}
	}
	return f.removeContent(listed)
}

// removeContent deletes the contents that are not listed.
func (f Folder) removeContent(listed map[string]bool) error {
	// The separator makes WalkDir follow a symbolic link.
	err := filepath.WalkDir(f.contents()+string(filepath.Separator), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || listed[d.Name()] {
			return err
		}
		return os.Remove(path)
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("delete contents that no backup lists: %w", err)
	}
	return nil
}

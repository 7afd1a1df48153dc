package archive

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

const (
	// nameLayout is the layout of the names of backups, which sort by time.
	nameLayout = "20060102T150405Z"
	// unfinished begins the names of folders of backups that are not complete.
	unfinished = ".unfinished-"
	folderMode = 0o700
	fileMode   = 0o600
)

// Folder is a folder with backups.
type Folder struct{ dir string }

// Open returns the folder of backups at dir. It does not have to exist.
func Open(dir string) Folder { return Folder{dir} }

// Lock creates the folder if it is missing, locks it for writing, and removes what interrupted backups left. It fails if another process
// writes a backup there. The lock ends with the process.
func (f Folder) Lock() (unlock func() error, err error) {
	if err := os.MkdirAll(f.dir, folderMode); err != nil {
		return nil, fmt.Errorf("make the folder of backups: %w", err)
	}
	lock := flock.New(filepath.Join(f.dir, "lock"), flock.SetPermissions(fileMode))
	locked, err := lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("lock the folder of backups: %w", err)
	}
	if !locked {
		return nil, fmt.Errorf("another backup to %s is running; wait until it has ended", f.dir)
	}
	if err := f.removeUnfinished(); err != nil {
		return nil, errors.Join(err, lock.Unlock())
	}
	return lock.Unlock, nil
}

func (f Folder) removeUnfinished() error {
	for _, dir := range []string{f.dir, f.contents()} {
		entries, err := os.ReadDir(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("list the backups: %w", err)
		}
		for _, e := range entries {
			if strings.HasPrefix(e.Name(), unfinished) {
				if err := os.RemoveAll(filepath.Join(dir, e.Name())); err != nil {
					return fmt.Errorf("remove an interrupted backup: %w", err)
				}
			}
		}
	}
	return nil
}

// Staging returns the path of a folder for temporary files of a backup. The next call of Lock removes it.
func (f Folder) Staging() string { return filepath.Join(f.dir, unfinished+"staging") }

// contents returns the folder of the contents of files, which may be a symbolic link to another disk.
func (f Folder) contents() string { return filepath.Join(f.dir, "files") }

// List returns the complete backups, oldest first.
func (f Folder) List() ([]Backup, error) {
	entries, err := os.ReadDir(f.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("the folder of backups %s does not exist; check the path", f.dir)
	}
	if err != nil {
		return nil, fmt.Errorf("list the backups: %w", err)
	}
	var all []Backup
	for _, e := range entries {
		if _, err := time.Parse(nameLayout, e.Name()); err != nil || !e.IsDir() {
			continue
		}
		m, err := readManifest(filepath.Join(f.dir, e.Name()))
		if err != nil {
			return nil, err
		}
		all = append(all, Backup{Manifest: m, folder: f, dir: filepath.Join(f.dir, e.Name())})
	}
	slices.SortFunc(all, func(a, b Backup) int { return a.TakenAt.Compare(b.TakenAt) })
	return all, nil
}

// Newest returns the newest backup or, if to is not zero, the newest one taken at to or earlier. Its error lists the backups that exist.
func (f Folder) Newest(to time.Time) (Backup, error) {
	all, err := f.List()
	if err != nil {
		return Backup{}, err
	}
	if len(all) == 0 {
		return Backup{}, fmt.Errorf("%s does not have a complete backup; run `waftd backup %s` first, or check the path", f.dir, f.dir)
	}
	for _, b := range slices.Backward(all) {
		if to.IsZero() || !b.TakenAt.After(to) {
			return b, nil
		}
	}
	var times []string
	for _, b := range all {
		times = append(times, b.TakenAt.Format(time.RFC3339Nano))
	}
	return Backup{}, fmt.Errorf("no backup in %s was taken at %s or earlier; --to can be %s",
		f.dir, to.Format(time.RFC3339Nano), strings.Join(times, ", "))
}

// Backup is a complete backup in a folder.
type Backup struct {
	Manifest
	folder Folder
	dir    string
}

// Writer writes a new backup. Its folder gets its name when it is complete.
type Writer struct {
	Manifest
	folder Folder
	dir    string
}

// Begin begins a backup. The caller holds the lock of the folder, and calls Discard at the end in any case.
func (f Folder) Begin(now time.Time) (*Writer, error) {
	w := &Writer{folder: f}
	w.FormatVersion = FormatVersion
	w.Name = now.UTC().Format(nameLayout)
	if _, err := os.Stat(filepath.Join(f.dir, w.Name)); err == nil {
		return nil, fmt.Errorf("the backup %s exists; wait a second and try again", w.Name)
	}
	w.dir = filepath.Join(f.dir, unfinished+w.Name)
	if err := os.Mkdir(w.dir, folderMode); err != nil {
		return nil, fmt.Errorf("begin a backup: %w", explained(err))
	}
	return w, nil
}

// Discard removes the backup unless it is complete.
func (w *Writer) Discard() error { return os.RemoveAll(w.dir) }

// Complete writes the manifest, verifies the whole backup, and gives its folder its name. A failure leaves it incomplete.
func (w *Writer) Complete() (b Backup, err error) {
	text, err := json.MarshalIndent(w.Manifest, "", "  ")
	if err != nil {
		return b, fmt.Errorf("write the manifest: %w", err)
	}
	text = append(text, '\n')
	if err := writeDurably(filepath.Join(w.dir, checksumFile), []byte(checksum(text))); err != nil {
		return b, err
	}
	if err := writeDurably(filepath.Join(w.dir, manifestFile), text); err != nil {
		return b, err
	}
	b = Backup{Manifest: w.Manifest, folder: w.folder, dir: w.dir}
	if err := b.Verify(); err != nil {
		return b, fmt.Errorf("the new backup is damaged and was removed: %w", err)
	}
	if err := syncFolders(w.dir); err != nil {
		return b, err
	}
	b.dir = filepath.Join(w.folder.dir, w.Name)
	if err := os.Rename(w.dir, b.dir); err != nil {
		return b, fmt.Errorf("complete the backup: %w", err)
	}
	return b, syncFolder(w.folder.dir)
}

func writeDurably(path string, content []byte) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, fileMode)
	if err != nil {
		return fmt.Errorf("write %s: %w", path, explained(err))
	}
	_, err = f.Write(content)
	if err == nil {
		err = f.Sync()
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("write %s: %w", path, explained(err))
	}
	return nil
}

// syncFolders makes the names of all files below dir durable.
func syncFolders(dir string) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		return syncFolder(path)
	})
}

func syncFolder(dir string) error {
	f, err := os.Open(dir)
	if err == nil {
		err = errors.Join(f.Sync(), f.Close())
	}
	if err != nil {
		return fmt.Errorf("sync the folder %s: %w", dir, err)
	}
	return nil
}

package archive_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/app/backups/archive"
)

var begin = time.Date(2026, 11, 30, 3, 15, 0, 0, time.UTC)

// write writes a backup, taken some hours after begin, with a file of the content.
func write(t *testing.T, f archive.Folder, hours int, content string) archive.Backup {
	t.Helper()
	at := begin.Add(time.Duration(hours) * time.Hour)
	return writeAsOf(t, f, at, at, content)
}

// writeAsOf writes a backup at a time, of the moment asOf.
func writeAsOf(t *testing.T, f archive.Folder, at, asOf time.Time, content string) archive.Backup {
	t.Helper()
	unlock, err := f.Lock()
	require.NoError(t, err)
	defer func() { require.NoError(t, unlock()) }()
	w, err := f.Begin(at)
	require.NoError(t, err)
	defer func() { require.NoError(t, w.Discard()) }()
	w.TakenAt = asOf
	rows := func(text string, n int64) func(io.Writer) (int64, error) {
		return func(to io.Writer) (int64, error) {
			_, err := io.WriteString(to, text)
			return n, err
		}
	}
	part, err := w.Part("postgres/projects.copy.zst", "projects", []string{"id"}, rows("1\n2\n", 2))
	require.NoError(t, err)
	w.Postgres = append(w.Postgres, part)
	part, err = w.Part("clickhouse/devices/00001.native.zst", "devices", []string{"id"}, rows("\x01\x02", 1))
	require.NoError(t, err)
	w.ClickHouse = append(w.ClickHouse, part)
	sum, size, err := f.AddContent(strings.NewReader(content))
	require.NoError(t, err)
	require.NoError(t, w.WriteFiles([]archive.File{{Key: "projects/1/ab/abc", Size: size, SHA256: sum, ModTime: at}}))
	b, err := w.Complete()
	require.NoError(t, err)
	return b
}

// filesBelow returns the paths of all files of backups, without the lock.
func filesBelow(t *testing.T, dir string) (paths []string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && d.Name() != "lock" {
			paths = append(paths, path)
		}
		return err
	}))
	return paths
}

// problems lists the backups of a folder and verifies them.
func problems(f archive.Folder) error {
	all, err := f.List()
	if err != nil {
		return err
	}
	if len(all) != 1 {
		return fmt.Errorf("%d backups", len(all))
	}
	return all[0].Verify()
}

func TestVerifyFindsEachFlippedBitAndEachMissingFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	f := archive.Open(dir)
	write(t, f, 0, "content")
	require.NoError(t, problems(f))
	paths := filesBelow(t, dir)
	require.Len(t, paths, 6, "%v", paths)
	for _, path := range paths {
		content, err := os.ReadFile(path)
		require.NoError(t, err)
		for i := range content {
			changed := bytes.Clone(content)
			changed[i] ^= 1 << (i % 8)
			require.NoError(t, os.WriteFile(path, changed, 0o600))
			require.Error(t, problems(f), "byte %d of %s", i, path)
		}
		require.NoError(t, os.WriteFile(path, content[:len(content)-1], 0o600))
		require.Error(t, problems(f), "%s without its last byte", path)
		require.NoError(t, os.Remove(path))
		require.Error(t, problems(f), "without %s", path)
		require.NoError(t, os.WriteFile(path, content, 0o600))
	}
	require.NoError(t, problems(f))
}

func TestTheNewestBackupBeforeATime(t *testing.T) {
	t.Parallel()
	f := archive.Open(t.TempDir())
	for hours := range 3 {
		write(t, f, hours, "content")
	}
	for to, want := range map[time.Time]string{
		{}:                                   "20261130T051500Z",
		begin.Add(time.Hour):                 "20261130T041500Z",
		begin.Add(2*time.Hour - time.Second): "20261130T041500Z",
		begin.Add(100 * time.Hour):           "20261130T051500Z",
	} {
		b, err := f.Newest(to)
		require.NoError(t, err)
		require.Equal(t, want, b.Name)
	}
	_, err := f.Newest(begin.Add(-time.Second))
	require.ErrorContains(t, err, "2026-11-30T03:15:00Z, 2026-11-30T04:15:00Z, 2026-11-30T05:15:00Z")
	_, err = archive.Open(t.TempDir()).Newest(time.Time{})
	require.ErrorContains(t, err, "does not have a complete backup")
}

func TestPruneKeepsTheContentOfTheBackupsThatStay(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	f := archive.Open(dir)
	for hours, content := range []string{"old", "shared", "shared"} {
		write(t, f, hours, content)
	}
	require.NoError(t, f.Prune(2))
	all, err := f.List()
	require.NoError(t, err)
	require.Len(t, all, 2)
	for _, b := range all {
		require.NoError(t, b.Verify())
	}
	contents := filesBelow(t, filepath.Join(dir, "files"))
	require.Len(t, contents, 1)
	left, err := os.ReadFile(contents[0])
	require.NoError(t, err)
	require.Equal(t, "shared", string(left))
}

// The newest backup stays, even if it is of a database that was recovered to a moment before the other backups.
func TestPruneKeepsANewBackupOfAnEarlierMoment(t *testing.T) {
	t.Parallel()
	f := archive.Open(t.TempDir())
	write(t, f, 0, "night")
	recovered := writeAsOf(t, f, begin.Add(9*time.Hour), begin.Add(-time.Hour), "recovered")
	require.NoError(t, f.Prune(1))
	all, err := f.List()
	require.NoError(t, err)
	require.Len(t, all, 1)
	require.Equal(t, recovered.Name, all[0].Name)
	require.NoError(t, all[0].Verify())
}

// A list that cannot be read may name contents that a backup needs.
func TestPruneDeletesNothingIfABackupThatStaysIsDamaged(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	f := archive.Open(dir)
	write(t, f, 0, "old")
	kept := write(t, f, 1, "kept")
	write(t, f, 2, "new")
	list := filepath.Join(dir, kept.Name, "files.jsonl.zst")
	content, err := os.ReadFile(list)
	require.NoError(t, err)
	require.NoError(t, os.Truncate(list, int64(len(content)-1)))
	before := filesBelow(t, dir)
	require.ErrorContains(t, f.Prune(2), kept.Name+" is damaged")
	require.Equal(t, before, filesBelow(t, dir))
}

func TestContentsMayBeOnAnotherDisk(t *testing.T) {
	t.Parallel()
	dir, disk := t.TempDir(), t.TempDir()
	require.NoError(t, os.Symlink(disk, filepath.Join(dir, "files")))
	f := archive.Open(dir)
	write(t, f, 0, "old")
	b := write(t, f, 1, "new")
	require.NoError(t, f.Prune(1))
	require.NoError(t, b.Verify())
	require.Len(t, filesBelow(t, disk), 1)
}

// A folder from elsewhere may be renamed, or made to name files of this machine.
func TestAManifestDescribesItsOwnFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	f := archive.Open(dir)
	b := write(t, f, 0, "content")
	own, other := filepath.Join(dir, b.Name), filepath.Join(dir, "20261130T000000Z")
	require.NoError(t, os.Rename(own, other))
	_, err := f.List()
	require.ErrorContains(t, err, b.Name)
	require.NoError(t, os.Rename(other, own))

	path := filepath.Join(own, "manifest.json")
	manifest, err := os.ReadFile(path)
	require.NoError(t, err)
	hostile := bytes.Replace(manifest, []byte("postgres/projects.copy.zst"), []byte("../../projects.copy.zst"), 1)
	require.NotEqual(t, manifest, hostile)
	require.NoError(t, os.WriteFile(path, hostile, 0o600))
	require.NoError(t, os.WriteFile(path+".sha256", fmt.Appendf(nil, "%x\n", sha256.Sum256(hostile)), 0o600))
	_, err = f.List()
	require.ErrorContains(t, err, "outside of the folder")
}

func TestAnIncompleteBackupIsNotListed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	f := archive.Open(dir)
	unlock, err := f.Lock()
	require.NoError(t, err)
	_, err = f.Begin(begin)
	require.NoError(t, err)
	require.NoError(t, os.Mkdir(filepath.Join(dir, "files"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "files", ".unfinished-1"), nil, 0o600))
	_, err = f.Lock()
	require.ErrorContains(t, err, "another backup to "+dir+" is running")
	require.NoError(t, unlock())
	all, err := f.List()
	require.NoError(t, err)
	require.Empty(t, all)
	unlock, err = f.Lock()
	require.NoError(t, err)
	require.NoError(t, unlock())
	require.Empty(t, filesBelow(t, dir))
	left, err := filepath.Glob(filepath.Join(dir, ".unfinished-*"))
	require.NoError(t, err)
	require.Empty(t, left)
}

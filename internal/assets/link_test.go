package assets

import (
	"crypto/md5" // the protocol names files by MD5
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

func TestAStagedFileBecomesTheObject(t *testing.T) {
	t.Parallel()
	b, bucketDir, stagingDir := openLocal(t)
	s := stage(t, b, "content")
	staged, err := os.Stat(s.path)
	require.NoError(t, err)
	require.NoError(t, keep(t.Context(), s, 1))
	object, err := os.Stat(filepath.Join(bucketDir, "projects", "1", s.MD5()[:2], s.MD5()))
	require.NoError(t, err)
	require.True(t, os.SameFile(staged, object), "its bytes were written twice")

	require.NoError(t, s.Discard())
	require.Empty(t, filesIn(t, stagingDir))
	require.Equal(t, "content", string(read(t, t.Context(), b, 1, s.MD5())))
	object, err = os.Stat(filepath.Join(bucketDir, "projects", "1", s.MD5()[:2], s.MD5()))
	require.NoError(t, err)
	require.EqualValues(t, 1, object.Sys().(*syscall.Stat_t).Nlink)
}

func TestAFileIsFlushedOnce(t *testing.T) {
	t.Parallel()
	b, bucketDir, _ := openLocal(t)
	noted := &flushes{bucketDir: bucketDir}
	b.flush = noted.flush
	s := stage(t, b, "content")
	s.Flush()
	require.Equal(t, []string{"content content"}, noted.names)
	require.NoError(t, keep(t.Context(), s, 1))
	require.Equal(t, "projects/1/"+s.MD5()[:2], noted.names[1])

	noted.fail = errors.New("the disk is full")
	s = stage(t, b, "other")
	s.Flush()
	noted.fail = nil
	err := keep(t.Context(), s, 1)
	require.Equal(t, models.CodeUnavailable, models.CodeOf(err), "a second flush can succeed although the first one lost the bytes")
}

func TestALinkedObjectHasTheModeOfACopy(t *testing.T) {
	t.Parallel()
	modes := map[bool]os.FileMode{}
	for _, mustCopy := range []bool{false, true} {
		dir := t.TempDir()
		b, err := Open(t.Context(), "file://"+dir+"/bucket?dir_file_mode=0750", dir+"/staging")
		require.NoError(t, err)
		b.mustCopy.Store(mustCopy)
		s := stage(t, b, "content")
		require.NoError(t, keep(t.Context(), s, 1))
		folder := filepath.Join(dir, "bucket", "projects", "1", s.MD5()[:2])
		info, err := os.Stat(folder)
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o750), info.Mode().Perm())
		info, err = os.Stat(filepath.Join(folder, s.MD5()))
		require.NoError(t, err)
		modes[mustCopy] = info.Mode()
		require.NoError(t, b.Close())
	}
	require.Equal(t, modes[true], modes[false])
}

func TestAFileThatCannotBeLinkedIsCopied(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		err error
		// tries is the number of attempts to link two files.
		tries int
	}{
		{syscall.EXDEV, 1}, // on another mount
		{syscall.ENOTSUP, 1},
		{syscall.EPERM, 1},
		{syscall.ENOSPC, 2},
	} {
		b, bucketDir, stagingDir := openLocal(t)
		tries := 0
		b.linkFile = func(from, to string) error {
			tries++
			return &os.LinkError{Op: "link", Old: from, New: to, Err: c.err}
		}
		for _, content := range []string{"first", "second"} {
			s := stage(t, b, content)
			require.NoError(t, keep(t.Context(), s, 1))
			require.Equal(t, content, string(read(t, t.Context(), b, 1, s.MD5())))
			require.NoError(t, s.Discard())
		}
		require.Equal(t, c.tries, tries, c.err)
		require.Len(t, filesIn(t, bucketDir), 2)
		require.Empty(t, filesIn(t, stagingDir))
	}
}

func TestTheFoldersAboveAKnownFolderAreNotFlushedAgain(t *testing.T) {
	t.Parallel()
	b, bucketDir, _ := openLocal(t)
	noted := &flushes{bucketDir: bucketDir}
	b.flush = noted.flush
	kept := func(projectID int64, content string) []string {
		noted.names = nil
		s := stage(t, b, content)
		require.NoError(t, keep(t.Context(), s, projectID))
		return noted.names[1:] // the first is the content
	}
	first, second := sameFolder(t)
	own := "projects/1/" + first[0]
	require.Equal(t, []string{own, "projects/1", "projects", "."}, kept(1, first[1]))
	require.Equal(t, []string{own}, kept(1, second[1]))
	require.Equal(t, []string{"projects/2/" + first[0], "projects/2", "projects"}, kept(2, first[1]))
}

func TestFoldersThatWereDeletedAreFlushedAgain(t *testing.T) {
	t.Parallel()
	for _, deleted := range []string{"projects/1/%s", "projects/1", "projects", "."} {
		b, bucketDir, _ := openLocal(t)
		noted := &flushes{bucketDir: bucketDir}
		b.flush = noted.flush
		first, second := sameFolder(t)
		for _, content := range []string{first[1], second[1]} {
			require.NoError(t, keep(t.Context(), stage(t, b, content), 1))
			noted.names = nil
		}
		deleted = strings.ReplaceAll(deleted, "%s", first[0])
		require.NoError(t, os.RemoveAll(filepath.Join(bucketDir, deleted)))
		require.NoError(t, keep(t.Context(), stage(t, b, first[1]), 1))
		require.Equal(t, []string{"content " + first[1], "projects/1/" + first[0], "projects/1", "projects", "."}, noted.names, deleted)
	}
}

// sameFolder returns two contents whose objects are in the same folder, each with the name of the folder.
func sameFolder(t testing.TB) (first, second [2]string) {
	t.Helper()
	seen := map[string]string{}
	for n := range 1000 {
		content := fmt.Sprint("content ", n)
		sum := md5.Sum([]byte(content))
		folder := hex.EncodeToString(sum[:1])
		if earlier, ok := seen[folder]; ok {
			return [2]string{folder, earlier}, [2]string{folder, content}
		}
		seen[folder] = content
	}
	require.Fail(t, "256 folders, and a thousand contents in different ones")
	return first, second
}

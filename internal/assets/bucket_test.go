package assets

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// openLocal opens a bucket in a fresh folder, with a fresh staging folder.
func openLocal(t testing.TB) (b *Bucket, bucketDir, stagingDir string) {
	t.Helper()
	dir := t.TempDir()
	bucketDir, stagingDir = filepath.Join(dir, "bucket"), filepath.Join(dir, "staging")
	b, err := Open(t.Context(), "file://"+bucketDir, stagingDir)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, b.Close()) })
	return b, bucketDir, stagingDir
}

func filesIn(t testing.TB, dir string) (names []string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			names = append(names, path[len(dir)+1:])
		}
		return err
	}))
	return names
}

func TestOpenMakesItsFolders(t *testing.T) {
	t.Parallel()
	b, bucketDir, stagingDir := openLocal(t)
	for _, dir := range []string{bucketDir, stagingDir} {
		info, err := os.Stat(dir)
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o700), info.Mode().Perm())
	}
	require.NoError(t, b.Ping(t.Context()))
}

func TestOpenRemovesLeftoversAndNothingElse(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{stagedPrefix + "1234", stagedPrefix + "x", "ingest.log"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("left"), 0o600))
	}
	_, err := Open(t.Context(), "file://"+t.TempDir(), dir)
	require.NoError(t, err)
	require.Equal(t, []string{"ingest.log"}, filesIn(t, dir))
}

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	for name, c := range map[string]struct{ url, staging string }{
		"another scheme":                   {"ftp://host/secret", t.TempDir()},
		"S3 without a bucket":              {"s3:///secret", t.TempDir()},
		"an option that S3 does not have":  {"s3://bucket?region=test&colour=red", t.TempDir()},
		"an option that GCS does not have": {"gs://bucket?colour=red", t.TempDir()},
		"an option of no Azure":            {"azblob://container?colour=red", t.TempDir()},
		"a URL that does not parse":        {"file://%zz secret", t.TempDir()},
		"an option that does not exist":    {"file://" + t.TempDir() + "?colour=red", t.TempDir()},
		"a bucket that is a file":          {"file://" + file, t.TempDir()},
		"a staging folder that is a file":  {"file://" + t.TempDir(), file},
		"a staging folder below that file": {"file://" + t.TempDir(), filepath.Join(file, "x")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := Open(t.Context(), c.url, c.staging)
			require.Error(t, err)
			require.NotContains(t, err.Error(), "secret")
		})
	}
}

func TestPingSaysThatTheFolderIsGone(t *testing.T) {
	t.Parallel()
	b, bucketDir, _ := openLocal(t)
	require.NoError(t, os.RemoveAll(bucketDir))
	require.Equal(t, models.CodeUnavailable, models.CodeOf(b.Ping(t.Context())))
}

func TestObjectKeysLeadNowhereElse(t *testing.T) {
	t.Parallel()
	key, err := objectKey(7, "0123456789abcdef0123456789abcdef")
	require.NoError(t, err)
	require.Equal(t, "projects/7/01/0123456789abcdef0123456789abcdef", key)
	for _, md5 := range []string{
		"", "abc", "0123456789ABCDEF0123456789ABCDEF", "../../../../../../../../etc/passwd",
		"0123456789abcdef0123456789abcde/", "0123456789abcdef0123456789abcdef\n", "0123456789abcdef0123456789abcdef0",
	} {
		_, err := objectKey(7, md5)
		require.Equal(t, models.CodeNotFound, models.CodeOf(err), "%q", md5)
	}
}

package e2e

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/lab/enginetest"
)

// The files of a bucket on S3 are copied into another bucket. With --files list they stay where they are, and a restore checks them.
func TestBackupOfABucketOnS3(t *testing.T) {
	t.Parallel()
	const setting = "WAFT_ASSET_BUCKET_URL"
	objects := t.TempDir()
	bucket, _ := enginetest.ObjectsIn(t, objects)
	from := newProtected(t, map[string]string{setting: bucket})
	p := from.tenant(t)
	p.known()
	p.asProject().signs(t)
	release := p.release()
	p.awaitServed([]string{"anybody"}, is(release["updateUuid"]))
	manifests := p.manifests([]string{"production"})
	files := p.downloads(manifests)
	serves := func(to protected) {
		t.Helper()
		to.must("migrate")
		restored := to.serve().of(p)
		restored.awaitServed([]string{"anybody"}, is(release["updateUuid"]))
		require.Equal(t, manifests, restored.manifests([]string{"production"}))
		require.Equal(t, files, restored.downloads(manifests))
	}
	from.backup()
	copied := from.elsewhere()
	copied.env[setting] = enginetest.Objects(t)
	copied.must("restore", copied.dir)
	serves(copied)

	from.dir = t.TempDir()
	require.NotContains(t, from.backup("--files", "list"), "Warning")
	require.NoDirExists(t, filepath.Join(from.dir, "files"))
	require.Contains(t, from.must("backup", "verify", from.dir), "complete and verified")
	listed := from.elsewhere()
	other := listed.env[setting]
	output, err := listed.run("restore", listed.dir)
	require.Error(t, err, "the bucket is empty")
	require.Contains(t, output, "restore it from the bucket's own versions, then try again")
	listed.env[setting] = bucket
	listed.must("restore", listed.dir)
	serves(listed)
	left, err := filepath.Glob(filepath.Join(strings.TrimPrefix(other, "file://"), "*"))
	require.NoError(t, err)
	require.Empty(t, left)
}

// fullDisk backs up to a small disk that has earlier backups, and again once the disk is larger. A namespace of its own has the disk.
const fullDisk = `set -eu
mount -t tmpfs -o size="$4" tmpfs "$2"
cp -a "$3/." "$2"
if "$1" backup "$2"; then echo "the backup fits"; exit 1; fi
echo "left: $(ls -A "$2")"
"$1" backup verify "$2"
mount -o remount,size=1g "$2"
"$1" backup "$2"`

// A backup that does not fit on the disk says so, and leaves the earlier backups and nothing of its own.
func TestBackupToAFullDiskKeepsTheEarlierOnes(t *testing.T) {
	t.Parallel()
	p := newProtected(t)
	tenant := p.tenant(t)
	tenant.known()
	tenant.release()
	p.backup()
	manifests, err := filepath.Glob(filepath.Join(p.dir, "*", "manifest.json"))
	require.NoError(t, err)
	require.Len(t, manifests, 1)
	name := filepath.Base(filepath.Dir(manifests[0]))
	all, one := diskUsage(t, p.dir), diskUsage(t, filepath.Join(p.dir, name))
	binary, err := buildWaftd()
	require.NoError(t, err)
	p = p.asking()
	fails := func(free int64) {
		t.Helper()
		env := maps.Clone(p.env)
		args := []string{"--mount", "sh", "-c", fullDisk, "full", binary, t.TempDir(), p.dir, strconv.FormatInt(all+free, 10)}
		if os.Geteuid() != 0 {
			args = append([]string{"--map-root-user"}, args...)
		}
		script := launchBinary(t, "unshare", env, args...)
		err := <-script.exited
		output := script.log.String()
		require.NoError(t, err, output)
		require.Contains(t, output, "the disk of the backups is full; free space or use another disk")
		require.Regexp(t, "(?s)left: "+name+"\nfiles\nlock\n"+name+": taken at .* complete and verified.*complete and verified", output)
	}
	fails(one / 2) // the tables do not fit
	large := filepath.Join(strings.TrimPrefix(p.env["WAFT_ASSET_BUCKET_URL"], "file://"), "projects", "1", "large")
	require.NoError(t, os.MkdirAll(filepath.Dir(large), 0o700))
	require.NoError(t, os.WriteFile(large, make([]byte, 4*one), 0o600))
	fails(2 * one) // the file does not fit
}

// diskUsage returns the size of a folder on the disk, in bytes.
func diskUsage(t *testing.T, dir string) (bytes int64) {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "du", "-s", "-B1", dir).Output()
	require.NoError(t, err)
	size, _, _ := strings.Cut(string(out), "\t")
	bytes, err = strconv.ParseInt(size, 10, 64)
	require.NoError(t, err)
	return bytes
}

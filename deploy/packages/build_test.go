//go:build packages

// Package packages installs Waft's Debian packages on a machine with systemd, and runs Waft there against real engines.
package packages

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const root = "../.."

// debs are the files of the packages of one version.
type debs struct{ server, cli string }

// buildPackages builds the packages of a source tree for this machine.
func buildPackages(t *testing.T, source, version string) debs {
	t.Helper()
	packager, err := filepath.Abs(filepath.Join(root, "bin/packages"))
	require.NoError(t, err)
	out := t.TempDir()
	for _, args := range [][]string{
		{"prepare", "-root", source},
		{"build", "-root", source, "-out", out, "-version", version, "-arch", runtime.GOARCH},
	} {
		output, err := exec.CommandContext(t.Context(), packager, args...).CombinedOutput()
		require.NoError(t, err, "%s", output)
	}
	file := func(name string) string {
		path := filepath.Join(out, name+"_"+version+"_"+runtime.GOARCH+".deb")
		require.FileExists(t, path)
		return path
	}
	return debs{server: file("waft-server"), cli: file("waft")}
}

// newerSource returns a copy of the source tree with one more migration of Postgres, as the next version may have it.
func newerSource(t *testing.T) string {
	t.Helper()
	listed, err := exec.CommandContext(t.Context(), "git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard").Output()
	require.NoError(t, err)
	dir := t.TempDir()
	for name := range bytes.SplitSeq(bytes.TrimSuffix(listed, []byte{0}), []byte{0}) {
		copyFile(t, string(name), dir)
	}
	require.NoError(t, os.RemoveAll(filepath.Join(dir, "dashboard/dist")))
	require.NoError(t, os.CopyFS(filepath.Join(dir, "dashboard/dist"), os.DirFS(filepath.Join(root, "dashboard/dist"))))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "internal/store/pg/migrations", newerMigration), []byte(
		"-- +goose Up\nCREATE TABLE of_the_next_version (id bigint);\n-- +goose Down\nDROP TABLE of_the_next_version;\n"), 0o644))
	return dir
}

// newerMigration is the name of the migration that only the newer version has.
const newerMigration = "09999_of_the_next_version.sql"

// copyFile copies a file of the source tree to the same place in dir. It leaves out links and the folders that no package contains.
func copyFile(t *testing.T, name, dir string) {
	t.Helper()
	for _, unused := range []string{"bench/", "dashboard/src/", "devstack/", "e2e/", "examples/", "sdk/"} {
		if strings.HasPrefix(name, unused) {
			return
		}
	}
	info, err := os.Lstat(filepath.Join(root, name))
	if os.IsNotExist(err) || err == nil && !info.Mode().IsRegular() {
		return // deleted but not committed, or a link
	}
	require.NoError(t, err)
	content, err := os.ReadFile(filepath.Join(root, name))
	require.NoError(t, err)
	target := filepath.Join(dir, name)
	require.NoError(t, os.MkdirAll(filepath.Dir(target), 0o755))
	require.NoError(t, os.WriteFile(target, content, info.Mode().Perm()))
}

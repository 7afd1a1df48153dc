//go:build packages

package packages

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

// patience bounds the wait for something that the machine does on its own.
const patience = 2 * time.Minute

// machine is a Debian system with systemd as its first process. It shares the network of the test, so that it reaches the engines.
type machine struct {
	t    *testing.T
	id   string
	dir  string // of runc: its state and the bundle
	root string // the machine's file system, as the test sees it
	// first is runc, which ends with systemd.
	first *exec.Cmd
}

// boot starts a machine from the root filesystem in WAFT_DEBIAN_ROOT, which stays as it is.
func boot(t *testing.T) *machine {
	t.Helper()
	lower := os.Getenv("WAFT_DEBIAN_ROOT")
	require.NotEmpty(t, lower, "set WAFT_DEBIAN_ROOT to a folder that tools/debian-root.sh made; make package-test does it")
	m := &machine{t: t, id: "waft-" + uuid.NewString(), dir: t.TempDir()}
	// An overlay's upper folder may not be in another overlay, where a test in a container has its temporary folder.
	mount(t, "tmpfs", m.dir, "tmpfs", "")
	m.root = m.folder("root")
	mount(t, "overlay", m.root, "overlay", fmt.Sprintf("lowerdir=%s,upperdir=%s,workdir=%s", lower, m.folder("upper"), m.folder("work")))
	require.NoError(t, os.WriteFile(filepath.Join(m.root, "etc/hosts"), []byte("127.0.0.1 localhost\n"), 0o644))
	require.NoError(t, os.RemoveAll(filepath.Join(m.root, "etc/resolv.conf")))
	config, err := json.Marshal(m.bundle())
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(m.dir, "config.json"), config, 0o600))

	m.start()
	t.Cleanup(func() {
		if t.Failed() {
			log, _ := m.try("journalctl", "--no-pager", "--unit=waft-*")
			t.Log(log)
		}
		m.cut()
	})
	return m
}

// start starts systemd.
func (m *machine) start() {
	m.t.Helper()
	m.first = exec.CommandContext(context.WithoutCancel(m.t.Context()), "runc", m.runc("run", "--bundle", m.dir, m.id)...)
	m.first.Stdout, m.first.Stderr = os.Stderr, os.Stderr
	require.NoError(m.t, m.first.Start())
	m.await("systemd is up", func() bool {
		_, err := m.try("systemctl", "is-system-running", "--wait")
		return err == nil
	})
}

// cut ends every process of the machine, as a loss of power does.
func (m *machine) cut() {
	m.t.Helper()
	out, err := exec.CommandContext(context.WithoutCancel(m.t.Context()), "runc", m.runc("delete", "--force", m.id)...).CombinedOutput()
	require.NoError(m.t, err, "%s", out)
	require.Error(m.t, m.first.Wait(), "systemd was killed")
}

// mount mounts a filesystem until the test ends.
func mount(t *testing.T, source, target, kind, options string) {
	t.Helper()
	require.NoError(t, syscall.Mount(source, target, kind, 0, options), "mounting %s at %s; the test needs root", kind, target)
	t.Cleanup(func() { require.NoError(t, syscall.Unmount(target, syscall.MNT_DETACH)) })
}

// folder creates a folder in the machine's own.
func (m *machine) folder(name string) string {
	m.t.Helper()
	path := filepath.Join(m.dir, name)
	require.NoError(m.t, os.Mkdir(path, 0o755))
	return path
}

func (m *machine) runc(args ...string) []string {
	return append([]string{"--root", filepath.Join(m.dir, "state")}, args...)
}

// try runs a command in the machine, and returns what it wrote.
func (m *machine) try(command ...string) (string, error) {
	cmd := exec.CommandContext(context.WithoutCancel(m.t.Context()), "runc", m.runc(append([]string{"exec", m.id}, command...)...)...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// run runs a command that must succeed in the machine, and returns what it wrote.
func (m *machine) run(command ...string) string {
	m.t.Helper()
	out, err := m.try(command...)
	require.NoError(m.t, err, "%s: %s", strings.Join(command, " "), out)
	return out
}

// line returns the only line that a command writes.
func (m *machine) line(command ...string) string {
	m.t.Helper()
	return strings.TrimSpace(m.run(command...))
}

func (m *machine) await(what string, happened func() bool) {
	m.t.Helper()
	require.Eventually(m.t, happened, patience, 100*time.Millisecond, what)
}

// copyIn copies a file of the test into the machine's folder /root, and returns its path there.
func (m *machine) copyIn(file string) string {
	m.t.Helper()
	content, err := os.ReadFile(file)
	require.NoError(m.t, err)
	path := filepath.Join("/root", filepath.Base(file))
	require.NoError(m.t, os.WriteFile(filepath.Join(m.root, path), content, 0o600))
	return path
}

// read returns the content of a file of the machine.
func (m *machine) read(path string) string {
	m.t.Helper()
	content, err := os.ReadFile(filepath.Join(m.root, path))
	require.NoError(m.t, err)
	return string(content)
}

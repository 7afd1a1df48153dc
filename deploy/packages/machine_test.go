//go:build packages

package packages

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/lab/netns"
)

// patience bounds the wait for something that the machine does on its own.
const patience = 2 * time.Minute

// publicName is the name at which devices and browsers reach the machine. Only the machine itself resolves it.
const publicName = "ota.example.com"

// machine is a Debian system with systemd as its first process, in a network of its own.
type machine struct {
	t    *testing.T
	id   string
	dir  string // of runc: its state and the bundle
	root string // the machine's file system, as the test sees it
	// forwards lead from addresses of the machine elsewhere.
	forwards map[string]netns.Dialer
	network  netns.Network
	// first is runc, which ends with systemd.
	first *exec.Cmd
}

// boot starts a machine from the root filesystem in WAFT_DEBIAN_ROOT, which stays as it is. Addresses of the machine lead elsewhere.
func boot(t *testing.T, forwards map[string]netns.Dialer) *machine {
	t.Helper()
	lower := os.Getenv("WAFT_DEBIAN_ROOT")
	require.NotEmpty(t, lower, "set WAFT_DEBIAN_ROOT to a folder that tools/debian-root.sh made; make package-test does it")
	m := &machine{t: t, id: "waft-" + uuid.NewString(), dir: t.TempDir(), forwards: forwards}
	// An overlay's upper folder may not be in another overlay, where a test in a container has its temporary folder.
	mount(t, "tmpfs", m.dir, "tmpfs", "")
	m.root = m.folder("root")
	mount(t, "overlay", m.root, "overlay", fmt.Sprintf("lowerdir=%s,upperdir=%s,workdir=%s", lower, m.folder("upper"), m.folder("work")))
	require.NoError(t, os.WriteFile(filepath.Join(m.root, "etc/hosts"), []byte("127.0.0.1 localhost "+publicName+"\n"), 0o644))
	require.NoError(t, os.RemoveAll(filepath.Join(m.root, "etc/resolv.conf")))
	m.usePostgresPort()
	config, err := json.Marshal(m.bundle())
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(m.dir, "config.json"), config, 0o600))

	m.start()
	t.Cleanup(func() {
		if t.Failed() {
			log, _ := m.try("journalctl", "--no-pager", "--unit=waft-*", "--unit=postgresql*", "--unit=nginx")
			t.Log(log)
		}
		m.cut()
	})
	return m
}

// usePostgresPort gives Debian's Postgres its usual port. It has another one if the port was in use where the root filesystem was made.
func (m *machine) usePostgresPort() {
	m.t.Helper()
	files, err := filepath.Glob(filepath.Join(m.root, "etc/postgresql/*/main/postgresql.conf"))
	require.NoError(m.t, err)
	require.Len(m.t, files, 1, "Debian's package has made a cluster")
	content, err := os.ReadFile(files[0])
	require.NoError(m.t, err)
	content = regexp.MustCompile(`(?m)^port = \d+`).ReplaceAll(content, []byte("port = 5432"))
	require.NoError(m.t, os.WriteFile(files[0], content, 0o644)) // keeps the owner
}

// start starts systemd. The engines elsewhere are reachable as soon as the machine has a network.
func (m *machine) start() {
	m.t.Helper()
	m.first = exec.CommandContext(context.WithoutCancel(m.t.Context()), "runc", m.runc("run", "--bundle", m.dir, m.id)...)
	m.first.Stdout, m.first.Stderr = os.Stderr, os.Stderr
	require.NoError(m.t, m.first.Start())
	m.await("the machine has a network", func() bool {
		var state struct{ Pid int }
		out, err := exec.CommandContext(m.t.Context(), "runc", m.runc("state", m.id)...).Output()
		m.network = ""
		if err == nil && json.Unmarshal(out, &state) == nil && state.Pid > 0 {
			m.network = netns.Of(strconv.Itoa(state.Pid))
		}
		return m.network != ""
	})
	for address, to := range m.forwards {
		m.network.Forward(m.t, address, to)
	}
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
func (m *machine) try(command ...string) (string, error) { return m.tryWith("", command...) }

// tryWith runs a command with an input, in the folder /root.
func (m *machine) tryWith(input string, command ...string) (string, error) {
	args := m.runc(append([]string{"exec", "--cwd", "/root", m.id}, command...)...)
	cmd := exec.CommandContext(context.WithoutCancel(m.t.Context()), "runc", args...)
	cmd.Stdin = strings.NewReader(input)
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

// copyIn copies a file of the test into the machine's folder /root.
func (m *machine) copyIn(file string) {
	m.t.Helper()
	m.copyTo(file, filepath.Join("root", filepath.Base(file)), 0o600)
}

// copyTo copies a file of the test to a path of the machine.
func (m *machine) copyTo(file, path string, mode os.FileMode) {
	m.t.Helper()
	content, err := os.ReadFile(file)
	require.NoError(m.t, err)
	path = filepath.Join(m.root, path)
	require.NoError(m.t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(m.t, os.WriteFile(path, content, mode))
}

// read returns the content of a file of the machine.
func (m *machine) read(path string) string {
	m.t.Helper()
	content, err := os.ReadFile(filepath.Join(m.root, path))
	require.NoError(m.t, err)
	return string(content)
}

package main

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/devstack/internal/modules"
	"github.com/waft-ota/waft/devstack/internal/process"
)

// envRun makes the test binary be devstack, so that tests run the very
// program without building it.
const envRun = "DEVSTACK_TEST_RUN"

func TestMain(m *testing.M) {
	switch {
	case filepath.Base(os.Args[0]) == "waftd":
		fakeServer()
	case os.Getenv(envRun) != "":
		main()
	default:
		os.Exit(m.Run())
	}
}

// portVariables are set for every test's stack, to ports of its own.
var portVariables = []string{
	"WAFT_PORT", "WAFT_WORKER_PORT", "WAFT_ADMIN_PORT", "WAFT_WORKER_ADMIN_PORT", "WAFT_POSTGRES_PORT",
	"WAFT_CLICKHOUSE_PORT", "WAFT_TEMPORAL_PORT", "WAFT_TEMPORAL_UI_PORT",
}

// rig is a data folder with the environment to run devstack on it.
type rig struct {
	t     *testing.T
	dir   string
	env   []string
	ports map[string]int
}

func newRig(t *testing.T) *rig {
	t.Helper()
	packages, err := filepath.Abs("../../node_modules")
	require.NoError(t, err)
	r := &rig{t: t, dir: filepath.Join(t.TempDir(), "data"), ports: map[string]int{}}
	r.env = append(os.Environ(), envRun+"=1", modules.EnvDir+"="+packages,
		"DATABASE_URL=", "CLICKHOUSE_URL=", "TEMPORAL_ADDRESS=")
	for _, name := range portVariables {
		r.ports[name] = freePort(t)
		r.env = append(r.env, fmt.Sprintf("%s=%d", name, r.ports[name]))
	}
	t.Cleanup(func() {
		if _, err := os.Stat(r.dir); err == nil {
			r.ok("down")
		}
		requireNoProcess(t, r.dir)
	})
	return r
}

// given holds the ports that tests already have.
var given sync.Map

// freePort returns a port below the range of outgoing connections, so that
// it is still free when it is used.
func freePort(t *testing.T) int {
	t.Helper()
	for {
		port := 5000 + rand.IntN(10_000)
		if _, taken := given.LoadOrStore(port, true); taken {
			continue
		}
		listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err == nil {
			require.NoError(t, listener.Close())
			return port
		}
	}
}

// result is the outcome of a run of devstack.
type result struct {
	code        int
	out, errors string
	took        time.Duration
}

// command prepares a run of devstack. It does not pass a folder to commands that do not
// take one.
func (r *rig) command(args ...string) *exec.Cmd {
	self, err := os.Executable()
	require.NoError(r.t, err)
	if args[0] != "exec" {
		args = append(args, "--dir", r.dir)
	}
	cmd := exec.Command(self, args...)
	cmd.Env = r.env
	return cmd
}

func (r *rig) run(args ...string) result {
	r.t.Helper()
	var out, errs bytes.Buffer
	cmd := r.command(args...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	begin := time.Now()
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		require.NoError(r.t, err)
	}
	return result{cmd.ProcessState.ExitCode(), out.String(), errs.String(), time.Since(begin)}
}

// ok runs devstack, which must succeed, and returns its output.
func (r *rig) ok(args ...string) string {
	r.t.Helper()
	res := r.run(args...)
	require.Zero(r.t, res.code, "devstack %v\n%s%s", args, res.out, res.errors)
	return res.out
}

// fails runs devstack, which must fail with one line of explanation.
func (r *rig) fails(args ...string) string {
	r.t.Helper()
	res := r.run(args...)
	require.Equal(r.t, 1, res.code, res.out+res.errors)
	require.Equal(r.t, 1, strings.Count(res.errors, "\n"), "one line, not: %s", res.errors)
	return res.errors
}

func (r *rig) pid(name string) int {
	r.t.Helper()
	data, err := os.ReadFile(filepath.Join(r.dir, name+".pid"))
	require.NoError(r.t, err)
	pid, err := strconv.Atoi(strings.TrimSpace(string(data)))
	require.NoError(r.t, err)
	return pid
}

// kill sends SIGKILL and waits for the end of the process, because devstack would still find it before.
func (r *rig) kill(name string) {
	r.t.Helper()
	record := process.Load(r.dir, name)
	require.True(r.t, record.Alive(), name)
	require.NoError(r.t, syscall.Kill(r.pid(name), syscall.SIGKILL))
	require.Eventually(r.t, func() bool { return !record.Alive() }, 2*time.Minute, 5*time.Millisecond, name)
}

// processesIn lists the processes that work in or below the folder.
func processesIn(dir string) []string {
	links, err := filepath.Glob("/proc/[0-9]*/cwd")
	if err != nil {
		return nil
	}
	var found []string
	for _, link := range links {
		if target, err := os.Readlink(link); err == nil && strings.HasPrefix(target, dir) {
			args, err := os.ReadFile(filepath.Join(filepath.Dir(link), "cmdline"))
			if err == nil {
				found = append(found, link+": "+strings.ReplaceAll(string(args), "\x00", " "))
			}
		}
	}
	return found
}

func requireNoProcess(t *testing.T, dir string) {
	t.Helper()
	require.Empty(t, processesIn(dir))
}

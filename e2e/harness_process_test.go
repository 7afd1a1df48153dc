package e2e

import (
	"bufio"
	"bytes"
	"context"
	"debug/buildinfo"
	"flag"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/identity/idtoken/idtokentest"
	"github.com/waft-ota/waft/internal/lab/enginetest"
)

// startLimit is the maximum time until a process is ready. It is generous, because no test is about it.
const startLimit = 2 * time.Minute

// binDir is the folder of the binaries that tests start. Each binary is built when it is first needed.
var binDir string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "waft-e2e-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if err := idtokentest.Trust(dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	binDir = dir
	http.DefaultTransport = checked(http.DefaultTransport)
	// Most tests spend most of their time waiting, so more tests run at the same time than there are processors. The
	// command line takes precedence.
	if err := flag.Set("test.parallel", strconv.Itoa(2*runtime.GOMAXPROCS(0))); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	debug.SetGCPercent(400) // about a hundred servers run in this process, one after the other
	code := m.Run()
	os.RemoveAll(dir)
	if err := enginetest.DropPrepared(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

var buildWaftd, buildWaft = built("waftd"), built("waft")

// built returns a function that builds a binary. It begins with a copy of the binary that `make build` built, and uses
// the same flags. Go then does not link again if the sources and flags have not changed, and linking takes by far the
// longest.
func built(name string) func() (string, error) {
	return sync.OnceValues(func() (string, error) {
		path := filepath.Join(binDir, name)
		flags := copyBuilt(filepath.Join("..", "bin", name), path)
		out, err := exec.Command("go", slices.Concat([]string{"build"}, flags, []string{"-o", path, "../cmd/" + name})...).CombinedOutput()
		if err != nil {
			return "", fmt.Errorf("build %s: %w\n%s", name, err, out)
		}
		return path, nil
	})
}

// copyBuilt copies a binary and returns the flags that it was linked with. If the binary is missing or cannot be
// copied, copyBuilt returns nil and the build links a new one.
func copyBuilt(from, to string) (flags []string) {
	info, err := buildinfo.ReadFile(from)
	if err != nil {
		return nil
	}
	content, err := os.ReadFile(from)
	if err != nil || os.WriteFile(to, content, 0o700) != nil {
		return nil
	}
	for _, setting := range info.Settings {
		if setting.Key == "-ldflags" {
			flags = append(flags, "-ldflags="+setting.Value)
		}
	}
	return flags
}

// process is a process that the test started: a waftd or an engine.
type process struct {
	command *exec.Cmd
	// addr is the address on which a waftd listens.
	addr   string
	exited chan error
	log    *logBuffer
}

// waftd starts `waftd role` with the environment env and returns once it is ready. The process is killed when the test
// ends.
func waftd(t *testing.T, role string, env map[string]string) *process {
	t.Helper()
	if role == "worker" {
		env = emptied(env, "WAFT_ROOT_KEY")
	}
	return launch(t, env, role).ready(t, role)
}

// ready returns once the process, a waftd in the role, is ready.
func (p *process) ready(t *testing.T, role string) *process {
	t.Helper()
	limit, cancel := context.WithTimeout(t.Context(), startLimit)
	defer cancel()
	select {
	case ready := <-p.log.ready:
		p.addr = ready.address
		adminURLs.Store(p.url(), "http://"+ready.admin)
	case err := <-p.exited:
		require.FailNow(t, "waftd "+role+" ended", "%v\n%s", err, p.log)
	case <-limit.Done():
		require.FailNow(t, "waftd "+role+" is not ready", "%s", p.log)
	}
	return p
}

// launch starts waftd and returns immediately.
func launch(t *testing.T, env map[string]string, args ...string) *process {
	t.Helper()
	binary, err := buildWaftd()
	require.NoError(t, err)
	return launchBinary(t, binary, env, args...)
}

// launchBinary starts a waftd and returns immediately.
func launchBinary(t *testing.T, binary string, env map[string]string, args ...string) *process {
	t.Helper()
	command := exec.Command(binary, args...)
	// GOGC is unset so that the server's garbage collector runs as it does for users.
	command.Env = append(os.Environ(), "WAFT_BASE_URL=", "GOGC=")
	for name, value := range env {
		command.Env = append(command.Env, name+"="+value)
	}
	command.Env = append(command.Env, "WAFT_LOG_LEVEL=info")
	return spawn(t, command)
}

// spawn starts a process and kills it when the test ends. If the test failed, spawn logs the output of the process.
func spawn(t *testing.T, command *exec.Cmd) *process {
	t.Helper()
	p := &process{
		command: command,
		exited:  make(chan error, 1),
		log:     &logBuffer{ready: make(chan addresses, 1)},
	}
	// If the test process is killed, its servers are killed too.
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	output, err := command.StderrPipe()
	require.NoError(t, err)
	command.Stdout = command.Stderr
	require.NoError(t, command.Start())
	go func() {
		p.log.read(output)
		p.exited <- command.Wait()
		close(p.exited)
	}()
	t.Cleanup(func() {
		p.kill()
		if t.Failed() {
			t.Logf("%s %v:\n%s", filepath.Base(command.Path), command.Args[1:], p.log)
		}
	})
	return p
}

// url returns the URL of a waftd.
func (p *process) url() string { return "http://" + p.addr }

// ended reports whether the process has ended.
func (p *process) ended() bool {
	select {
	case <-p.exited:
		return true
	default:
		return false
	}
}

// kill kills the process with SIGKILL, and waits for its end.
func (p *process) kill() {
	_ = p.command.Process.Kill() // fails if the process has already ended
	for range p.exited {
	}
}

// stop sends SIGTERM and returns the process's exit error.
func (p *process) stop(ctx context.Context) error {
	if err := p.command.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	select {
	case err := <-p.exited:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// addresses are the addresses on which a waftd listens.
type addresses struct{ address, admin string }

// logBuffer keeps a process's log, and finds the addresses on which it is ready.
type logBuffer struct {
	mu    sync.Mutex
	text  bytes.Buffer
	ready chan addresses
}

var readyLine = regexp.MustCompile(`\bmsg\W+ready\W+address\W+([^\s"]+)\W+admin\W+([^\s"]+)`)

// longestLine is longer than any line that is written. If a line were longer, the reader would stop and the process
// would block or end.
const longestLine = 16 << 20

func (l *logBuffer) read(r io.Reader) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, longestLine)
	for lines.Scan() {
		l.mu.Lock()
		fmt.Fprintln(&l.text, lines.Text())
		l.mu.Unlock()
		if m := readyLine.FindStringSubmatch(lines.Text()); m != nil {
			l.ready <- addresses{m[1], m[2]}
		}
	}
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// emptied returns a copy of env in which the variables are empty.
func emptied(env map[string]string, names ...string) map[string]string {
	env = maps.Clone(env)
	for _, name := range names {
		env[name] = ""
	}
	return env
}

// migrate migrates the databases of env with `waftd migrate`, which works without any key.
func migrate(t *testing.T, env map[string]string) {
	t.Helper()
	p := launch(t, emptied(env, "WAFT_ROOT_KEY", "WAFT_SECRET_KEY", "WAFT_ASSET_BUCKET_URL", "WAFT_DATA_DIR"), "migrate")
	require.NoError(t, <-p.exited, "%s", p.log)
}

package e2e

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// startLimit bounds how long a process may take until it is ready.
const startLimit = 30 * time.Second

// binDir holds the binaries that tests start, built at the first use.
var binDir string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "waft-e2e-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	binDir = dir
	http.DefaultTransport = checked(http.DefaultTransport)
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

var buildWaftd = sync.OnceValues(func() (string, error) {
	path := filepath.Join(binDir, "waftd")
	out, err := exec.Command("go", "build", "-o", path, "../cmd/waftd").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("build waftd: %w\n%s", err, out)
	}
	return path, nil
})

// process is a waftd of its own.
type process struct {
	command *exec.Cmd
	// addr is where it listens.
	addr   string
	exited chan error
	log    *logBuffer
}

// waftd starts `waftd role` with the environment env and returns once it is
// ready. It is killed when the test ends.
func waftd(t *testing.T, role string, env map[string]string) *process {
	t.Helper()
	p := launch(t, env, role)
	select {
	case p.addr = <-p.log.ready:
	case err := <-p.exited:
		require.FailNow(t, "waftd "+role+" ended", "%v\n%s", err, p.log)
	case <-time.After(startLimit):
		require.FailNow(t, "waftd "+role+" is not ready", "%s", p.log)
	}
	return p
}

// launch starts waftd without waiting for anything.
func launch(t *testing.T, env map[string]string, args ...string) *process {
	t.Helper()
	binary, err := buildWaftd()
	require.NoError(t, err)
	p := &process{
		command: exec.Command(binary, args...),
		exited:  make(chan error, 1),
		log:     &logBuffer{ready: make(chan string, 1)},
	}
	p.command.Env = append(os.Environ(), "WAFT_BASE_URL=")
	for name, value := range env {
		p.command.Env = append(p.command.Env, name+"="+value)
	}
	p.command.Env = append(p.command.Env, "WAFT_LOG_LEVEL=info")
	// A test that is killed must not leave a server behind.
	p.command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	stderr, err := p.command.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, p.command.Start())
	go func() {
		p.log.read(stderr)
		p.exited <- p.command.Wait()
		close(p.exited)
	}()
	t.Cleanup(func() {
		p.kill()
		if t.Failed() {
			t.Logf("waftd %v:\n%s", args, p.log)
		}
	})
	return p
}

// kill is kill -9, and waits for the end.
func (p *process) kill() {
	_ = p.command.Process.Kill() // it may have ended
	for range p.exited {
	}
}

// stop asks the process to end and returns how it did.
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

// logBuffer keeps what a process logs and finds the address that it is ready on.
type logBuffer struct {
	mu    sync.Mutex
	text  bytes.Buffer
	ready chan string
}

var readyLine = regexp.MustCompile(`msg=ready address=(\S+)`)

func (l *logBuffer) read(r io.Reader) {
	for lines := bufio.NewScanner(r); lines.Scan(); {
		l.mu.Lock()
		fmt.Fprintln(&l.text, lines.Text())
		l.mu.Unlock()
		if m := readyLine.FindStringSubmatch(lines.Text()); m != nil {
			l.ready <- m[1]
		}
	}
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// migrate brings the databases of env up to date with `waftd migrate`.
func migrate(t *testing.T, env map[string]string) {
	t.Helper()
	p := launch(t, env, "migrate")
	require.NoError(t, <-p.exited, "%s", p.log)
}

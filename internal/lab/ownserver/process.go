package ownserver

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"time"
)

const (
	// stopLimit is the time that a process has to end after SIGTERM.
	stopLimit = 10 * time.Second
	// keptLines is the number of last log lines that an error contains.
	keptLines = 10
	// longestLine is longer than any line that is written. If a line were longer, the reader would stop and the process
	// would block for ever.
	longestLine = 16 << 20
)

// process is a running waftd.
type process struct {
	command *exec.Cmd
	url     chan string
	// ended is closed after err has been set.
	ended chan struct{}
	err   error

	mu    sync.Mutex
	lines []string
}

// inherited are the variables that waftd inherits. Settings for other servers are not inherited.
var inherited = []string{"PATH", "HOME", "TMPDIR"}

// command returns a command that runs waftd with the settings. Signals from the terminal do not reach it, because End
// stops it. It ends when this process is killed.
func (s *Server) command(settings map[string]string, args ...string) *exec.Cmd {
	c := exec.Command(s.binary, args...) //nolint:noctx // a context would kill the process before it has stopped
	for _, name := range inherited {
		c.Env = append(c.Env, name+"="+os.Getenv(name))
	}
	for name, value := range settings {
		c.Env = append(c.Env, name+"="+value)
	}
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	return c
}

// launch starts a process and reads its log.
func launch(command *exec.Cmd) (*process, error) {
	p := &process{command: command, url: make(chan string, 1), ended: make(chan struct{})}
	output, err := command.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, err
	}
	go func() {
		defer close(p.ended)
		p.read(output)
		p.err = command.Wait()
	}()
	return p, nil
}

// readyLine matches the log line with the port on which a process listens.
var readyLine = regexp.MustCompile(`msg=ready address=127\.0\.0\.1:(\d+) `)

func (p *process) read(log io.Reader) {
	lines := bufio.NewScanner(log)
	lines.Buffer(nil, longestLine)
	for lines.Scan() {
		p.mu.Lock()
		p.lines = append(p.lines[max(0, len(p.lines)+1-keptLines):], lines.Text())
		p.mu.Unlock()
		if m := readyLine.FindStringSubmatch(lines.Text()); m != nil {
			p.url <- "http://localhost:" + m[1] // the host that the server uses for itself, so that a browser sends its cookies
		}
	}
}

func (p *process) lastLines() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.lines
}

// ready returns the URL of the process once it serves.
func (p *process) ready(ctx context.Context) (url string, err error) {
	select {
	case url = <-p.url:
		return url, nil
	case <-p.ended:
		return "", fmt.Errorf("waftd ended: %w\n%s", p.err, strings.Join(p.lastLines(), "\n"))
	case <-ctx.Done():
		return "", fmt.Errorf("waftd is not ready: %w", ctx.Err())
	}
}

// stop sends SIGTERM to the process, kills it if it does not end in time, and returns its exit error.
func (p *process) stop(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, stopLimit)
	defer cancel()
	_ = p.command.Process.Signal(syscall.SIGTERM) // fails if the process has already ended
	select {
	case <-p.ended:
	case <-ctx.Done():
		_ = p.command.Process.Kill()
		<-p.ended
	}
	return p.err
}

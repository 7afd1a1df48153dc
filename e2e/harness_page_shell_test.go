package e2e

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/lab/site"
)

// blockLimit is the maximum time that a block of a page runs. It is generous, because no test is about it.
const blockLimit = 8 * time.Minute

// pageShell is the session of bash in which the commands of a page run.
type pageShell struct {
	page     string // its path, by which bash names it in messages
	scratch  string // the folder of scripts and outputs
	scripts  int
	requests io.Writer
	replies  *bufio.Reader
}

// startPageShell starts bash in a folder with an environment. When the test ends, the shell and all processes that it started are killed.
func startPageShell(t *testing.T, page, folder string, env []string) *pageShell {
	t.Helper()
	driver, err := filepath.Abs("testdata/session.sh")
	require.NoError(t, err)
	requests, ours, err := os.Pipe()
	require.NoError(t, err)
	theirs, replies, err := os.Pipe()
	require.NoError(t, err)
	command := exec.Command("bash", "--noprofile", "--norc", driver)
	command.Dir, command.Env = folder, env
	command.ExtraFiles = []*os.File{requests, replies} // 3 and 4
	command.Stderr = t.Output()
	// A group of its own, with which everything ends that the page started.
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	command.WaitDelay = time.Second // background processes have the standard error output, too
	require.NoError(t, command.Start())
	require.NoError(t, requests.Close())
	require.NoError(t, replies.Close())
	t.Cleanup(func() {
		_ = syscall.Kill(-command.Process.Pid, syscall.SIGKILL) // fails if everything has ended
		_ = command.Wait()
		ours.Close()
		theirs.Close()
	})
	return &pageShell{page: page, scratch: t.TempDir(), requests: ours, replies: bufio.NewReader(theirs)}
}

// failure is the exit code of a command of a page, with the line and the command.
type failure struct {
	code, line int
	command    string
}

func (f failure) Error() string {
	return fmt.Sprintf("exit code %d of: %s", f.code, f.command)
}

// script writes the text to a file in which its lines have the numbers that they have on the page.
func (s *pageShell) script(text site.Script) (path, output string, err error) {
	s.scripts++
	folder := filepath.Join(s.scratch, strconv.Itoa(s.scripts))
	path = filepath.Join(folder, s.page)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", "", err
	}
	return path, filepath.Join(folder, "output"), os.WriteFile(path, []byte(strings.Repeat("\n", text.Line-1)+text.Text+"\n"), 0o600)
}

// run runs a script in the shell and returns its output. A script of the kind fails runs in a shell of its own.
func (s *pageShell) run(ctx context.Context, kind string, text site.Script) (output string, err error) {
	path, out, err := s.script(text)
	if err != nil {
		return "", err
	}
	err = s.request(ctx, kind, path, out)
	printed, _ := os.ReadFile(out) // missing if the shell has ended before
	if problems, _ := os.ReadFile(out + ".errors"); err != nil {
		printed = append(printed, problems...)
	}
	return string(printed), err
}

// request sends a request and waits for the reply.
func (s *pageShell) request(ctx context.Context, kind, script, output string) error {
	if _, err := fmt.Fprintf(s.requests, "%s\t%s\t%s\n", kind, script, output); err != nil {
		return fmt.Errorf("the session has ended: %w", err)
	}
	reply := make(chan error, 1)
	go func() { reply <- s.reply() }()
	select {
	case err := <-reply:
		return err
	case <-ctx.Done():
		return fmt.Errorf("the commands did not end: %w", ctx.Err())
	}
}

func (s *pageShell) reply() error {
	line, err := s.replies.ReadString('\n')
	if err != nil {
		return fmt.Errorf("the session ended without a reply: %w", err)
	}
	parts := strings.SplitN(strings.TrimSuffix(line, "\n"), "\t", 3)
	if len(parts) != 3 {
		return fmt.Errorf("unexpected reply of the session: %q", line)
	}
	code, err := strconv.Atoi(parts[0])
	if err != nil || code == 0 {
		return err
	}
	at, err := strconv.Atoi(parts[1])
	if err != nil {
		return err
	}
	return failure{code, at, parts[2]}
}

// background starts a script and returns what it has printed until the end of the line that has a text.
func (s *pageShell) background(ctx context.Context, text site.Script, until string) (output string, err error) {
	path, pipe, err := s.script(text)
	if err != nil {
		return "", err
	}
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		return "", err
	}
	seen := make(chan string, 1)
	missed := make(chan string, 1)
	go readUntil(pipe, until, seen, missed)
	if err := s.request(ctx, "background", path, pipe); err != nil {
		return "", err
	}
	select {
	case printed := <-seen:
		return printed, nil
	case printed := <-missed:
		return printed, fmt.Errorf("the commands in the background ended and did not print %q", until)
	case <-ctx.Done():
		return "", fmt.Errorf("the commands in the background did not print %q: %w", until, ctx.Err())
	}
}

// readUntil reads a pipe to its end, so that its writer does not block. It sends the lines until the text to seen, or all of
// them to missed.
func readUntil(pipe, text string, seen, missed chan<- string) {
	file, err := os.Open(pipe)
	if err != nil {
		missed <- err.Error()
		return
	}
	defer file.Close()
	var printed strings.Builder
	found := false
	for reader := bufio.NewReader(file); ; {
		line, err := reader.ReadString('\n')
		if !found {
			printed.WriteString(line)
		}
		if !found && strings.Contains(line, text) {
			found = true
			seen <- printed.String()
		}
		if err != nil {
			break
		}
	}
	if !found {
		missed <- printed.String()
	}
}

// exitCode returns the exit code of a command that failed, and its line.
func exitCode(err error) (f failure, failed bool) {
	failed = errors.As(err, &f)
	return f, failed
}

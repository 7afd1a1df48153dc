//go:build !windows

package clitest

import (
	"errors"
	"os"
	"os/exec"
	"reflect"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
	"github.com/creack/pty"
)

// Wide is the size of an ordinary terminal.
var Wide = &pty.Winsize{Rows: 24, Cols: 80}

// Screen is a terminal in which waft runs.
type Screen struct {
	t *testing.T
	// Command is the process of waft.
	Command *exec.Cmd
	// Keys is the side of the terminal on which a person types and reads.
	Keys   *os.File
	before *term.State

	mu      sync.Mutex
	out     strings.Builder
	changed chan struct{}
	ended   chan struct{}
}

// OnScreen starts waft with the arguments in a terminal. TestMain must call RunAsWaft.
func OnScreen(t *testing.T, size *pty.Winsize, environment []string, args ...string) *Screen {
	t.Helper()
	self, err := os.Executable()
	must(t, err)
	command := exec.CommandContext(t.Context(), self, args...)
	command.Env = append([]string{runAsWaft + "=1", "TERM=xterm-256color", "HOME=" + t.TempDir()}, environment...)
	keys, tty, err := pty.Open()
	must(t, err)
	must(t, pty.Setsize(keys, size))
	before, err := term.GetState(keys.Fd())
	must(t, err)
	command.Stdin, command.Stdout, command.Stderr = tty, tty, tty
	command.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	must(t, command.Start())
	c := &Screen{t: t, Command: command, Keys: keys, before: before, changed: make(chan struct{}, 1), ended: make(chan struct{})}
	go c.read()
	t.Cleanup(func() { tty.Close(); keys.Close() })
	return c
}

// read collects the output until the terminal closes.
func (c *Screen) read() {
	defer close(c.ended)
	buffer := make([]byte, 1<<16)
	for {
		n, err := c.Keys.Read(buffer)
		c.mu.Lock()
		c.out.Write(buffer[:n])
		c.mu.Unlock()
		select {
		case c.changed <- struct{}{}:
		default:
		}
		if err != nil {
			return
		}
	}
}

func (c *Screen) output() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.out.String()
}

// Sees waits until the output after an offset contains the text, and returns the length of the output.
func (c *Screen) Sees(text string, after int) int {
	c.t.Helper()
	for {
		out := c.output()
		if strings.Contains(ansi.Strip(out[after:]), text) {
			return len(out)
		}
		select {
		case <-c.changed:
		case <-time.After(30 * time.Second):
			c.t.Fatalf("the terminal does not show %s: %q", text, out)
		}
	}
}

// Exit waits for the end of waft and returns its exit code and what it wrote.
func (c *Screen) Exit() (code int, out string) {
	c.t.Helper()
	hangs := time.AfterFunc(30*time.Second, func() { _ = c.Command.Process.Kill() })
	err := c.Command.Wait()
	if !hangs.Stop() {
		c.t.Fatalf("waft does not end: %q", c.output())
	}
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		must(c.t, err)
	}
	marker := "end of the test"
	_, err = c.Keys.WriteString(marker) // the terminal echoes it, after everything else
	must(c.t, err)
	c.Sees(marker, 0)
	after, err := term.GetState(c.Keys.Fd())
	must(c.t, err)
	if !reflect.DeepEqual(c.before, after) {
		c.t.Errorf("the terminal is in another mode than at the begin: %v, not %v", after, c.before)
	}
	return c.Command.ProcessState.ExitCode(), strings.TrimSuffix(c.output(), marker)
}

// Press types keys.
func (c *Screen) Press(keys string) { _, _ = c.Keys.WriteString(keys) }

var mode = regexp.MustCompile("\x1b\\[([?>=<]?)([0-9;]*)([hlu])")

// RequireClean checks that each mode that was set is reset, the cursor shows, and the last texts remain on the screen.
func RequireClean(t *testing.T, out string, last ...string) {
	t.Helper()
	modes := map[string]string{}
	for _, m := range mode.FindAllStringSubmatch(out, -1) {
		modes[m[1]+m[2]] = m[3]
	}
	if modes["?1049"] != "l" {
		t.Error("the alternate screen is not left")
	}
	for name, state := range modes {
		wrong := "h"
		if name == "?25" || name == "?7" || name == "?12" { // these are set in a new terminal
			wrong = "l"
		}
		if state == wrong {
			t.Errorf("mode %s remains %s", name, state)
		}
	}
	_, rest, _ := cutLast(out, "\x1b[?1049l")
	for _, text := range last {
		if !strings.Contains(ansi.Strip(rest), text) {
			t.Errorf("%q does not remain on the screen: %q", text, rest)
		}
	}
}

// must fails the test for an error.
func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func cutLast(text, separator string) (before, after string, found bool) {
	i := strings.LastIndex(text, separator)
	if i < 0 {
		return text, "", false
	}
	return text[:i], text[i+len(separator):], true
}

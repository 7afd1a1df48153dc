package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
)

// task is a command that runs in the background.
type task struct {
	running atomic.Bool
	// modules counts those whose download has begun.
	modules atomic.Int64
}

type command struct {
	dir, name string
	args, env []string
	stdout    io.Writer
	// line takes a line that the command writes and says whether it is no message.
	line func(string) bool
}

// run runs the command. Its error has the messages that it wrote.
func (t *task) run(ctx context.Context, c command) error {
	t.running.Store(true)
	defer t.running.Store(false)
	cmd := exec.CommandContext(ctx, c.name, c.args...)
	cmd.Dir, cmd.Stdout = c.dir, c.stdout
	cmd.Env = append(os.Environ(), c.env...)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	var messages strings.Builder
	for lines := bufio.NewScanner(stderr); lines.Scan(); {
		switch line := lines.Text(); {
		case strings.HasPrefix(line, "go: downloading "):
			t.modules.Add(1)
		case c.line == nil || !c.line(line):
			messages.WriteString("\n" + line)
		}
	}
	err = cmd.Wait()
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return fmt.Errorf("%s %s: %w%s", c.name, strings.Join(c.args, " "), err, messages.String())
	}
	return nil
}

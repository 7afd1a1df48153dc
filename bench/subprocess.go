package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
)

// startProcess starts this program again as a server in a process of its own. The command reads its
// input as JSON, prints its address and serves until its standard input ends.
func (s *session) startProcess(ctx context.Context, command string, input any) (addr string, err error) {
	c, addr, err := startChild(ctx, input, command)
	if err != nil {
		return "", err
	}
	s.child = c
	s.atEnd(func() error {
		if c.killed {
			return nil
		}
		return c.end()
	})
	return addr, nil
}

// startChild starts this program again with a command in a process of its own, behind the words of a wrapper such as nice. It
// returns once the command has read its input as JSON and printed a line.
func startChild(ctx context.Context, input any, command string, wrapper ...string) (c *child, line string, err error) {
	program, err := os.Executable()
	if err != nil {
		return nil, "", err
	}
	words := append(wrapper, program, command)
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, "", err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, "", err
	}
	if err := cmd.Start(); err != nil {
		return nil, "", err
	}
	c = &child{pid: cmd.Process.Pid, in: stdin, out: bufio.NewReader(stdout)}
	ended := sync.OnceValue(cmd.Wait)
	c.kill = func() {
		_ = cmd.Process.Kill() // it may have ended
		_ = ended()            // by the signal
		c.killed = true
	}
	c.end = func() error { return errors.Join(stdin.Close(), ended()) }
	if err = json.NewEncoder(stdin).Encode(input); err == nil {
		line, err = c.out.ReadString('\n')
	}
	if err != nil {
		c.kill()
		return nil, "", fmt.Errorf("%s printed no line: %w", command, err)
	}
	return c, strings.TrimSpace(line), nil
}

// child is a process that startChild started.
type child struct {
	pid int
	in  io.Writer
	out *bufio.Reader
	// end ends the standard input of the process, and returns the error with which the process then ends.
	end func() error
	// kill sends SIGKILL to the process and waits until it has ended.
	kill   func()
	killed bool
}

// memory is the memory that a process uses after a collection, in bytes.
type memory struct{ Heap, Stacks, Resident int64 }

// memory asks the process.
func (c *child) memory() (m memory, err error) {
	if _, err = fmt.Fprintln(c.in, askMemory); err != nil {
		return m, err
	}
	line, err := c.out.ReadBytes('\n')
	if err != nil {
		return m, err
	}
	if err := json.Unmarshal(line, &m); err != nil {
		return m, err
	}
	resident, err := residentMiB(c.pid)
	m.Resident = int64(resident * (1 << 20))
	return m, err
}

// askMemory is the line that child.memory sends.
const askMemory = "memory"

// await prints the address for startProcess, tells child.memory what is in use, and returns when standard input ends.
func await(addr string, err error) error {
	if err != nil {
		return err
	}
	fmt.Println(addr)
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		if lines.Text() != askMemory {
			continue // the end of what the command has read
		}
		debug.FreeOSMemory()
		var stats runtime.MemStats
		runtime.ReadMemStats(&stats)
		if err := json.NewEncoder(os.Stdout).Encode(memory{Heap: int64(stats.HeapAlloc), Stacks: int64(stats.StackInuse)}); err != nil {
			return err
		}
	}
	return lines.Err()
}

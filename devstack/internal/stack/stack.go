// Package stack starts, watches and stops everything that Waft runs on.
package stack

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
)

// Config says what to run and where.
type Config struct {
	// Dir is the data folder.
	Dir string
	// Waftd is the server's program.
	Waftd string
	// Self is the devstack program, which also runs the engines that are
	// libraries.
	Self string
	// EnginesOnly leaves the server out.
	EnginesOnly bool
	// Durable makes Postgres survive a power cut too.
	Durable bool
	// Tethered ends every process when this one ends.
	Tethered bool
	// Ports overrides where to listen; zero chooses.
	Ports Ports
	// Out takes one line per process.
	Out io.Writer
}

// Stack is the processes that share one data folder.
type Stack struct {
	Config

	ports   Ports
	secrets map[string]string
}

// Open prepares the folder and chooses the ports and secrets that it does not have yet.
func Open(config Config) (*Stack, error) {
	dir, err := filepath.Abs(config.Dir)
	if err != nil {
		return nil, err
	}
	config.Dir = dir
	if err := os.MkdirAll(filepath.Join(dir, "log"), 0o755); err != nil {
		return nil, err
	}

	s := &Stack{Config: config, ports: config.Ports}
	if s.ports == (Ports{}) {
		if s.ports, err = choosePorts(dir); err != nil {
			return nil, err
		}
	}
	if s.secrets, err = secrets(dir); err != nil {
		return nil, err
	}
	return s, nil
}

// lock keeps two commands from changing the same folder at once.
func (s *Stack) lock() (unlock func(), err error) {
	file, err := lockFile(s.path("lock"), syscall.LOCK_EX)
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", s.Dir, err)
	}
	return func() { file.Close() }, nil
}

func (s *Stack) path(parts ...string) string {
	return filepath.Join(append([]string{s.Dir}, parts...)...)
}

func (s *Stack) say(format string, args ...any) {
	fmt.Fprintf(s.Out, format+"\n", args...)
}
